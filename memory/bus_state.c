/* SPDX-License-Identifier: Apache-2.0 */
/* What lies in RAM, saved and restored: a record for each physical page, number and bytes, region by
 * region in rising order.
 *
 * A page that nobody has reached is not saved: it is zeros or waits for its pattern (memory/fill.h). The host
 * knows which pages it has memory for. Pages are compared before they are written: code decoded from one that
 * stays as it is stays good. */
#include "memory/bus_private.h"
#include "memory/state.h"

#include <stdio.h>
#include <string.h>

enum { RECORD = 8 + BUS_PAGE_SIZE };

static const u8 zeros[BUS_PAGE_SIZE];

/* The pattern that a page begins with, NULL: zeros. */
static const struct fill *pattern_of(const struct bus *b, u32 page)
{
	for (unsigned i = 0; b->unfilled && i < b->fills; i++)
		if (page - b->fill[i].first_page < b->fill[i].pages)
			return &b->fill[i];
	return NULL;
}

static bool waits(const struct bus *b, u32 page)
{
	return b->unfilled && b->unfilled[page];
}

/* Is it as it was when the bus was made, as far as can be seen cheaply? */
static bool is_fresh(const struct bus *b, u32 page, const u8 *bytes)
{
	return waits(b, page) || (!pattern_of(b, page) && !memcmp(bytes, zeros, BUS_PAGE_SIZE));
}

static u32 pages_of(const struct region *r)
{
	return ((r->last - r->base) >> BUS_PAGE_SHIFT) + 1;
}

/* Each memory once. */
static bool is_memory(const struct region *r)
{
	return r->kind == REGION_RAM && !r->alias;
}

static u8 *bytes_of(const struct bus *b, const struct region *r, u32 page)
{
	return b->face.base + r->base + ((u64)(page - r->phys_page) << BUS_PAGE_SHIFT);
}

/* Pages that the host has memory for, one range after the other: the next at or behind *first. */
static bool next_used(const struct bus *b, const struct region *r, u32 *first, u32 *last)
{
	const u64 from = (u64)*first << BUS_PAGE_SHIFT, end = (u64)(r->phys_page + pages_of(r)) << BUS_PAGE_SHIFT;
	u64 first_byte, last_byte;

	if (!host_memory_used(&b->host, from, end, &first_byte, &last_byte))
		return false;
	*first = (u32)(first_byte >> BUS_PAGE_SHIFT);
	*last = (u32)(last_byte >> BUS_PAGE_SHIFT);
	return true;
}

/* As bus_used_from, in region r, from its page `wanted` on. */
static bool used_of(const struct bus *b, const struct region *r, u32 wanted, u32 *first, u32 *last)
{
	*first = wanted & ~(HOST_PAGE_MAX / BUS_PAGE_SIZE - 1);
	*last = r->phys_page + pages_of(r) - 1;
	if (pattern_of(b, r->phys_page)) {
		*first = wanted;
		return true;
	}
	while (next_used(b, r, first, last)) {
		if (*last >= wanted) {
			*first = *first > wanted ? *first : wanted;
			return true;
		}
		*first = *last + 1;
	}
	return false;
}

bool bus_used_from(const struct bus *b, u32 addr, u32 *first, u32 *last)
{
	const struct region *r;

	for (u64 at = addr; at <= UINT32_MAX && (r = bus_from(b, (u32)at)); at = (u64)r->last + 1) {
		const u32 from = r->base > at ? r->base : (u32)at;

		if (r->kind != REGION_RAM || !used_of(b, r, r->phys_page + ((from - r->base) >> BUS_PAGE_SHIFT), first, last))
			continue;
		*first = r->base + ((*first - r->phys_page) << BUS_PAGE_SHIFT);
		*first = *first > from ? *first : from;
		*last = r->base + ((*last - r->phys_page) << BUS_PAGE_SHIFT) + BUS_PAGE_SIZE - 1;
		return true;
	}
	return false;
}

static bool save_range(const struct bus *b, const struct region *r, u32 first, u32 last, struct state_buffer *out)
{
	for (u32 page = first; page <= last; page++) {
		const u8 *bytes = bytes_of(b, r, page);
		u8 *to;

		if (is_fresh(b, page, bytes))
			continue;
		to = state_put(out, RECORD);
		if (!to)
			return false;
		memcpy(to, &(u64){ page }, 8);
		memcpy(to + 8, bytes, BUS_PAGE_SIZE);
	}
	return true;
}

