/* SPDX-License-Identifier: Apache-2.0 */
/* The order of weights in the streams of Ethos-U85. Not for use outside npu/u85/weights*.c. */
#ifndef NPU_U85_WEIGHTS_ORDER_H
#define NPU_U85_WEIGHTS_ORDER_H

#include "npu/kernels/weights.h"
#include "npu/u85/u85.h"

struct npu85_order;

/* `step` weights each of four channels from o on, of input channels from i on. */
typedef void npu85_put_four(const struct npu85_order *r, u32 o, u32 ky, u32 kx, u32 i, const i16 *from);

struct npu85_order {
	const struct npu_op *op;
	const struct npu_view *view; /* the walk ends early where its operation is given up; NULL: never */
	u32 od, id, kh, kw;     /* channels of OFM and IFM (depthwise: 1), taps */
	u32 obd, ibd, oud, iud; /* block depths, and depths of the pieces that are walked inside of them */
	u32 step;               /* input channels that lie side by side */
	u32 round, extra;       /* depthwise and part-kernel order: taps are filled up to `round`, and by `extra` */
	u32 stride_y, stride_x;
	u32 streams, stream;    /* decoders, and whose turn it is */
	u64 count;              /* weights walked over */
	struct npu_weights_source *in; /* where they come from, NULL: only counted */
	bool ended;                    /* there were not enough */
	/* Where they go: `dense` for npu85_put_dense(), else the last two for put_packed(). */
	npu85_put_four *put;
	i16 *dense;
	npu_weights_put_fn *put_packed;
	const struct npu_weights_target *packed;
};

/* Sizes of the operation's order; stream, in, put and what goes with it are the caller's. */
struct npu85_order npu85_order_of(const struct npu_config *config, const struct npu_op *op);

/* Walks r->stream: counts, takes from r->in, hands to r->put. */
void npu85_order_walk(struct npu85_order *r);

/* To r->dense: [OFM depth][kernel_h][kernel_w][IFM depth]. */
npu85_put_four npu85_put_dense;

#endif
