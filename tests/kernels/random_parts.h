/* SPDX-License-Identifier: Apache-2.0 */
/* What random operations of all products consist of: memory, feature maps, windows, weights. */
#ifndef TESTS_KERNELS_RANDOM_PARTS_H
#define TESTS_KERNELS_RANDOM_PARTS_H

#include "npu/op.h"
#include "tests/kernels/random.h"

#define ARENA_BYTES ((size_t)16 << 20)

/* Number of operations of a test; the environment variable FVPSIM_TEST_ROUNDS multiplies it for long runs. */
unsigned rounds_of(unsigned usual);

struct arena {
	u8 *bytes;   /* ARENA_BYTES */
	size_t used;
};

/* Random bytes wherever the arena was used; empties it. */
void arena_fill(struct arena *a, struct rng *r);
/* Offset of `bytes` bytes, a multiple of 16. */
size_t arena_take(struct arena *a, size_t bytes);

/* Element size out of bytes[0..choices), sign, zero point. */
void random_type(struct rng *r, struct npu_fm *fm, const u8 *bytes, unsigned choices);
/* Format, strides and tiles of a map whose sizes are set, and room for it. */
void random_place(struct rng *r, struct arena *a, struct npu_fm *fm, u8 *tile[NPU_TILES]);
/* The same of IFM and OFM, to the view. */
void random_places(struct rng *r, struct arena *a, struct npu_op *op, struct npu_view *view);
/* Kernel, strides, padding, upscaling; the IFM's size follows from the OFM's. */
void random_window(struct rng *r, struct npu_op *op, u32 kernel_max);
/* The same of one output pixel, as a mean over a map has it. */
void mean_window(struct rng *r, struct npu_op *op);
/* The same, 3x3 or 1x1 with one stride, as most operations of networks have it; of depthwises taps may be apart. */
void usual_window(struct rng *r, struct npu_op *op, bool pointwise);
/* Over a map that is doubled with zeros, as a transposed convolution is compiled, and large enough to be done in four parts; sizes change as well. */
void doubled_window(struct rng *r, struct npu_op *op);
/* As a mean over the last axis has it: one channel, results of one or four bytes, taps of a row side by side where pixels are. */
void line_window(struct rng *r, struct npu_op *op);
/* Down a map that is one pixel wide; the OFM's size changes. */
void column_window(struct rng *r, struct npu_op *op);
/* A small window of bytes to bytes over a map that is worth being done by rows; the OFM's size changes as well. */
void bytes_window(struct rng *r, struct npu_op *op);
/* A window of a map of few channels that is one column, or of rows that lie one behind the other with a window each, one for each channel, or any; the OFM's size changes. */
void axis_window(struct rng *r, struct npu_op *op);
#define RANDOM_WEIGHT UINT16_MAX
/* A stream of `count` random weights: uncompressed slices, indices of `width` bits, magnitudes
 * below 2^(width-1); `given`: the low bits of each, or RANDOM_WEIGHT; may be NULL. Returns its bytes, a multiple of 16. */
u32 random_stream(struct rng *r, u64 count, unsigned width, const u16 *given, u8 *out);

/* The view of the same operation in another copy of the arena. */
struct npu_view view_moved(const struct npu_view *v, const u8 *from, u8 *to);

#endif
