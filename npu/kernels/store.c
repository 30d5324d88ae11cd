/* SPDX-License-Identifier: Apache-2.0 */
/* Growing store; see store.h. */
#include "npu/kernels/store.h"

#include <sys/mman.h>

#include "memory/pages.h"

#define ALIGNMENT 64
#define FIRST_CHUNK ((size_t)64 << 10)

struct npu_store_chunk {
	struct npu_store_chunk *next;
	size_t used, size;
	u8 *map; /* what was asked of the host: all of the chunk, and more where it is aligned */
	size_t map_size;
	u8 fill[ALIGNMENT - 3 * sizeof(size_t) - 2 * sizeof(void *)];
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
	size_t map_size = huge ? size + unit : size;
	u8 *map = mmap(NULL, map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	struct npu_store_chunk *c = (void *)(((uintptr_t)map + unit - 1) / unit * unit);
	if (huge)
		pages_advise(c, size);
	*c = (struct npu_store_chunk){ .next = s->chunks, .used = sizeof(*c), .size = size,
				       .map = map, .map_size = map_size };
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
	return p; /* never used before: the host's pages are zero */
}

void npu_store_clear(struct npu_store *s)
{
	while (s->chunks) {
		struct npu_store_chunk *next = s->chunks->next;
		munmap(s->chunks->map, s->chunks->map_size);
		s->chunks = next;
	}
	s->bytes = 0;
}
