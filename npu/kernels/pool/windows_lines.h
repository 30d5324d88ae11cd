/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool row by row, whatever the channels: those of a row's pixels lie side by side, so that few of them fill vectors as well as
 * many do. U55/U65 and U85. */
#ifndef NPU_KERNELS_WINDOWS_LINES_H
#define NPU_KERNELS_WINDOWS_LINES_H

#include "npu/kernels/conv/sink.h"

struct npu_team;

struct npu_windows_lines {
	const struct npu_op *op; /* mode MAX or MIN; else sums */
	const struct npu_view *view;
	const struct npu_simd *simd;
	struct npu_team *team; /* shares large ones; NULL: nobody does */
	/* In place: n sums or extremes of `count` stored elements each, as these are, to those without zero points, divided where averages are. */
	void (*divide)(const struct npu_windows_lines *w, u32 count, i32 *v, size_t n);
	/* n <= NPU_ROW results of these, element by element `stride` bytes apart; they are overwritten. v has room up to a multiple of 16. */
	void (*finish)(const struct npu_windows_lines *w, i32 *v, size_t n, u8 *to, i64 stride);
	/* Where channels have scales of their own, instead: results go to `sink`, with `bias` added unless that is NULL. Else NULL. */
	const struct npu_sink *sink;
	const i32 *bias;
	const void *ctx;
};

struct npu_lines_axis {
	u32 outputs, stride, taps, dilation, size;
	i32 before;
};

/* Windows of an axis that have all of its taps. */
struct npu_lines_inside {
	u32 inside, behind; /* from one to the other */
};

/* How an operation is done by rows. */
struct npu_lines {
	const struct npu_windows_lines *w;
	struct npu_lines_axis y, x;
	i64 from_x, to_x; /* from pixel to pixel */
	u32 group;        /* channels of a plane: all, or as many sixteens */
	enum npu_line_way way;
	bool is_long;     /* the taps of a row are more than a line */
	bool doubled;     /* the map's rows and pixels count twice */
	u32 at_a_time;    /* pixels */
	u32 band;         /* rows, of which each is one of these */
	struct npu_lines_inside right, down;
	unsigned parts;
};

/* The whole operation; false: it is another one, and nothing has been written. Elements have one or two bytes, sums 31 bits, and no window
 * lies in the padding alone. */
bool npu_pool_lines(const struct npu_windows_lines *w);
/* In two steps, the second of which may be done again and again. */
bool npu_lines_init(struct npu_lines *l, const struct npu_windows_lines *w);
void npu_lines_run(const struct npu_lines *l);

/* The same of operations with one window for each channel, by groups of channels: what there is of several is finished together, and nothing is
 * made for each channel before. */
bool npu_pool_whole(const struct npu_windows_lines *w);

/* The same of maxima of bytes that have one window of many rows for each column. */
bool npu_pool_tall(const struct npu_windows_lines *w);

/* Whether lines take less time than windows_bytes.h, too: sums, whose results it would look up one by one, where vectors are wide or
 * channels few, and few channels in rows of one window each, or of one at every pixel if they are one or two in bricks, which vectors of bytes take as they
 * are. */
static inline bool npu_pool_lines_first(const struct npu_op *op, const struct npu_simd *simd)
{
	const bool few = op->ofm.depth < NPU_GROUP, thin = op->ofm.depth <= 2 && op->ifm.stride_x == NPU_GROUP && simd->few_bytes <= NPU_GROUP;
	const bool every = op->stride_x == 1 && op->stride_y == 1;

	return op->mode != NPU_POOL_MAX ? few || !simd->sum_taps : few && (op->ofm.width == 1 || (thin && every));
}

#endif
