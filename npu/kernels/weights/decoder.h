/* SPDX-License-Identifier: Apache-2.0 */
/* State of the fast weight decoder between slices. Not for use outside npu/kernels/. */
#ifndef NPU_KERNELS_WEIGHTS_DECODER_H
#define NPU_KERNELS_WEIGHTS_DECODER_H

#include "npu/kernels/weights/weights.h"

#define SLICE_MAX 32768
#define LANES_SLACK 32
#define COPIED 256 /* bytes that are copied whether they are wanted or not */
#define INDEX_LIMIT 512
#define SEGMENT 256 /* chunks whose quotients are read before their remainders */
#define LONG_SEGMENT 1024 /* the same of vectors, whose loops take long to begin and to end */

struct npu85_fast;

struct npu_weights_decoder {
	const struct npu_weights_tables *tables;
	const u8 *data;
	u64 pos, end;            /* bits */

	/* the slice's header and the palette in force */
	u32 zdiv, wdiv, count, width;
	bool truncated, zero_runs, leading_run, uncompressed;
	u32 palette_entries, palette_width, offset;
	i16 map[INDEX_LIMIT];    /* index to weight, where there are entries */

	/* a slice with zero runs of which not all has been delivered (`left`): weight `next`
	 * comes after `zeros` zeros */
	u64 zeros;
	u32 next;
	bool left;
	bool narrow;             /* bytes are wanted */
	bool sparse;             /* of the runs only those longer than 0 are kept, in run[] */
	u32 listed, list_at;     /* of run[]; next one */

	const struct npu85_fast *fast; /* U85's other format: decoder `stream`, `pos` in weights */
	unsigned stream;

	u16 any;                                /* the bits of all of the slice's indices */
	u16 bits;                               /* of all weights: npu_weights_decoder_bits() */
	bool bytes;                             /* the slice's weights in value[] are bytes already */
	u32 ready;                              /* how many of value[] are weights already */
	u16 value[SLICE_MAX + COPIED / 2];      /* indices, then weights */
	u16 zero[SLICE_MAX + LANES_SLACK];      /* runs; leading one first */
	i16 expanded[SLICE_MAX + COPIED / 2];   /* weights and zeros */
	u32 run[SLICE_MAX / 4];                 /* number << 16 | length */
};

/* Vectors of equal bytes. */
extern const struct npu_weights_bytes {
	u8 one[64], seven[64], magnitude[64], low[6][64];
	u16 words[8]; /* of one */
} __attribute__((aligned(64))) npu_weights_bytes;

#endif
