/* SPDX-License-Identifier: Apache-2.0 */
/* Regions are kept sorted by base and found by binary search: accesses to plain RAM by the CPU
 * do not come here, so there is nothing to gain from a page table. Accesses look first where the one before was. */
#include "memory/bus_private.h"
#include "memory/fill.h"
#include "memory/sorted.h"

#include <stdlib.h>
#include <string.h>

struct bus *bus_new(const struct diag *diag)
{
	struct bus *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->diag = diag;
	if (!host_memory_open(&b->host)) {
		bus_free(b);
		return NULL;
	}
	b->face.base = b->host.base;
	b->face.page_flags = calloc(BUS_PAGES, 1);
	if (!b->face.page_flags) {
		bus_free(b);
		return NULL;
	}
	return b;
}

void bus_free(struct bus *b)
{
	if (!b)
		return;
	host_memory_close(&b->host);
	free(b->face.page_flags);
	free(b->unfilled);
	free(b);
}

struct bus_public *bus_public(struct bus *b)
{
	return &b->face;
}

/* Index of the first region whose base is above addr. */
static unsigned upper(const struct bus *b, u32 addr)
{
	return sorted_above(&b->region[0].base, sizeof b->region[0], b->regions, addr);
}

const struct region *bus_find(const struct bus *b, u32 addr, u8 view)
{
	const unsigned i = upper(b, addr);

	if (!i || b->region[i - 1].last < addr || !(b->region[i - 1].views & view))
		return NULL;
	return &b->region[i - 1];
}

static const struct region *find_again(struct bus *b, u32 addr, u8 view)
{
	const struct region *r = b->latest;

	if (r && addr >= r->base && addr <= r->last && r->views & view)
		return r;
	r = bus_find(b, addr, view);
	b->latest = r;
	return r;
}

const struct region *bus_from(const struct bus *b, u32 addr)
{
	const unsigned i = upper(b, addr);

	if (i && b->region[i - 1].last >= addr)
		return &b->region[i - 1];
	return i < b->regions ? &b->region[i] : NULL;
}

/* Index of the first gate whose base is above addr. */
static unsigned upper_gate(const struct bus *b, u32 addr)
{
	return sorted_above(&b->gate[0].base, sizeof b->gate[0], b->gates, addr);
}

static const struct gate *gate_at(const struct bus *b, u32 addr)
{
	const unsigned i = upper_gate(b, addr);

	return i && b->gate[i - 1].last >= addr ? &b->gate[i - 1] : NULL;
}

/* The gate that refuses an access, NULL when none does. */
static const struct gate *closed_gate(const struct bus *b, u32 addr, struct bus_attr attr)
{
	const struct gate *g = gate_at(b, addr);

	return g && !g->ops->allows(g->ctx, addr, attr) ? g : NULL;
}

bool bus_allows(const struct bus *b, u32 addr, struct bus_attr attr)
{
	return !closed_gate(b, addr, attr);
}

bool bus_add_gate(struct bus *b, u32 base, u32 size, const struct bus_gate_ops *ops, void *ctx)
{
	const u32 last = base + (size - 1);
	const unsigned i = upper_gate(b, base);

	if (!size || last < base || b->gates == BUS_MAX_REGIONS || (i && b->gate[i - 1].last >= base) ||
	    (i < b->gates && b->gate[i].base <= last))
		return false;
	memmove(&b->gate[i + 1], &b->gate[i], (b->gates - i) * sizeof b->gate[0]);
	b->gates++;
	b->gate[i] = (struct gate){ base, last, ops, ctx };
	return true;
}

void bus_gates_changed(struct bus *b)
{
	if (b->face.gates_changed)
		b->face.gates_changed(b->face.gates_ctx);
}

bool bus_fill(struct bus *b, u32 base, u32 first, u32 second)
{
	const struct region *r = bus_find(b, base, BUS_CPU | BUS_NPU);
	const u32 pages = r ? ((r->last - r->base) >> BUS_PAGE_SHIFT) + 1 : 0;

	if (!r || r->kind != REGION_RAM || r->base != base || b->fills == FILLS_MAX)
		return false;
	if (!(first | second))
		return true;
	if (!b->unfilled)
		b->unfilled = calloc(BUS_PAGES, 1);
	if (!b->unfilled)
		return false;
	b->fill[b->fills++] = (struct fill){ { first, second }, r->phys_page, pages };
	memset(b->unfilled + r->phys_page, (int)b->fills, pages);
	return true;
}