static bool save(void *ctx, struct state_buffer *out)
{
	const struct bus *b = ctx;
	bool ok = true;

	for (const struct region *r = b->region; r < b->region + b->regions && ok; r++)
		for (u32 first = r->phys_page, last; is_memory(r) && ok && next_used(b, r, &first, &last); first = last + 1)
			ok = save_range(b, r, first, last, out);
	return ok;
}

static u32 page_at(const u8 *record)
{
	u64 page;

	memcpy(&page, record, 8);
	return (u32)page;
}

/* Records of region r, of those in [from, end). */
static const u8 *end_of(const struct region *r, const u8 *from, const u8 *end)
{
	while (from < end && page_at(from) - r->phys_page < pages_of(r))
		from += RECORD;
	return from;
}

static bool rising(const u8 *from, const u8 *end)
{
	for (; from + RECORD < end; from += RECORD)
		if (page_at(from) >= page_at(from + RECORD))
			return false;
	return true;
}

static bool check(void *ctx, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	const struct bus *b = ctx;
	const u8 *end = from + bytes;
	bool ok = bytes % RECORD == 0;

	for (const struct region *r = b->region; r < b->region + b->regions && ok; r++)
		if (is_memory(r)) {
			const u8 *next = end_of(r, from, end);

			ok = rising(from, next);
			from = next;
		}
	if (!ok || from != end)
		snprintf(why, why_size, "the state has pages of memory that this machine has not");
	return ok && from == end;
}

static void changed(struct bus *b, u32 page)
{
	bus_page_changes(b, page);
}

/* These pages are as they were when the bus was made. */
static void make_fresh(struct bus *b, const struct region *r, u32 first, u32 last)
{
	const u64 bytes = (u64)(last - first + 1) << BUS_PAGE_SHIFT;

	if (!host_memory_drop(&b->host, (u64)first << BUS_PAGE_SHIFT, bytes))
		memset(bytes_of(b, r, first), 0, bytes);
	for (u32 page = first; page <= last; page++) {
		const struct fill *f = pattern_of(b, page);

		if (f)
			b->unfilled[page] = (u8)(f - b->fill + 1);
		changed(b, page);
	}
}

/* Those of first..last that no record is for and that somebody reached. */
static const u8 *forget_range(struct bus *b, const struct region *r, u32 first, u32 last, const u8 *from, const u8 *end)
{
	u32 run = 0; /* pages before `page` that are to be made fresh */

	for (u32 page = first; page <= last; page++) {
		while (from < end && page_at(from) < page)
			from += RECORD;
		if ((from == end || page_at(from) != page) && !is_fresh(b, page, bytes_of(b, r, page))) {
			run++;
			continue;
		}
		if (run)
			make_fresh(b, r, page - run, page - 1);
		run = 0;
	}
	if (run)
		make_fresh(b, r, last + 1 - run, last);
	return from;
}

static void restore_region(struct bus *b, const struct region *r, const u8 *from, const u8 *end)
{
	const u8 *record = from;

	for (u32 first = r->phys_page, last; next_used(b, r, &first, &last); first = last + 1)
		record = forget_range(b, r, first, last, record, end);
	for (record = from; record < end; record += RECORD) {
		const u32 page = page_at(record);
		u8 *to = bytes_of(b, r, page);

		if (waits(b, page))
			b->unfilled[page] = 0;
		else if (!memcmp(to, record + 8, BUS_PAGE_SIZE))
			continue;
		memcpy(to, record + 8, BUS_PAGE_SIZE);
		changed(b, page);
	}
}

static void restore(void *ctx, const u8 *from, u64 bytes)
{
	struct bus *b = ctx;
	const u8 *end = from + bytes;

	if (!from)
		return;
	for (const struct region *r = b->region; r < b->region + b->regions; r++)
		if (is_memory(r)) {
			const u8 *next = end_of(r, from, end);

			restore_region(b, r, from, next);
			from = next;
		}
}

void bus_state(struct bus *b, struct state_list *list)
{
	static const struct state_hooks hooks = { save, check, restore };

	state_add_hooks(list, "memory", "pages", 2, &hooks, b);
}
