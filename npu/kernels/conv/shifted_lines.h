/* SPDX-License-Identifier: Apache-2.0 */
/* Input rows of depthwises of few channels (shifted.h). They become lines of pairs, what two neighbouring taps meet side by side, each once, and stay in
 * a ring. Where neighbouring results are more than one pixel apart in the map each line of pixels that far apart is one of its own. Not for use elsewhere.
 *
 * Pixels are filled up to a power of two, so that all groups of 16 elements have the same weights and scales: as if they were one pixel of 16 channels.
 *
 * Of convolutions a line has one input of all pixels. Pairs are two inputs of a tap, or the last of one and the first of the next. */
#ifndef NPU_KERNELS_SHIFTED_LINES_H
#define NPU_KERNELS_SHIFTED_LINES_H

#include "npu/kernels/conv/mac.h"

#define NPU_SHIFTED_TERMS 1024 /* pairs of taps of rows that are done together, at most */
#define NPU_SHIFTED_OUTPUTS 8
#define NPU_PAIR (2 * sizeof(i16))

struct shifted {
	struct npu_mac mac;
	struct npu_op wide;   /* with pixels of 16 channels, which those of several are */
	struct npu_channels channels; /* theirs */
	NPU_LINE i32 start[NPU_SHIFTED_OUTPUTS][NPU_GROUP], whole[NPU_GROUP];
	struct npu_rescale rescale;
	struct npu_sink sink; /* and theirs */
	u32 pixel, in_pixel;  /* elements of one result, filled up, and of a pixel of a line */
	u32 inputs, outputs;  /* of convolutions, whose lines have one channel each; 1 */
	u32 spread;           /* groups of results that one of a line becomes */
	u32 sets, pairs;      /* of elements along a row of the kernel; lines of pairs that they need */
	u32 line, paired;     /* elements of a line of pixels, and of pairs, filled up */
	u32 shift;            /* elements from a set to the next one where one line of pairs has all */
	u32 groups;           /* of a row of a line */
	u32 rows, slots;      /* rows done together; lines kept */
	u32 terms;            /* that are not all zeros, as those between the taps of a dilated kernel are */
	unsigned parts;
	bool direct;          /* results of a row are whole groups side by side */
	bool *used;           /* of all pairs: is it one of the terms? */
	i16 *weights;         /* [outputs][terms][16][2] */
	u8 *memory;
	size_t each;          /* bytes of it for each thread */
};

/* What a thread works with. */
struct shifted_lines {
	const struct shifted *f;
	u8 *bytes;       /* elements of a row that lie apart, brought together */
	i16 *line;       /* one for each pixel up to the stride, of each input */
	u8 *ring;
	u8 *results;     /* of rows */
	i32 *held;       /* row in each slot */
};

/* Sizes, once the gather, `wide` and `pixel` are known; false: they are too large. */
bool npu_shifted_lines_plan(struct shifted *f);
/* The lines of one thread, of which nothing is there yet, in its f->each bytes. */
void npu_shifted_lines_place(struct shifted_lines *l, const struct shifted *f, u8 *memory);
/* Where the pairs that output row y is made of begin, f->terms of them. */
void npu_shifted_lines_terms(const struct shifted_lines *l, u32 y, const u8 **term);

/* Bytes of a row of results, as they are before they are brought apart. */
static inline size_t npu_shifted_result_bytes(const struct shifted *f)
{
	return (size_t)f->groups * f->spread * NPU_GROUP * f->mac.op->ofm.bytes;
}

#endif
