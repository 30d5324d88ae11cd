/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of U85's resize share. Not for use by others. */
#ifndef NPU_KERNELS_U85_RESIZE_H
#define NPU_KERNELS_U85_RESIZE_H

#include "npu/kernels/row_level.h"
#include "npu/kernels/u85/job.h"
#include "npu/kernels/u85/rows.h"

/* Where an output lies between two inputs of one axis, clamped to the input. */
struct npu85_between {
	u32 first, second;
	i64 rest, n; /* rest / n of the way */
};

/* Of output `out`. At the edges of the input, where both are the same one, the way to the second is 0. */
struct npu85_between npu85_between_of(u32 out, i32 n, i32 d, i32 offset, u32 size, unsigned mode);
/* Whether a row of results is the one before. */
bool npu85_resize_repeats(const struct npu85_between *y, const struct npu85_between *before);

/* Nearest of bytes, through a table at most, and of int16 as they are: straight to where they belong. False: it is another operation, and nothing
 * is done. */
bool npu85_resize_nearest(struct npu85_job *j);

/* The scale of blended values whose 16 bits of fraction, all zero, are left out. False: values or results have more than 30 bits. */
bool npu85_resize_scale(const struct npu85_job *j, struct npu85_stage *scale);
/* Row y of the input, elements side by side; where they do not lie so they are brought to `room`. Rows are whole (npu_fm_splits_rows()). */
const u8 *npu85_resize_row(const struct npu85_job *j, u32 y, u8 *room);
/* Whether a row of results lies so in the OFM; else, and in any case: it is brought there. */
bool npu85_resize_is_row(const struct npu_fm *ofm);
void npu85_resize_put(const struct npu85_job *j, u32 y, const u8 *row);
/* Bilinear of bytes that a power of two scales (resize_bytes.c). False: it is another operation, and nothing is done. */
bool npu85_resize_bytes(struct npu85_job *j, const struct npu85_between *columns);
/* Bilinear of bytes and int16 in 32 bits (resize_words.c). False: as above. */
bool npu85_resize_words(struct npu85_job *j, const struct npu85_between *columns);

#endif
