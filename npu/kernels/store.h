/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is taken piece by piece and given back as a whole. Starts small; what is large
 * comes in huge pages, because a first inference otherwise spends as long in page faults as
 * in decoding its weights. */
#ifndef NPU_KERNELS_STORE_H
#define NPU_KERNELS_STORE_H

#include "memory/types.h"

struct npu_store_chunk;

struct npu_store {
	struct npu_store_chunk *chunks; /* newest first */
	size_t bytes;                   /* taken */
	size_t expected;                /* to be taken in all, as far as anybody knows */
};

/* `bytes` zeroed bytes at a multiple of 64; NULL when memory is short. */
void *npu_store_take(struct npu_store *s, size_t bytes);

/* Whether so many are there without asking the host for more. */
bool npu_store_has(const struct npu_store *s, size_t bytes);
void npu_store_clear(struct npu_store *s);

#endif
