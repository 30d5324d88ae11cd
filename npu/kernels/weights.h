/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed weight streams: bit format and order of the weights.
 *
 * Two decoders of the same format: a plain one that reads bit by bit and is the reference for
 * everything else, and a table-driven one that is some fifteen times faster. They agree on
 * every input, corrupt ones included. Format: the mlw codec of Vela 5.2; the same on U55, U65
 * and the standard decoders of U85. */
#ifndef NPU_KERNELS_WEIGHTS_H
#define NPU_KERNELS_WEIGHTS_H

#include "memory/types.h"
#include "npu/op.h"

enum npu_weights_status {
	NPU_WEIGHTS_OK,
	/* Reserved divisor, index above 511, or a slice that ends beyond the stream. Hardware
	 * raises wd_fault. */
	NPU_WEIGHTS_CORRUPT,
};

/* Decodes `bytes` bytes at `stream` into out[0..capacity), *count of them. Stops with OK when
 * out is full: what follows is not looked at beyond the slice then reached. Needs no readable
 * byte behind the stream. Values lie in -271..271 (-255..255 in streams made by compilers). */
enum npu_weights_status npu_weights_decode_plain(const u8 *stream, u32 bytes, i16 *out,
						 size_t capacity, size_t *count);

/* Look-up tables of the fast decoder, 8.5 KiB. Constant after init. */
struct npu_weights_tables {
	struct npu_weights_quotients {
		u64 lanes;    /* four 16-bit quotients */
		u16 rest;     /* unary digits of the unfinished one */
		u16 keep;     /* all ones when none was finished: the carry goes on */
		u16 finished;
		u16 ones;     /* bits of the second unary field used up */
	} plain[256], truncated[256], runs[16];
};

void npu_weights_tables_init(struct npu_weights_tables *t);

/* Bytes behind a stream that npu_weights_decode() may read; their value does not matter. */
#define NPU_WEIGHTS_SLACK 64

/* Same result, fast. `stream` is followed by NPU_WEIGHTS_SLACK readable bytes. */
enum npu_weights_status npu_weights_decode(const struct npu_weights_tables *t, const u8 *stream,
					   u32 bytes, i16 *out, size_t capacity, size_t *count);

/* The same for hosts with BMI2 and POPCNT; exists on x86-64 only. */
enum npu_weights_status npu_weights_decode_bmi2(const struct npu_weights_tables *t,
						const u8 *stream, u32 bytes, i16 *out,
						size_t capacity, size_t *count);

/* What the order of one decoder's weights depends on (U55, U65). */
struct npu_weights_shape {
	u32 od, kh, kw, id;         /* channels of this core; taps; IFM channels, depthwise: 1 */
	u32 block_d;                /* OFM block depth of this core */
	u8 ublock_d;                /* OFM microblock depth: 4 or 8 */
	u8 dilation_y, dilation_x;  /* 1..2 */
	u8 ifm_bits;
	bool part_kernel, depthwise;
};

/* Shape of one core's stream of a CONV or DEPTHWISE. Core k of n has channels k, k+n, ... */
struct npu_weights_shape npu_weights_shape_of(const struct npu_op *op, unsigned core,
					      unsigned ublock_d);

/* Number of weights that the stream of this shape holds, padding included; saturates at
 * UINT64_MAX. */
u64 npu_weights_stream_count(const struct npu_weights_shape *s);

/* Sorts stream[0..count) into out[o * step_o + (ky * kw + kx) * id + i], o counting this core's
 * channels. `stream` has npu_weights_stream_count() entries; out is written completely for
 * every o. One element at a time: the reference. */
void npu_weights_sort_plain(const struct npu_weights_shape *s, const i16 *stream, i16 *out,
			    size_t step_o);

/* Same result, by runs of input channels. */
void npu_weights_sort(const struct npu_weights_shape *s, const i16 *stream, i16 *out,
		      size_t step_o);

/* Straight from the stream's order to groups of 16 channels (see packed.h), `taps` 4: int8, 2:
 * int16. `core` of `cores` has every cores-th channel. False, nothing written, when a run of
 * input channels would not stay whole: depthwise, or a depth that is no multiple of taps. */
bool npu_weights_pack(const struct npu_weights_shape *s, const i16 *stream, unsigned taps,
		      u32 core, u32 cores, void *out, size_t group_step);

#endif
