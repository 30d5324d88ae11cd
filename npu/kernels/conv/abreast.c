/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/abreast.h"

#include <stdlib.h>
#include <string.h>

#include "npu/integer.h"
#include "npu/kernels/move/copy.h"
#include "npu/kernels/conv/few.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/conv/mac.h"
#include "npu/kernels/conv/thin.h"

enum {
	MOST_CHANNELS = 8, MOST_PIXELS = 16, LEAST_RESULTS = 64,
	MOST_ROW = 16384, /* elements that a wide pixel is made of */
	MOST_POINTWISE = 48, /* inputs of a kernel that gets no smaller for it */
	/* Cycles, measured on Zen 5: of a pixel beside its vectors, of a vector of results beside its products, both less where bytes of pixels need not be
	 * brought together for products of four bytes; */
	PIXEL = 8, VECTOR = 4, BYTES_LESS = 6,
	LINE = 14, SET = 5, /* of a pixel of depthwises by expanded lines, and of a set of its taps; */
	WINDOW = 8,         /* of one from memory to memory; */
	APART = 3,          /* of one that is brought to others, or away from them; */
	WORDS = 3,          /* measured on Zen 3: of a vector of a field's line, where products are of int16 */
};

struct abreast {
	struct npu_op op; /* whose channels are pixels */
	struct npu_view view;
	const struct npu_op *plain;
	const struct npu_view *to;
	bool apart;         /* its results are brought to where they belong */
	npu_again_fn *run;  /* does it again with ctx */
	void *ctx;
};

/* ---- weights ---- */

struct npu_op npu_abreast_plain(const struct npu_op *op)
{
	struct npu_op plain = *op;

	plain.ofm.depth /= op->abreast.pixels;
	plain.kernel_w = op->abreast.kernel_w;
	plain.stride_x = op->abreast.stride;
	plain.abreast.pixels = 0;
	return plain;
}

static u32 inputs(const struct npu_weights_shape *s)
{
	return s->depthwise ? s->od : s->id;
}

size_t npu_abreast_row(const struct npu_packed_key *key)
{
	return round_up_to((size_t)key->shape.kh * key->wide * inputs(&key->shape), key->taps);
}

/* Of the weight at `k` of a channel's row. */
static size_t place(const struct npu_packed *s, size_t group_step, u32 channel, size_t k)
{
	return channel / NPU_GROUP * group_step + npu_thin_place(s->key.taps, channel % NPU_GROUP, k);
}

/* A channel's row at `from`, those of its tap at (ky, kx) side by side. */
static size_t plain_at(const struct npu_packed *s, u32 ky, u32 kx)
{
	const struct npu_weights_shape *sh = &s->key.shape;

	return sh->depthwise ? ky * (s->row / sh->kh) + kx : ((size_t)ky * sh->kw + kx) * sh->id;
}

static void spread_channel(const struct npu_packed *s, size_t group_step, u32 channel, u32 pixel, const u8 *plain)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	const size_t bytes = s->key.taps == 4 ? sizeof(i8) : sizeof(i16);
	const u32 each = sh->depthwise ? 1 : sh->id;

	for (u32 ky = 0; ky < sh->kh; ky++)
		for (u32 kx = 0; kx < sh->kw; kx++) {
			const size_t from = plain_at(s, ky, kx);
			const size_t to = ((size_t)ky * s->key.wide + kx + (size_t)pixel * s->key.apart) * inputs(sh) + (sh->depthwise ? channel : 0);
			for (u32 i = 0; i < each; i++)
				memcpy((u8 *)s->weights + bytes * place(s, group_step, pixel * sh->od + channel, to + i),
				       plain + bytes * place(s, s->group_step, channel, from + i), bytes);
		}
}

bool npu_abreast_weights(struct npu_packed *s)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	const size_t row = npu_abreast_row(&s->key), groups = (sh->od + NPU_GROUP - 1) / NPU_GROUP;
	const size_t bytes = groups * s->group_step * (s->key.taps == 4 ? sizeof(i8) : sizeof(i16));
	u8 *const plain = malloc(bytes);

	if (!plain)
		return false;
	memcpy(plain, s->weights, bytes);
	memset(s->weights, 0, bytes);
	for (u32 p = 0; p < s->key.abreast; p++)
		for (u32 c = 0; c < sh->od; c++)
			spread_channel(s, row * NPU_GROUP, c, p, plain);
	free(plain);
	s->row = row;
	s->group_step = row * NPU_GROUP;
	return true;
}

