/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of U85 values: scaling in every rounding mode, the output stage, stores. */
#ifndef NPU_KERNELS_U85_ROWS_H
#define NPU_KERNELS_U85_ROWS_H

#include "npu/kernels/rows/rows.h"
#include "npu/kernels/u85/rounding.h"

/* One scaling, prepared. */
struct npu85_stage {
	struct npu85_scale scale;
	struct npu85_rounding rounding;
	struct npu_rescale lanes;
	struct npu_rescale_signs signs;
	i64 limit;  /* values up to this magnitude are done in 64 bits */
	bool none;  /* changes nothing */
	bool fast;  /* `lanes` holds; not of what changes nothing or is a shift */
	bool by_sign; /* `signs` holds instead: the rounding has other constants than `lanes` can have */
	u8 up;      /* above 0: either holds for values that are shifted left by so much, as scales of half and more want them */
	bool room;  /* there is room for that whatever the values */
	bool shifts; /* where it is `fast`: (v + (v < 0 ? minus : plus)) >> down */
	i32 plus, minus;
	u8 down;
	u8 left;    /* a shift to the left is all there is to it */
	bool parts; /* small values: v * whole + ((v * part + (v < 0 ? plus : minus)) >> shift), with the constants of `rounding` */
	i32 whole, part;
};

#define NPU85_MOST_UP 12

/* Of 16 values, the last of which may have fewer. */
static inline size_t npu85_vectors(size_t n)
{
	return (n + NPU_GROUP - 1) / NPU_GROUP;
}

void npu85_stage_init(struct npu85_stage *s, struct npu85_scale scale); /* chooses the fastest exact form */
/* npu85_scale_round() of every value, in place. */
void npu85_stage_run(const struct npu85_stage *s, const struct npu_simd *simd, i64 *v, size_t n);
/* The same for values below 2^30 in magnitude, 2^31 where it is not `fast`, and results below 2^30; v has room up to a multiple of 16. */
void npu85_stage_run32(const struct npu85_stage *s, const struct npu_simd *simd, i32 *v, size_t n);
/* The scaling of bytes whose magnitude without the zero point is at most `reach` as that of an operand
 * of npu_simd.add8; false: it has no such form. Values below 2^31, as npu85_stage_small() says. */
bool npu85_stage_bytes(const struct npu85_stage *s, i64 reach, struct npu_operand8 *o);
/* True when what it makes of magnitudes up to `reach` stays below 2^30; `small`: they as well. */
bool npu85_stage_fits(const struct npu85_stage *s, i64 reach);
bool npu85_stage_small(const struct npu85_stage *s, i64 reach);

/* Elements of 1 to 8 bytes minus zero point. */
void npu85_row_load(const struct npu_fm *fm, const u8 *p, i64 stride, size_t n, i64 *out);

/* Output stage of one operation. */
struct npu85_out {
	const struct npu_op *op; /* ofm: where the values go */
	const struct npu_simd *simd;
	const u8 *table;         /* of the tables memory */
	struct npu_narrow8 narrow;
	bool narrow_valid;       /* 8-bit OFM, clip, no table or one of bytes */
	bool halves;             /* int16 OFM, clip */
	bool words;              /* int32 OFM, no table */
	bool longs;              /* OFM of 8 bytes, values as they are */
	bool curves;             /* int16 OFM, a table that interpolates */
	bool raw;                /* accumulators: stored as they are */
	u8 bytes[256];           /* byte table by stored byte */
};

/* Pointers into `o` are kept: it must not move afterwards. */
void npu85_out_init(struct npu85_out *o, const struct npu_simd *simd, const struct npu_op *op,
		    const struct npu_view *view);
/* Later: the table of bytes as it is now. True: as it was. */
bool npu85_out_again(struct npu85_out *o);
/* Zero point, table, clip, store. v is overwritten. */
void npu85_row_store(const struct npu85_out *o, i64 *v, size_t n, u8 *p, i64 stride);
/* |v| < 2^30; room up to a multiple of 16. */
void npu85_row_store32(const struct npu85_out *o, i32 *v, size_t n, u8 *p, i64 stride);

/* Low `bytes` bytes of values to memory. */
void npu_row_put(const i64 *v, size_t n, unsigned bytes, u8 *p, i64 stride);
/* Elements as they are. */
void npu_row_copy(unsigned bytes, const u8 *from, i64 from_stride, u8 *to, i64 to_stride, size_t n);
/* Bytes through a table of 256 elements of `bytes` bytes. */
void npu_row_look_up(const struct npu_simd *simd, const u8 *table, unsigned bytes, const u8 *from, i64 from_stride, u8 *to, i64 to_stride,
		     size_t n);

#endif
