/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of maxima, of elements as they are stored: along rows of one channel, else of many windows at once, tap by tap. */
#include "npu/kernels/fm.h"
#include "npu/kernels/move/copy.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/pool.h"

#define LONG_ROW 16 /* taps side by side, of which hosts without npu_simd.places find the largest first */

struct places {
	const struct npu85_job *j;
	struct npu85_flow *f;
	u32 taps;
	u32 lines, windows; /* windows of a line follow each other in the results */
	i64 tap, next;      /* bytes from tap to tap, from window to window of a line */
};

/* Taps of the one channel lie side by side. */
static bool is_row(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;

	return op->mode == NPU_POOL_ARGMAX_X && op->ofm.depth == 1 && (op->ifm.is_signed || j->k->simd->places) && op->ifm.stride_x * op->dilation_x == op->ifm.bytes;
}

bool npu85_pool_has_places(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const bool x = op->mode == NPU_POOL_ARGMAX_X && op->kernel_h == 1, y = op->mode == NPU_POOL_ARGMAX_Y && op->kernel_w == 1;
	const u32 taps = x ? op->kernel_w : op->kernel_h, most = op->ifm.bytes == 1 && !(is_row(j) && j->k->simd->places) ? UINT8_MAX : UINT16_MAX;

	return (x || y) && op->ifm.bytes <= 2 && taps <= most && !op->upscale && !op->ifm.tiled && !op->ifm.stacked && !op->pad_left && !op->pad_right &&
	       !op->pad_top && !op->pad_bottom && (j->k->simd->places || !is_row(j) || taps < LONG_ROW);
}

/* n elements of each tap, of `runs` windows. As all may lie at the same place for the compiler, what its loops look at is their own. */
#define MOST_OF(NAME, T, P) \
static void NAME(const struct places *p, const u8 *from, u32 runs, u32 n, i32 *most, u32 *place) \
{ \
	T best[NPU_ROW], e[NPU_ROW]; \
	P at[NPU_ROW] = { 0 }; \
	const size_t run = n / runs * sizeof(T); \
	npu_copy_runs((u8 *)best, (i64)run, from, p->next, runs, run); \
	for (u32 t = 1; t < p->taps; t++) { \
		from += p->tap; \
		npu_copy_runs((u8 *)e, (i64)run, from, p->next, runs, run); \
		for (u32 i = 0; i < n; i++) { \
			at[i] = e[i] > best[i] ? (P)t : at[i]; \
			best[i] = e[i] > best[i] ? e[i] : best[i]; \
		} \
	} \
	for (u32 i = 0; i < n; i++) { \
		most[i] = best[i]; \
		place[i] = at[i]; \
	} \
}
MOST_OF(most_of_i8, i8, u8)
MOST_OF(most_of_u8, u8, u8)
MOST_OF(most_of_i16, i16, u16)
MOST_OF(most_of_u16, u16, u16)
#undef MOST_OF

static void put_windows(const struct places *p, const u8 *from, u32 windows, u32 channels)
{
	const struct npu_fm *ifm = &p->j->op.ifm;
	const u32 n = windows * channels, runs = p->next == (i64)channels * ifm->bytes ? 1 : windows;
	i32 most[NPU_ROW];
	u32 place[NPU_ROW];
	i64 v[NPU_ROW];

	if (p->f->simd->places && is_row(p->j))
		p->f->simd->places(ifm->bytes, ifm->is_signed, from, p->next, n, p->taps, most, place);
	else if (ifm->bytes == 1)
		(ifm->is_signed ? most_of_i8 : most_of_u8)(p, from, runs, n, most, place);
	else
		(ifm->is_signed ? most_of_i16 : most_of_u16)(p, from, runs, n, most, place);
	for (u32 i = 0; i < n; i++)
		v[i] = (i64)place[i] * 65536 | ((most[i] - ifm->zero_point) & 0xffff);
	npu85_flow_put_row(p->f, v, n);
}

/* Channels that do not lie side by side, of one window. */
static void put_groups(const struct places *p, const u8 *from)
{
	const struct npu_fm *ifm = &p->j->op.ifm;
	const u32 most = ifm->format == NPU_NHWC ? NPU_ROW : NPU_GROUP;

	for (u32 c = 0, n; c < ifm->depth; c += n) {
		n = ifm->depth - c < most ? ifm->depth - c : most;
		put_windows(p, from + c / NPU_GROUP * npu_fm_stride_group(ifm), 1, n);
	}
}

void npu85_put_places(struct npu85_flow *f, const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu_fm *ifm = &op->ifm;
	const bool x = op->mode == NPU_POOL_ARGMAX_X, column = op->ofm.width == 1;
	const struct places p = {
		.j = j,
		.f = f,
		.taps = x ? op->kernel_w : op->kernel_h,
		.lines = column ? 1 : op->ofm.height,
		.windows = column ? op->ofm.height : op->ofm.width,
		.tap = x ? ifm->stride_x * op->dilation_x : ifm->stride_y * op->dilation_y,
		.next = column ? ifm->stride_y * op->stride_y : ifm->stride_x * op->stride_x,
	};
	const u32 most = ifm->depth <= (ifm->format == NPU_NHWC ? NPU_ROW : NPU_GROUP) ? NPU_ROW / ifm->depth : 0;

	for (u32 y = 0; y < p.lines; y++)
		for (u32 w = 0, n; w < p.windows && !npu_given_up(&j->view); w += n) {
			const u8 *from = npu_fm_pixel(ifm, j->view.ifm, y * op->stride_y, 0) + w * p.next;
			n = !most ? 1 : p.windows - w < most ? p.windows - w : most;
			if (most)
				put_windows(&p, from, n, ifm->depth);
			else
				put_groups(&p, from);
		}
}