/* ---- operations ---- */

static bool may_be_abreast(const struct npu_op *op)
{
	const bool depthwise = op->kind == NPU_DEPTHWISE;

	return !op->abreast.pixels && !op->phase && !op->upscale && op->ofm.depth <= MOST_CHANNELS && op->ofm.width > 1 &&
	       op->ofm.height * (u64)op->ofm.width >= LEAST_RESULTS && op->ofm.bytes <= sizeof(i32) && !op->ifm.tiled && !op->ofm.tiled &&
	       op->dilation_x == 1 && !op->u85.weights_ifm2 && !op->u85.acc_output_off &&
	       (depthwise ? op->ifm.depth == op->ofm.depth : op->kernel_w > 1 || op->ifm.depth < MOST_POINTWISE) && op->ifm.height && op->ifm.width;
}

/* How wide the kernel for so many pixels is: bytes go four at a time, line by line. */
static u32 wide_kernel(const struct npu_op *op, u32 pixels, u32 taps)
{
	u32 wide = op->kernel_w + (pixels - 1) * op->stride_x;

	while (taps == 4 && wide * op->ifm.depth % 4)
		wide++;
	return wide;
}

/* Whether a map's pixels are neither one behind the other nor whole bricks. */
static bool lies_apart(const struct npu_fm *fm)
{
	return fm->stride_x != (i64)fm->depth * fm->bytes && fm->depth % NPU_GROUP;
}

/* What bringing the lines of a field together takes, where they become words. */
static u32 lines_cycles(const struct npu_op *op, const struct npu_simd *simd, u32 width, u32 taps)
{
	const u32 line = width * op->ifm.depth;
	const bool bricks = simd->bricks_of_fields && op->ifm.bytes == 1 && op->kernel_h == NPU_BRICK_LINES && line * NPU_BRICK_LINES <= 2 * NPU_GROUP;

	if (op->kind != NPU_CONV || taps != 2 || op->kernel_h * op->kernel_w == 1 || bricks)
		return 0;
	return WORDS * op->kernel_h * ((line + NPU_GROUP - 1) / NPU_GROUP);
}

/* Cycles of so many pixels at a time, by a kernel of that width. */
static u32 cycles_of(const struct npu_op *op, u32 pixels, u32 width, u32 taps, u32 lanes)
{
	const u32 vectors = (pixels * op->ofm.depth + lanes - 1) / lanes;

	const u32 steps = (op->kernel_h * width * op->ifm.depth + taps - 1) / taps * (taps == 4 ? op->ifm.bytes : 1);

	return PIXEL + vectors * (VECTOR + steps * 3 / 4);
}

static u32 plain_cycles(const struct npu_op *op, const struct npu_simd *simd, u32 taps, u32 lanes)
{
	const bool pointwise = op->kernel_h * op->kernel_w == 1;

	if (op->kind == NPU_CONV)
		return cycles_of(op, 1, op->kernel_w, taps, lanes) + lines_cycles(op, simd, op->kernel_w, taps) - (taps == 4 && op->ifm.bytes == 1 && (op->ifm.depth % 4 == 0 || (pointwise && lies_apart(&op->ifm))) ? BYTES_LESS : 0);
	if ((op->ifm.bytes == 1 ? simd->window_rows != NULL : simd->window_words != NULL) && op->kernel_h == 3 && op->kernel_w == 3)
		return WINDOW;
	return LINE + SET * op->kernel_h * ((op->kernel_w + taps - 1) / taps);
}

static u32 lanes_of(const struct npu_kernels *k)
{
	return k->simd->gemm_u8 ? NPU_GROUP : NPU_GROUP / 2;
}

u32 npu_abreast_plain_cycles(const struct npu_kernels *k, const struct npu_op *op)
{
	return plain_cycles(op, k->simd, npu_mac_taps(k, op), lanes_of(k)) * MOST_PIXELS;
}

