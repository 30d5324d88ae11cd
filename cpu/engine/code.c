/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded code: one page of slots per guest page that executes, filled block by block, emptied
 * when somebody writes the memory behind it. */
#include "cpu/engine/code.h"

#include <sys/mman.h>

static void page_clear(struct code_page *p)
{
	p->crossing = 0;
	memset(p->info, 0, sizeof(p->info));
	memset(p->it, 0, sizeof(p->it));
	p->exits = 0;
	memset(p->slots, 0, sizeof(p->slots));
	for (unsigned i = 0; i < PAGE_SLOTS; i++)
		p->slots[i].handler = handler_word(handler_undecoded);
	for (unsigned i = 0; i < PAGE_TAIL; i++) {
		p->slots[PAGE_SLOTS + i].handler = handler_word(handler_page_end);
		p->slots[PAGE_SLOTS + i].imm = p->addr + BUS_PAGE_SIZE + 2 * i;
	}
}

void code_drop_all(struct engine *e, struct cpu *c)
{
	for (u32 i = 0; i < e->pages_used; i++) {
		struct code_page *p = (struct code_page *)(e->arena + (size_t)i * CODE_PAGE_ALIGN);
		c->code[p->addr >> BUS_PAGE_SHIFT] = NULL;
	}
	e->pages_used = 0;
}

static struct code_page *page_new(struct cpu *c, u32 addr, u32 phys_page)
{
	struct engine *e = c->engine;

	if (e->pages_used == CODE_PAGES_MAX)
		code_drop_all(e, c);
	struct code_page *p = (struct code_page *)(e->arena + (size_t)e->pages_used++ * CODE_PAGE_ALIGN);
	p->addr = addr & ~(BUS_PAGE_SIZE - 1);
	p->phys_page = phys_page;
	p->granules[0] = p->granules[1] = 0;
	return p;
}

static bool same_granules(const struct code_page *p, const u64 granules[2])
{
	return p->granules[0] == granules[0] && p->granules[1] == granules[1];
}

/* Puts the view of these granules in use. A page that has many gives up the one used longest ago. */
static struct code_page *page_exchange(struct cpu *c, u32 pc, u32 phys_page, const u64 granules[2])
{
	struct code_page **first = &c->code[pc >> BUS_PAGE_SHIFT], **at = first, *p;
	unsigned n = 1;

	for (; *at && !same_granules(*at, granules) && n < CODE_PAGE_VIEWS; n++)
		at = &(*at)->other;
	p = *at;
	if (p)
		*at = p->other;
	else
		p = page_new(c, pc, phys_page);
	if (!same_granules(p, granules)) {
		memcpy(p->granules, granules, sizeof(p->granules));
		page_clear(p);
	}
	p->other = *first;
	*first = p;
	return p;
}

/* bus_public.code_written: forgets what was decoded from that memory, under all its addresses. The
 * slot array stays, so that a handler that caused it can still move on to the run loop. */
static void code_written(void *ctx, u32 phys_page)
{
	struct cpu *c = ctx;
	u32 guest[64];
	unsigned n = bus_page_aliases(c->bus, phys_page, guest, ARRAY_LEN(guest));

	for (unsigned i = 0; i < n; i++) {
		struct code_page *before = guest[i] ? c->code[guest[i] - 1] : NULL;
		for (struct code_page *p = c->code[guest[i]]; p; p = p->other)
			page_clear(p);
		for (; before; before = before->other)
			if (before->crossing)
				page_clear(before);
	}
	bus_public(c->bus)->code_page[phys_page] = 0;
	c->engine->leave = true;
}

#if SLOTS_BELOW_4G
#define CODE_AREA_FLAGS MAP_32BIT
#else
#define CODE_AREA_FLAGS 0
#endif

bool code_init(struct cpu *c)
{
	struct engine *e = c->engine;
	size_t bytes = (size_t)(CODE_PAGES_MAX + 1) * CODE_PAGE_ALIGN;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	u8 *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags | CODE_AREA_FLAGS, -1, 0);
	void *table = mmap(NULL, BUS_PAGES * sizeof(*c->code), PROT_READ | PROT_WRITE, flags, -1, 0);

	if (area == MAP_FAILED || table == MAP_FAILED)
		return false;
	e->area = area;
	e->arena = (u8 *)(((uintptr_t)area + CODE_PAGE_ALIGN - 1) & ~(uintptr_t)(CODE_PAGE_ALIGN - 1));
	c->code = table;
	bus_public(c->bus)->code_written = code_written;
	bus_public(c->bus)->code_ctx = c;
	return true;
}

void code_exit(struct cpu *c)
{
	if (c->engine->area)
		munmap(c->engine->area, (size_t)(CODE_PAGES_MAX + 1) * CODE_PAGE_ALIGN);
	if (c->code)
		munmap(c->code, BUS_PAGES * sizeof(*c->code));
}

void code_mark(struct cpu *c, u32 phys_page)
{
	if (!bus_public(c->bus)->code_page[phys_page]) {
		bus_public(c->bus)->code_page[phys_page] = 1;
		access_code_page(c, phys_page);
	}
}

const struct slot *code_lookup(struct cpu *c, u32 pc)
{
	u32 page = pc >> BUS_PAGE_SHIFT;
	u64 granules[2];
	u16 halfword;

	if (!access_executable(c, pc, granules)) {
		/* Also raises the fault when it may not execute: the stepping engine repeats it. */
		if (!cpu_fetch(c, pc, &halfword) || !access_executable(c, pc, granules))
			return NULL;
	}
	struct code_page *p = c->code[page];
	u32 phys = bus_ram_page(c->bus, pc, BUS_CPU);
	if (phys == BUS_NO_PAGE)
		return NULL;
	bool exchange = !p || !same_granules(p, granules);
	if (exchange)
		p = page_exchange(c, pc, phys, granules);
	if (exchange || !(c->page_ok[page] & PAGE_EXEC))
		access_code_entered(c, page, exchange);
	code_mark(c, phys);
	unsigned index = pc >> 1 & (PAGE_SLOTS - 1);
	if (!(p->info[index] & INFO_KNOWN))
		code_decode_block(c, p, index);
	const struct slot *s = &p->slots[index];
	return s->handler == handler_word(handler_uncached) || !code_may_enter(c, s) ? NULL : s;
}
