/* SPDX-License-Identifier: Apache-2.0 */
/* Growing store; see store.h. */
#include "npu/kernels/store.h"

#include <stdlib.h>
#include <string.h>

#include "memory/pages.h"

#define ALIGNMENT 64
#define FIRST_CHUNK ((size_t)64 << 10)

struct npu_store_chunk {
	struct npu_store_chunk *next;
	size_t used, size;
	u8 fill[ALIGNMENT - 2 * sizeof(size_t) - sizeof(void *)];
};

static struct npu_store_chunk *chunk_new(struct npu_store *s, size_t bytes)
{
	size_t size = s->bytes < FIRST_CHUNK ? FIRST_CHUNK : s->bytes; /* doubles the total */

	if (size > PAGES_HUGE)
		size = PAGES_HUGE;
	if (size < bytes + sizeof(struct npu_store_chunk))
		size = bytes + sizeof(struct npu_store_chunk);
	bool huge = size > PAGES_HUGE / 4;
	size_t unit = huge ? PAGES_HUGE : 4096;
	size = (size + unit - 1) / unit * unit;
	struct npu_store_chunk *c = aligned_alloc(unit, size);
	if (!c)
		return NULL;
	if (huge)
		pages_advise(c, size);
	*c = (struct npu_store_chunk){ .next = s->chunks, .used = sizeof(*c), .size = size };
	s->chunks = c;
	s->bytes += size;
	return c;
}

void *npu_store_take(struct npu_store *s, size_t bytes)
{
	struct npu_store_chunk *c = s->chunks;

	bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (!c || c->size - c->used < bytes)
		c = chunk_new(s, bytes);
	if (!c)
		return NULL;
	u8 *p = (u8 *)c + c->used;
	c->used += bytes;
	return memset(p, 0, bytes);
}

void npu_store_clear(struct npu_store *s)
{
	while (s->chunks) {
		struct npu_store_chunk *next = s->chunks->next;
		free(s->chunks);
		s->chunks = next;
	}
	s->bytes = 0;
}
