/* SPDX-License-Identifier: Apache-2.0 */
/* Flags of pages: who is asked before bytes are read or written. */
#include "memory/bus_private.h"

#include <string.h>

static void set(struct bus *b, u32 phys_page, u8 flags)
{
	b->face.page_flags[phys_page] = flags ^ b->face.inverted;
}

static void add(struct bus *b, u32 phys_page, u8 flags)
{
	set(b, phys_page, bus_page_flags(&b->face, phys_page) | flags);
}

void bus_page_changes(struct bus *b, u32 phys_page)
{
	const u8 flags = bus_page_flags(&b->face, phys_page);

	if (flags & PAGE_CODE)
		b->face.code_written(b->face.code_ctx, phys_page);
	if (flags & PAGE_KEPT) {
		set(b, phys_page, bus_page_flags(&b->face, phys_page) & (u8)~PAGE_KEPT);
		b->face.keep(b->face.keep_ctx, phys_page, bus_page_bytes(b, phys_page));
	}
}

void pages_ask(struct bus *b, u32 addr, u64 size, u8 flags, enum bus_access access)
{
	u8 found = 0;

	for (u64 at = addr & ~(u64)(BUS_PAGE_SIZE - 1); at < addr + size; at += BUS_PAGE_SIZE) {
		const struct region *r = bus_find(b, (u32)at, BUS_CPU | BUS_NPU);

		if (!r || r->kind != REGION_RAM)
			continue;
		const u32 page = r->phys_page + (((u32)at - r->base) >> BUS_PAGE_SHIFT);
		const u8 has = bus_page_flags(&b->face, page);
		found |= has & flags;
		if (has & flags & (PAGE_CODE | PAGE_KEPT))
			bus_page_changes(b, page);
	}
	if (found & (PAGE_WATCHED | PAGE_WATCHED_READ))
		b->face.watched(b->face.watched_ctx, addr, size, access);
}

void bus_will_write(struct bus *b, u32 addr, u64 size)
{
	pages_ask(b, addr, size, PAGE_ASK_WRITE, BUS_WRITES);
}

void bus_wrote(struct bus *b, u32 addr, u64 size)
{
	if (b->face.watched)
		pages_ask(b, addr, size, PAGE_WATCHED, BUS_WROTE);
}

void bus_will_read(struct bus *b, u32 addr, u64 size)
{
	if (b->face.watched)
		pages_ask(b, addr, size, PAGE_WATCHED_READ, BUS_READS);
}

void bus_flag_page(struct bus *b, u32 phys_page, u8 flags)
{
	if ((bus_page_flags(&b->face, phys_page) & flags) == flags)
		return;
	add(b, phys_page, flags);
	if (b->face.flagged)
		b->face.flagged(b->face.flagged_ctx, phys_page);
}

void bus_unflag_page(struct bus *b, u32 phys_page, u8 flags)
{
	set(b, phys_page, bus_page_flags(&b->face, phys_page) & (u8)~flags);
}

/* For the first time: no page has any of them. */
static bool flag_by_inverting(struct bus *b, u8 flags)
{
	if (b->flagged_all & flags)
		return false;
	b->flagged_all |= flags;
	b->face.inverted |= flags;
	return true;
}

void bus_flag_all(struct bus *b, u8 flags)
{
	const bool done = flag_by_inverting(b, flags);

	for (const struct region *r = b->region; r < b->region + b->regions; r++)
		for (u64 at = r->base; !done && r->kind == REGION_RAM && !r->alias && at <= r->last; at += BUS_PAGE_SIZE)
			add(b, r->phys_page + (u32)((at - r->base) >> BUS_PAGE_SHIFT), flags);
	if (b->face.flagged)
		b->face.flagged(b->face.flagged_ctx, BUS_NO_PAGE);
}

u8 *bus_page_bytes(struct bus *b, u32 phys_page)
{
	u32 guest;

	return bus_page_aliases(b, phys_page, &guest, 1) ? b->face.base + ((u64)guest << BUS_PAGE_SHIFT) : NULL;
}
