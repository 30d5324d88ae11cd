/* SPDX-License-Identifier: Apache-2.0 */
/* Generic execution of an operation: one element at a time, in wide integers. It is the
 * reference that every faster path must equal byte for byte; nothing here is tuned.
 *
 * The whole result is computed before any of it is stored, so that an OFM may lie on top of
 * its own inputs in any way. */
#ifndef NPU_EXEC_H
#define NPU_EXEC_H

#include "npu/config.h"
#include "npu/kernels/weights/weights.h"
#include "npu/op.h"

enum npu_exec_status {
	NPU_EXEC_OK,
	NPU_EXEC_WEIGHTS, /* weight stream corrupt */
	NPU_EXEC_SCALES,  /* scale stream too short */
	NPU_EXEC_MEMORY,  /* host memory is short */
	NPU_EXEC_CHAIN,   /* U85: chain buffer empty or of another size */
};

struct npu_weights_room {
	i16 *data;
	size_t count; /* weights there is room for */
};

struct npu_exec {
	const struct npu_config *config;
	const struct npu_op *op;
	const struct npu_view *view;
	/* Fast decoder for U85's standard streams, which then have NPU_WEIGHTS_SLACK readable bytes
	 * behind them; NULL: the plain one. */
	npu_weights_next_fn *next;
	const struct npu_weights_tables *tables;
	/* U85's weights: memory to be used again, of the stream and of the result; NULL: fresh. */
	struct npu_weights_room *room;
	/* Set on failure: the core whose stream is bad, and how many bytes it should have had. */
	unsigned core;
	u64 needed;
	const char *why;
	/* Counted: accumulators that left their width (op->acc_bits). */
	u64 wraps;
	/* Results before they are stored, y, x, c order. */
	i32 *result;
};

/* Does the operation, config, op and view being set and the rest zero; memory is written only when the status is OK.
 * U85: DMA only, see npu85_exec(). */
enum npu_exec_status npu_exec_op(struct npu_exec *e);

/* The parts, one per kind of operation that computes; they fill e->result. */
enum npu_exec_status npu_exec_mac(struct npu_exec *e);
/* Weights as [OFM depth][kernel_h][kernel_w][IFM depth] (depthwise: depth 1), to be freed; NULL after a failure. */
i16 *npu_exec_weights(struct npu_exec *e, enum npu_exec_status *status);
/* Of one element, bias included; false after a failure. */
bool npu_exec_mac_accumulator(struct npu_exec *e, u32 y, u32 x, u32 c, i64 *out);
enum npu_exec_status npu_exec_pool(struct npu_exec *e);
/* Of one element: the sum of its window, bias included, also of an average pool that divides; or the maximum. False after a failure. */
bool npu_exec_pool_accumulator(struct npu_exec *e, u32 y, u32 x, u32 c, i64 *out);
enum npu_exec_status npu_exec_elementwise(struct npu_exec *e);

/* Element at p, in the map's type. */
i64 npu_load_element(const struct npu_fm *fm, const u8 *p);

/* Element minus zero point. */
i64 npu_load(const struct npu_fm *fm, const u8 *const tiles[NPU_TILES], u32 y, u32 x, u32 c);

/* Zero point, clamp, tables, units: the value to store for the scaled result v. */
i32 npu_output_value(const struct npu_op *op, const u8 *lut, i64 v);

/* ELEMENTWISE before the output stage, of elements minus zero points: `first` from IFM, `other`
 * from IFM2 (unary: ignored), whatever the operand order. */
i64 npu_elementwise_value(const struct npu_op *op, i64 first, i64 other);

/* What lies under tap (ky, kx) of output (oy, ox); with DATA, the IFM's element at (*y, *x). */
enum npu_tap { NPU_TAP_PADDING, NPU_TAP_ZERO, NPU_TAP_DATA };
enum npu_tap npu_tap_at(const struct npu_op *op, u32 oy, u32 ox, u32 ky, u32 kx, u32 *y, u32 *x);

/* One channel's bias and scale; records are 10 bytes. */
struct npu_channel_scale {
	i64 bias; /* 40 bits */
	struct npu_scale scale;
};
/* Of every OFM channel, to be freed by the caller; NULL after a failure, *status says why. */
struct npu_channel_scale *npu_channel_scales(struct npu_exec *e, enum npu_exec_status *status);

/* Two's complement wrap to the accumulator's width; counts. */
i64 npu_accumulate(struct npu_exec *e, i64 acc);

#endif
