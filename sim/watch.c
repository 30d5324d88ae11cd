/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/watch.h"

#include <stdlib.h>
#include <string.h>

enum { ALIASES = 64 };

static u32 phys_of(const struct machine *m, u32 addr)
{
	return bus_ram_page(m->bus, addr, BUS_CPU | BUS_NPU);
}

/* Bytes of w from `at` on in the same page. */
static u32 piece(const struct watch *w, u32 at)
{
	const u32 room = BUS_PAGE_SIZE - at % BUS_PAGE_SIZE, rest = w->bytes - (at - w->addr);

	return room < rest ? room : rest;
}

/* Can bytes at addr be any of the n at `at`, under whatever address? All addresses of a byte have the same place in a page, which takes no search to tell. */
static bool may_touch(u32 at, u32 n, u32 addr, u64 size)
{
	const u32 first = at % BUS_PAGE_SIZE, from = addr % BUS_PAGE_SIZE;

	return (from < first + n && first < from + size) || first + BUS_PAGE_SIZE < from + size;
}

/* Does it cover any of w's bytes, under whatever address? */
static bool touches(const struct machine *m, const struct watch *w, u32 addr, u64 size)
{
	u32 guest[ALIASES];

	for (u32 at = w->addr, n; at - w->addr < w->bytes; at += n) {
		n = piece(w, at);
		if (!may_touch(at, n, addr, size))
			continue;

		const unsigned aliases = bus_page_aliases(m->bus, phys_of(m, at), guest, ALIASES);

		for (unsigned i = 0; i < aliases; i++) {
			const u64 first = ((u64)guest[i] << BUS_PAGE_SHIFT) + at % BUS_PAGE_SIZE;

			if (first < addr + size && addr < first + n)
				return true;
		}
	}
	return false;
}

bool watch_counts(struct machine *m, struct watch *w, u32 addr, u64 size, enum bus_access access)
{
	const u8 *now;

	if (!(w->accesses & (access == BUS_READS ? WATCH_READS : WATCH_WRITES)) || !touches(m, w, addr, size))
		return false;
	now = bus_span(m->bus, BUS_CPU, w->addr, w->bytes);
	if (access == BUS_MAY_WRITE)
		memcpy(w->old, now, w->bytes);
	return access != BUS_MAY_WRITE && (access != BUS_WROTE || memcmp(w->old, now, w->bytes) != 0);
}

bool watch_halt(struct machine *m)
{
	if (m->sched.handling)
		m->sched.halt = true;
	else
		cpu_break_after(m->cpu);
	return m->sched.handling;
}

static u8 flags_of(const struct watch *w)
{
	return (w->accesses & WATCH_WRITES ? PAGE_WATCHED : 0) | (w->accesses & WATCH_READS ? PAGE_WATCHED_READ : 0);
}

void watch_flag(struct machine *m, const struct watch *w)
{
	for (u32 at = w->addr; at - w->addr < w->bytes; at += piece(w, at))
		bus_flag_page(m->bus, phys_of(m, at), flags_of(w));
}

bool watch_start(struct machine *m, struct watch *w)
{
	w->old = w->bytes && bus_span(m->bus, BUS_CPU, w->addr, w->bytes) ? malloc(w->bytes) : NULL;
	if (!w->old)
		return false;
	watch_flag(m, w);
	return true;
}

void watch_stop(struct machine *m, struct watch *w)
{
	for (u32 at = w->addr; at - w->addr < w->bytes; at += piece(w, at))
		bus_unflag_page(m->bus, phys_of(m, at), flags_of(w));
	free(w->old);
	w->old = NULL;
}