/* How many pixels take the least time; 1: none do that pays. */
static u32 best_pixels(const struct npu_kernels *k, const struct npu_op *op)
{
	const u32 taps = npu_mac_taps(k, op), lanes = lanes_of(k);

	if (!taps)
		return 1;
	const u32 moves = APART * (lies_apart(&op->ifm) + lies_apart(&op->ofm));
	u32 best = 1, least = plain_cycles(op, k->simd, taps, lanes) * MOST_PIXELS * 3 / 4; /* of as many pixels each */

	for (u32 n = 2; n <= MOST_PIXELS && n <= op->ofm.width && n * op->ofm.depth <= NPU_GROUP && n * op->stride_x <= UINT8_MAX; n++) {
		const u32 width = wide_kernel(op, n, taps), each = cycles_of(op, n, width, taps, lanes) + lines_cycles(op, k->simd, width, taps);
		const u32 cycles = each * MOST_PIXELS / n + moves * MOST_PIXELS;
		if (cycles < least && (u64)width * op->kernel_h * op->ifm.depth <= MOST_ROW) {
			best = n;
			least = cycles;
		}
	}
	return npu_few_cycles(k, op) < least ? 1 : best;
}

/* The wide operation, to where its results lie or, rows filled up to whole wide pixels, to memory of its own. */
static void widen(struct abreast *a, const struct npu_op *op, u32 pixels, u32 taps)
{
	struct npu_fm *const to = &a->op.ofm;
	const u32 depth = op->ofm.depth, wide = (op->ofm.width + pixels - 1) / pixels;
	const i64 pixel = (i64)depth * op->ofm.bytes;

	a->plain = op;
	a->op = *op;
	a->apart = lies_apart(&op->ofm) || op->ofm.width % pixels;
	a->op.abreast.pixels = (u8)pixels;
	a->op.abreast.stride = op->stride_x;
	a->op.abreast.kernel_w = op->kernel_w;
	a->op.kernel_w = wide_kernel(op, pixels, taps);
	a->op.stride_x = (u8)(op->stride_x * pixels);
	to->width = to->width0 = wide;
	to->depth = depth * pixels;
	to->format = NPU_NHWC;
	to->stride_c = op->ofm.bytes;
	to->stride_x = pixel * pixels;
	to->stride_y = a->apart ? to->stride_x * wide : op->ofm.stride_y;
}

static bool place_results(struct abreast *a, struct npu_kernels *k)
{
	a->view = *a->to;
	if (!a->apart)
		return true;
	a->view.ofm[0] = npu_scratch(&k->abreast, a->op.ofm.height * (size_t)a->op.ofm.stride_y);
	return a->view.ofm[0] != NULL;
}

static void put_results(const struct abreast *a)
{
	const struct npu_fm *ofm = &a->plain->ofm;
	const size_t pixel = (size_t)ofm->depth * ofm->bytes;

	for (u32 y = 0; a->apart && y < ofm->height && !npu_given_up(a->to); y++) {
		const u8 *const from = a->view.ofm[0] + y * a->op.ofm.stride_y;
		u8 *const to = a->to->ofm[0] + y * ofm->stride_y;
		if (lies_apart(ofm))
			npu_copy_runs(to, ofm->stride_x, from, (i64)pixel, ofm->width, pixel);
		else
			memcpy(to, from, ofm->width * pixel);
	}
}

static bool run_again(struct npu_kernels *k, void *room)
{
	struct abreast *a = room;

	if (!place_results(a, k) || !a->run(k, a->ctx))
		return false;
	put_results(a);
	return true;
}

/* What the convolution has left is done within this, or for itself. */
static void keep(struct npu_kernels *k, struct abreast *a)
{
	if (!k->again || !k->again->run)
		return;
	a->run = k->again->run;
	a->ctx = k->again->ctx;
	npu_again_keep(k, a, run_again);
}

bool npu_fast_abreast(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	const u32 pixels = may_be_abreast(op) ? best_pixels(k, op) : 1;

	if (pixels == 1)
		return false;
	struct abreast *const room = npu_again_room(k, sizeof(*room)), own, *const a = room ? room : &own;
	struct npu_again *const again = k->again;
	widen(a, op, pixels, npu_mac_taps(k, op));
	a->to = view;
	k->again = room ? again : NULL;
	const bool done = place_results(a, k) && npu_fast_conv(k, &a->op, &a->view);
	if (done) {
		put_results(a);
		keep(k, a);
	}
	k->again = again;
	return done;
}
