/* SPDX-License-Identifier: Apache-2.0 */
/* From accumulators to memory: scaling, output stage and stores of one operation. */
#ifndef NPU_KERNELS_SINK_H
#define NPU_KERNELS_SINK_H

#include "npu/kernels/conv/channels.h"

/* How results are stored. */
struct npu_sink {
	const struct npu_simd *simd;
	const struct npu_op *op;
	const struct npu_channels *channels;
	struct npu_narrow8 narrow;
	bool u85;                   /* its scaling and output stage */
	bool raw;                   /* accumulators are stored as they are */
	bool unscaled;              /* accumulators are results already, below 2^30 */
	bool narrow_valid;          /* 8-bit OFM, clamp or byte table */
	bool late;                  /* bytes are looked up once a part of them is stored: `narrow` has no table then */
	bool narrow16_valid;        /* int16 OFM, clamp */
	bool pieces;                /* the same through a table of 512 pieces, once they are stored */
	bool whole;                 /* int32 OFM: the low words of sums times the channels' `whole` */
	struct npu_narrow16 narrow16;
	u8 table[256];              /* lookup by stored byte */
	const u8 *lut;              /* tables, doubled where they wrap, for npu_output_value() */
};

/* Zero point and clamp of the operation's OFM; false when the clamp is not one of bytes. */
bool npu_narrow_init(struct npu_narrow8 *n, const struct npu_op *op);

/* True when results are clamped to int16 and nothing else: `narrow16`. */
bool npu_sink_narrows16(const struct npu_op *op);

/* True when U85's results of int32 are stored as they are. */
bool npu_sink_is_plain32(const struct npu_op *op);
/* The same of any accelerator's. */
bool npu_sink_keeps32(const struct npu_op *op);

/* The 256 entries of a table, which begins with that of the lowest value, by stored byte. */
void npu_table_by_byte(u8 to[256], const u8 *table, bool is_signed);
/* The same of a table that may have changed. True: it has not. */
bool npu_table_follow(u8 by_byte[256], const u8 *table, bool is_signed);

/* Everything but the accumulators, from the operation; `c`: scaling of its channels, kept. */
void npu_sink_init(struct npu_sink *s, struct npu_kernels *k, const struct npu_op *op,
		   const struct npu_view *view, const struct npu_channels *c);

/* Whether npu_sink_again() is enough for the same operation on the same view: what else depends on tables is read where it is. */
bool npu_sink_lasts(const struct npu_sink *s, const struct npu_kernels *k);
/* Later: the table of bytes as it is now. True: as it was. */
bool npu_sink_again(struct npu_sink *s);

/* True when npu_sink_store() is store8() with the channels' scaling and nothing else. */
bool npu_sink_is_layer(const struct npu_sink *s);

/* Leaves the table of a layer to npu_sink_look_up(), on levels where bytes without one go from registers to memory. */
void npu_sink_postpone(struct npu_sink *s);
/* Where that is so: what the target's pixels have of channel groups `first` to `end` - 1 goes through the table. */
void npu_sink_look_up(const struct npu_sink *s, const struct npu_target *t, u32 first, u32 end);

/* Whether results are clamped to int16, from which a table of 512 pieces leads to others: where the level has a function for it. */
bool npu_sink_has_pieces(const struct npu_simd *simd, const struct npu_op *op);
/* Then: so many channels of the target's pixels, stored without the table, go through it. */
void npu_sink_look_up_pieces(const struct npu_sink *s, const struct npu_target *t, i64 offset, unsigned channels);

/* Sums are at most `reach`: bytes of small results may be estimated. */
void npu_sink_limit(struct npu_sink *s, u64 reach);

/* acc[][16], channel group `group`, to the target's pixels. acc is overwritten. */
void npu_sink_store(const struct npu_sink *s, i32 *acc, const struct npu_target *t, u32 group);
/* The same for accumulators that may have more than 32 bits, but no more than 40; those that are stored as they are may have 64. */
void npu_sink_store_wide(const struct npu_sink *s, i64 *acc, const struct npu_target *t, u32 group);
/* v[][16], accumulators that have been scaled, below 2^30. */
void npu_sink_put(const struct npu_sink *s, const i32 *v, const struct npu_target *t, u32 group);

/* The next n <= NPU_BATCH pixels of the OFM from *at on, counted along rows; *at moves on. */
void npu_target_next(struct npu_target *t, const struct npu_op *op, const struct npu_view *view,
		     struct npu_place *at, unsigned n);
unsigned npu_target_pixels(const struct npu_target *t);

#endif
