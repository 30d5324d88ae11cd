/* SPDX-License-Identifier: Apache-2.0 */
/* Growing store; see store.h. */
#include "npu/kernels/store.h"

#include "memory/pages.h"

#define ALIGNMENT 64
#define FIRST_CHUNK ((size_t)64 << 10)
#define SMALL ((size_t)192 << 10)      /* more pages than these take longer one by one than a huge one */
#define PROMISING ((size_t)96 << 10)   /* so large a piece is not the last one */
#define LARGE_CHUNK ((size_t)16 << 20) /* addresses; the host gives memory as it is used */

/* Each piece by itself where somebody watches over the ends of what the heap gives. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#define WATCHED __has_feature(address_sanitizer)
#else
#define WATCHED 0
#endif

struct npu_store_chunk {
	struct npu_store_chunk *next;
	size_t used, size;
	void *memory; /* what the host gave: up to ALIGNMENT - 1 bytes before the chunk */
	u8 fill[ALIGNMENT - 2 * sizeof(size_t) - 2 * sizeof(void *)];
};

static struct npu_store_chunk *chunk_new(struct npu_store *s, size_t bytes)
{
	size_t size = s->bytes + bytes <= SMALL && s->expected <= SMALL && bytes < PROMISING ? FIRST_CHUNK : LARGE_CHUNK;

	if (WATCHED || size < bytes + sizeof(struct npu_store_chunk))
		size = bytes + sizeof(struct npu_store_chunk);
	void *memory = pages_alloc(size + ALIGNMENT);
	if (!memory)
		return NULL;
	struct npu_store_chunk *c = (void *)(((uintptr_t)memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
	*c = (struct npu_store_chunk){ .next = s->chunks, .used = sizeof(*c), .size = size, .memory = memory };
	s->chunks = c;
	return c;
}

bool npu_store_has(const struct npu_store *s, size_t bytes)
{
	return s->chunks && s->chunks->size - s->chunks->used >= bytes + ALIGNMENT;
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
	s->bytes += bytes;
	return p; /* never used before: zero */
}

void npu_store_clear(struct npu_store *s)
{
	while (s->chunks) {
		struct npu_store_chunk *next = s->chunks->next;
		pages_release(s->chunks->memory, s->chunks->size + ALIGNMENT);
		s->chunks = next;
	}
	s->bytes = 0;
}