static void fill_page(u8 *page, const struct fill *f)
{
	for (u32 at = 0; at < BUS_PAGE_SIZE; at += sizeof f->word)
		memcpy(page + at, f->word, sizeof f->word);
}

/* Somebody will look at these bytes of a RAM region: gives those of its pages that wait for it their pattern. */
static void reach(const struct bus *b, const struct region *r, u32 addr, u32 last)
{
	const u32 end = (last - r->base) >> BUS_PAGE_SHIFT;

	if (LIKELY(!b->unfilled))
		return;
	for (u32 i = (addr - r->base) >> BUS_PAGE_SHIFT; i <= end; i++) {
		u8 *waits = &b->unfilled[r->phys_page + i];

		if (*waits)
			fill_page(b->face.base + r->base + ((u64)i << BUS_PAGE_SHIFT), &b->fill[*waits - 1]);
		*waits = 0;
	}
}

/* Bytes between an address and a region, 0 inside. */
static u32 distance(const struct region *r, u32 addr)
{
	return addr < r->base ? r->base - addr : addr > r->last ? addr - r->last : 0;
}

const struct region *bus_nearest(const struct bus *b, u32 addr)
{
	const struct region *best = NULL;

	for (const struct region *r = b->region; r < b->region + b->regions; r++)
		if (r->kind == REGION_RAM && (!best || distance(r, addr) < distance(best, addr)))
			best = r;
	return best;
}

/* Inserts in order; NULL when full, empty, or overlapping another region. */
static struct region *insert(struct bus *b, const char *name, u32 base, u32 size, u8 views)
{
	const u32 last = base + (size - 1);
	const unsigned i = upper(b, base);

	if (!size || last < base || b->regions == BUS_MAX_REGIONS || (i && b->region[i - 1].last >= base) ||
	    (i < b->regions && b->region[i].base <= last)) {
		diag_report(b->diag, DIAG_USER, "BUS001", "region %s at 0x%08x, %u bytes: overlaps another or is empty",
			    name, base, size);
		return NULL;
	}
	memmove(&b->region[i + 1], &b->region[i], (b->regions - i) * sizeof b->region[0]);
	b->regions++;
	b->latest = NULL;
	b->region[i] = (struct region){ .name = name, .base = base, .last = last, .views = views };
	return &b->region[i];
}

static bool map_ram(struct bus *b, const char *name, u32 base, u32 size, u8 views, u64 offset, bool alias)
{
	struct region *r = insert(b, name, base, size, views);

	if (!r)
		return false;
	r->kind = REGION_RAM;
	r->alias = alias;
	r->phys_page = (u32)(offset >> BUS_PAGE_SHIFT);
	return host_memory_map(&b->host, base, size, offset);
}

static bool whole_pages(u32 base, u32 size)
{
	return !((base | size) & (BUS_PAGE_SIZE - 1));
}

bool bus_add_ram(struct bus *b, const char *name, u32 base, u32 size, u8 views)
{
	u64 offset;

	return whole_pages(base, size) && host_memory_take(&b->host, size, &offset) &&
	       map_ram(b, name, base, size, views, offset, false);
}

bool bus_add_alias(struct bus *b, const char *name, u32 base, u32 size, u8 views, u32 alias_of)
{
	const struct region *r = bus_find(b, alias_of, BUS_CPU | BUS_NPU);

	if (!r || r->kind != REGION_RAM || !whole_pages(base, size) || size - 1 > r->last - alias_of)
		return false;
	return map_ram(b, name, base, size, views, ((u64)r->phys_page << BUS_PAGE_SHIFT) + (alias_of - r->base), true);
}

bool bus_add_device(struct bus *b, const char *name, u32 base, u32 size, u8 views,
		    const struct bus_device_ops *ops, void *ctx)
{
	struct region *r = insert(b, name, base, size, views);

	if (!r)
		return false;
	r->kind = REGION_DEVICE;
	r->ops = ops;
	r->ctx = ctx;
	return true;
}

static u32 page_of(const struct region *r, u32 addr)
{
	return r->phys_page + ((addr - r->base) >> BUS_PAGE_SHIFT);
}

u32 bus_ram_page(const struct bus *b, u32 addr, u8 view)
{
	const struct region *r = bus_find(b, addr, view);

	/* RAM regions are whole pages, so one region fills the page. */
	if (!r || r->kind != REGION_RAM)
		return BUS_NO_PAGE;
	reach(b, r, addr, addr);
	return page_of(r, addr);
}

