/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the depthwise kernel share. Not for use by others. */
#ifndef NPU_KERNELS_DEPTHWISE_H
#define NPU_KERNELS_DEPTHWISE_H

#include "npu/kernels/conv/mac.h"

struct depthwise {
	struct npu_mac mac;
	struct npu_columns columns;
	unsigned taps, bytes; /* per multiply; of a panel element */
	u32 sets;             /* of taps along x */
	u32 rows;             /* of the padded map, when all are expanded together, else 0 */
	u32 part;             /* pixels of a row done together */
	u32 first, end;       /* output rows that are done */
	u32 slots;            /* ring: lines kept, a power of two */
	size_t set_bytes;     /* from set to set */
	size_t line_bytes;    /* from `line` to `expanded` */
	size_t lines_bytes;   /* of all three */
	u8 *line, *expanded;
	i32 *held;            /* upscaled row in each slot */
	bool line_only;       /* depthwise_line.h: nothing below counts */
	bool whole;           /* the only pixel's rows are read where they lie */
	bool down;            /* rows of bytes are done from memory to memory, wherever pixels lie */
	bool window;          /* rows of bytes are done from memory to memory, padding is in `line` */
	bool words;           /* rows of int16 are */
	u8 *last, *results;   /* window of fewer than 16 channels: the last row, whose end may be the memory's; two rows */
};

/* A group of channels of an operation on bytes. */
struct npu_depthwise8 npu_depthwise_group(const struct depthwise *d, u32 group);

/* 3x3 kernels from memory to memory (depthwise_window.c): whether they may be; once, after npu_mac_start(). */
void npu_depthwise_window_init(struct depthwise *d);
/* Results of one pixel (depthwise_whole.c): whether its groups may be such; once, after npu_mac_start(). */
void npu_depthwise_whole_init(struct depthwise *d);
/* A group's; false: it is none for that, nothing is done. */
bool npu_depthwise_whole(const struct depthwise *d, u32 group, unsigned channels);

/* All rows of channel groups from `group` on, before `end`; of how many: 0 where that one is none for that. */
u32 npu_depthwise_down(const struct depthwise *d, u32 group, u32 end);
/* All rows of a group; false: it is none for that, nothing is done. `direct`: its bytes are stored as they are. */
bool npu_depthwise_window(const struct depthwise *d, u32 group, unsigned channels, bool direct);

#endif
