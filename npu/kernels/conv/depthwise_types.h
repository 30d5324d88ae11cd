/* SPDX-License-Identifier: Apache-2.0 */
/* What the inner loops of depthwises are given (simd.h). */
#ifndef NPU_KERNELS_DEPTHWISE_TYPES_H
#define NPU_KERNELS_DEPTHWISE_TYPES_H

#include "memory/types.h"

struct npu_narrow8;
struct npu_narrow16;
struct npu_rescale;

#define NPU_WINDOW_ROOM 2048

/* A group of channels of a depthwise to bytes. */
struct npu_depthwise8 {
	const void *weights; /* as npu_packed has them: i8 or, where a level multiplies two at a time, i16 */
	const i32 *start;
	const struct npu_rescale *rescale;
	const struct npu_narrow8 *narrow;
	i64 offset; /* of the group in the target */
};

/* Neighbouring taps of rows of 16 channels that lie as bricks, four in a set. */
struct npu_row_taps {
	u32 sets;
	i32 first;     /* position of the first tap */
	u32 in_width;  /* pixels of a row */
	u8 flip, pad;  /* as in npu_gather */
};

#define NPU_WINDOW_ROWS 16

/* Output rows of a depthwise of up to 3x3 taps, wherever pixels lie: groups of 16 channels, or one of fewer. */
struct npu_window_rows {
	const u8 *row[2 * NPU_WINDOW_ROWS + 1]; /* input rows of the first group, `stride` for an output row and then the rest of three; NULL: padding */
	u8 *to[NPU_WINDOW_ROWS]; /* of all groups */
	u32 rows;
	i64 step, to_step; /* bytes from pixel to pixel */
	u32 groups;
	i64 group_from, group_to; /* bytes from group to group, of input and output rows */
	size_t group_weights;
	u32 in_width;      /* pixels of input rows */
	i32 first;         /* position of the first tap */
	u32 apart;         /* positions from tap to tap */
	u32 width;         /* output pixels */
	u8 lines;          /* rows of the kernel, each with up to three taps; three where taps are apart */
	u8 stride;         /* 1 or 2 */
	u8 channels;
	u8 flip, pad;      /* as in npu_gather */
};

/* One or two output rows of a 3x3 depthwise over 16 channels that lie as bricks, on levels without products of bytes. */
struct npu_window {
	const u8 *row[4]; /* input rows of the group, as many as are needed: stride 2 goes with one output row */
	u32 in_width;     /* pixels of these */
	i32 first;        /* position of the first tap */
	u32 width;        /* output pixels */
	u8 stride;        /* 1 or 2 */
	u8 flip, pad;     /* as in npu_gather */
	u8 *to[2];        /* NULL: one row */
	void *room;       /* NPU_WINDOW_ROOM bytes, a vector's boundary: what depends on the group alone, to be kept for its next rows */
	bool ready;       /* it is there */
};

/* The same of int16 to int16: pixels may lie apart, `channels` of them are meant. Sums have 32 bits, the zero points are 0, and rounding does
 * not depend on the sign. */
struct npu_window_words {
	const u8 *row[4]; /* as many as are needed; NULL: padding */
	i64 step;         /* from pixel to pixel */
	u32 in_width;
	i32 first;
	u32 width;
	u8 stride, channels;
	u8 *to[2];
	i64 to_step;
	const i16 *weights; /* as npu_packed has them */
	const i32 *start;
	const struct npu_rescale *rescale;
	const struct npu_narrow16 *narrow;
};

#endif