unsigned bus_page_aliases(const struct bus *b, u32 phys_page, u32 *guest_pages, unsigned max)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->regions && n < max; i++) {
		const struct region *r = &b->region[i];
		const u32 pages = ((r->last - r->base) >> BUS_PAGE_SHIFT) + 1;

		if (r->kind == REGION_RAM && phys_page - r->phys_page < pages)
			guest_pages[n++] = (r->base >> BUS_PAGE_SHIFT) + (phys_page - r->phys_page);
	}
	return n;
}

enum bus_status bus_read(struct bus *b, u32 addr, unsigned size, struct bus_attr attr, u32 *value)
{
	const struct region *r = find_again(b, addr, attr.view);
	const struct gate *closed = closed_gate(b, addr, attr);

	if (!r || size - 1 > r->last - addr)
		return BUS_NOTHING_THERE;
	*value = 0;
	if (closed)
		return closed->ops->refuse(closed->ctx, addr, attr, false);
	if (r->kind == REGION_DEVICE)
		return r->ops->read(r->ctx, addr - r->base, size, attr, value);
	reach(b, r, addr, addr + (size - 1));
	if (UNLIKELY(bus_page_flags(&b->face, page_of(r, addr)) & PAGE_WATCHED_READ) && !(attr.view & BUS_FETCH))
		bus_will_read(b, addr, size);
	memcpy(value, b->face.base + addr, size);
	return BUS_OK;
}

enum bus_status bus_write(struct bus *b, u32 addr, unsigned size, struct bus_attr attr, u32 value)
{
	const struct region *r = find_again(b, addr, attr.view);
	const struct gate *closed = closed_gate(b, addr, attr);

	if (!r || size - 1 > r->last - addr)
		return BUS_NOTHING_THERE;
	if (closed)
		return closed->ops->refuse(closed->ctx, addr, attr, true);
	if (r->kind == REGION_DEVICE)
		return r->ops->write(r->ctx, addr - r->base, size, attr, value);
	reach(b, r, addr, addr + (size - 1));
	if (UNLIKELY(bus_page_flags(&b->face, page_of(r, addr))))
		bus_will_write(b, addr, size);
	memcpy(b->face.base + addr, &value, size);
	return BUS_OK;
}

u8 *bus_span(struct bus *b, u8 view, u64 addr, u64 size)
{
	u64 at = addr;

	if (addr > UINT32_MAX || size > (UINT64_C(1) << 32) - addr)
		return NULL;
	while (at < addr + size) { /* adjoining regions are contiguous in the host as well */
		const struct region *r = bus_find(b, (u32)at, view);

		if (!r || r->kind != REGION_RAM)
			return NULL;
		reach(b, r, (u32)at, addr + size - 1 < r->last ? (u32)(addr + size - 1) : r->last);
		at = (u64)r->last + 1;
	}
	return b->face.base + addr;
}

u64 bus_reaches(const struct bus *b, u8 view, u32 addr, u64 size)
{
	const u64 end = size < (UINT64_C(1) << 32) - addr ? addr + size : UINT64_C(1) << 32;
	u64 at = addr;

	while (at < end) {
		const struct region *r = bus_find(b, (u32)at, view);

		if (!r || r->kind != REGION_RAM)
			return at - addr;
		at = (u64)r->last + 1;
	}
	return end - addr;
}

void bus_put(struct bus *b, u8 view, u32 addr, const void *from, u64 size)
{
	enum { WORTH_A_CALL = 64 << 10 };
	const u8 *p = from;

	for (u64 at = addr, end = at + size, n; at < end; at += n, p += n) {
		const struct region *r = bus_find(b, (u32)at, view);

		n = (end - 1 < r->last ? end - 1 : r->last) - at + 1;
		if (n < WORTH_A_CALL || !host_memory_put(&b->host, ((u64)r->phys_page << BUS_PAGE_SHIFT) + (at - r->base), p, n))
			memcpy(b->face.base + at, p, n);
	}
}

u8 *bus_span_to_write(struct bus *b, u8 view, u64 addr, u64 size)
{
	u8 *bytes = bus_span(b, view, addr, size);

	if (bytes)
		pages_ask(b, (u32)addr, size, PAGE_ASK_WRITE, BUS_MAY_WRITE);
	return bytes;
}
