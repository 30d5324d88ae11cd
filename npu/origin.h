/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory holds copies of constants: compilers let DMA bring weights to faster memory. Where
 * nobody else can write while a job runs, such a copy is known by what it was copied from, and its
 * bytes need not be compared with what is known of them. */
#ifndef NPU_ORIGIN_H
#define NPU_ORIGIN_H

#include "npu/view.h"

#define NPU_ORIGINS 16

struct npu_origins {
	struct npu_origin {
		u64 first, bytes; /* bus address of the copy; bytes 0: free */
		const u8 *from;
		u64 constant;     /* bytes from there on that never change */
	} entry[NPU_ORIGINS];
	unsigned next; /* to be replaced when all are in use */
	unsigned used; /* entries, the first ones */
};

/* Nothing is known: a job starts. */
void npu_origins_clear(struct npu_origins *o);

/* [first, first + bytes) was written by something else than a copy. */
void npu_origins_wrote(struct npu_origins *o, u64 first, u64 bytes);

/* A DMA operation has been done; its destination has been reported as written before. */
void npu_origins_copied(struct npu_origins *o, const struct npu_dma *d, const struct npu_view *view,
			const struct npu_memory *m);

/* A guess at an operation that is to come: its destination will hold what is at `from` now, `constant` bytes of which never
 * change. */
void npu_origins_expect(struct npu_origins *o, const struct npu_dma *d, const u8 *from, u64 constant);

/* Streams of weights and scales of the view that are copies become what they are copies of. */
void npu_origins_apply(const struct npu_origins *o, const struct npu_op *op, struct npu_view *view);

#endif
