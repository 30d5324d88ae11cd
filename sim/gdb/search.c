/* SPDX-License-Identifier: Apache-2.0 */
/* Packet qSearch:memory: where bytes are found in memory. Registers of devices are no memory, and gaps hold nothing: the search goes on behind
 * them. Memory that nobody has reached is zeros, and is looked at for zeros only, but for EDGE bytes beside what is in use. */
#include "sim/gdb/session.h"

#include <string.h>

enum { EDGE = PACKET_MAX };

struct search {
	const char *wanted;
	size_t bytes;
	bool everywhere;
	u64 edge; /* the end of the memory in use that is looked at, and of the edge behind it */
	u8 data[PACKET_MAX + BUS_PAGE_SIZE]; /* the end of the pages before, where the bytes may begin, and a page */
	size_t kept; /* of these the end of the pages before */
};

/* Looks through what is kept and n bytes more; their place in there. False: they are not there, and their beginning may be in what is kept. */
static bool look(struct search *s, size_t n, size_t *at)
{
	const size_t bytes = s->kept + n;
	const u8 *found = memmem(s->data, bytes, s->wanted, s->bytes);

	if (found) {
		*at = (size_t)(found - s->data);
		return true;
	}
	s->kept = bytes < s->bytes - 1 ? bytes : s->bytes - 1;
	memmove(s->data, s->data + bytes - s->kept, s->kept);
	return false;
}

/* The next address from `at` on that is worth a look; behind all addresses: none is. */
static u64 next_place(const struct gdb *g, struct search *s, u64 at)
{
	u32 first, last;

	if (s->everywhere || at < s->edge)
		return at;
	if (!bus_used_from(g->machine->bus, (u32)at, &first, &last))
		return UINT64_C(1) << 32;
	s->edge = (u64)last + 1 + EDGE;
	if (first - at <= EDGE)
		return at;
	s->kept = 0;
	return first - EDGE;
}

/* From addr to before `end`. */
static bool find(struct gdb *g, struct search *s, u64 *addr, u64 end)
{
	u32 n;

	for (u64 page = *addr; (page = next_place(g, s, page)) < end; page += n) {
		const u64 rest = end - page;
		size_t at;

		n = BUS_PAGE_SIZE - (u32)page % BUS_PAGE_SIZE;
		n = n < rest ? n : (u32)rest;
		if (!cpu_peek(g->machine->cpu, (u32)page, s->data + s->kept, n)) {
			s->kept = 0;
			continue;
		}
		*addr = page - s->kept;
		if (look(s, n, &at)) {
			*addr += at;
			return true;
		}
	}
	return false;
}

static bool are_zeros(const char *data, size_t bytes)
{
	return !*data && !memcmp(data, data + 1, bytes - 1);
}

/* ADDRESS;LENGTH;BYTES: gdb's manual, "General Query Packets". */
void memory_search(struct gdb *g, const char *rest)
{
	const char *end = g->in.data + g->in.bytes;
	u64 addr, length;

	if (!hex_number(&rest, &addr) || *rest++ != ';' || !hex_number(&rest, &length) || *rest++ != ';' || rest >= end || addr > UINT32_MAX ||
	    length > (UINT64_C(1) << 32) - addr) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	const size_t bytes = (size_t)(end - rest);
	struct search s = { .wanted = rest, .bytes = bytes, .everywhere = are_zeros(rest, bytes) };
	if (find(g, &s, &addr, addr + length))
		text_add(&g->reply, "1,%llx", (unsigned long long)addr);
	else
		text_add(&g->reply, "0");
}
