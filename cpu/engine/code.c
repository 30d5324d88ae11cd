/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded code: one page of slots per guest page that executes, filled block by block, emptied
 * when somebody writes the memory behind it. */
#include "cpu/engine/code.h"
#include "cpu/engine/near.h"
#include "cpu/engine/translate.h"
#include "cpu/observed.h"
#include "cpu/sys/caches.h"

#include <sys/mman.h>

/* Slots from `first` to `end`. */
static void empty_slots(struct code_page *p, unsigned first, unsigned end)
{
	const size_t n = end - first;

	memset(p->info + first, 0, n * sizeof(*p->info));
	memset(p->it + first, 0, n * sizeof(*p->it));
	memset(p->slots + first, 0, n * sizeof(*p->slots));
	if (p->has_stubs)
		memset(p->stub + first, 0, n * sizeof(*p->stub));
}

/* Not all of it: a program that writes its code may do so before each call, and most pages have little code. */
static void page_clear(const struct engine *e, struct code_page *p)
{
	const unsigned exits = PAGE_SLOTS + PAGE_TAIL;

	translate_unlink(e->translated, p);
	p->crossing = 0;
	if (p->first_used < p->end_used)
		empty_slots(p, p->first_used, p->end_used);
	empty_slots(p, exits, exits + p->exits);
	for (unsigned i = p->first_used; i < p->end_used && i < PAGE_SLOTS; i++)
		p->slots[i].handler = handler_word(handler_undecoded);
	for (unsigned i = PAGE_SLOTS; i < p->end_used; i++) {
		p->slots[i].handler = handler_word(handler_page_end);
		p->slots[i].imm = p->addr + 2 * i;
	}
	p->exits = 0;
	p->has_stubs = false;
	p->first_used = PAGE_SLOTS + PAGE_TAIL;
	p->end_used = 0;
}

static struct code_page *page_at(const struct engine *e, u32 i)
{
	return (struct code_page *)(e->pages[i / CODE_CHUNK] + (size_t)(i % CODE_CHUNK) * CODE_PAGE_ALIGN);
}

/* Memory for one page more than are used; false: there is none. */
static bool page_room(struct engine *e)
{
	u32 chunk = e->pages_used / CODE_CHUNK;

	if (e->pages_used == CODE_PAGES_MAX)
		return false;
	if (!e->pages[chunk])
		e->pages[chunk] = near_map(CODE_CHUNK * CODE_PAGE_ALIGN, PROT_READ | PROT_WRITE, -1, 0);
	return e->pages[chunk];
}

void code_drop_all(struct engine *e, struct cpu *c)
{
	for (u32 i = 0; i < e->pages_used; i++)
		c->code[page_at(e, i)->addr >> BUS_PAGE_SHIFT] = NULL;
	e->pages_used = 0;
	translate_drop_all(e->translated);
	observed_code_changes(c);
}

static struct code_page *page_new(struct cpu *c, u32 addr, u32 phys_page)
{
	struct engine *e = c->engine;

	if (!page_room(e))
		code_drop_all(e, c);
	struct code_page *p = page_at(e, e->pages_used++);
	p->addr = addr & ~(BUS_PAGE_SIZE - 1);
	p->phys_page = phys_page;
	p->waits = caches_time(c, addr);
	p->granules[0] = p->granules[1] = 0;
	p->has_stubs = true; /* of the page that lay here before, as all of its slots may be */
	p->first_used = 0;
	p->end_used = PAGE_SLOTS + PAGE_TAIL;
	p->exits = PAGE_EXITS;
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
	if (*first)
		translate_unlink(c->engine->translated, *first);
	if (p)
		*at = p->other;
	else
		p = page_new(c, pc, phys_page);
	if (!same_granules(p, granules)) {
		memcpy(p->granules, granules, sizeof(p->granules));
		page_clear(c->engine, p);
	}
	p->other = *first;
	*first = p;
	return p;
}

void code_forget(struct cpu *c, u32 addr)
{
	const u32 page = addr >> BUS_PAGE_SHIFT;
	struct code_page *before = page ? c->code[page - 1] : NULL;

	observed_code_changes(c);
	for (struct code_page *p = c->code[page]; p; p = p->other)
		page_clear(c->engine, p);
	for (; before; before = before->other)
		if (before->crossing)
			page_clear(c->engine, before);
}

/* bus_public.code_written: forgets what was decoded from that memory, under all its addresses. The
 * slot array stays, so that a handler that caused it can still move on to the run loop. */
static void code_written(void *ctx, u32 phys_page)
{
	struct cpu *c = ctx;
	u32 guest[64];
	unsigned n = bus_page_aliases(c->bus, phys_page, guest, ARRAY_LEN(guest));

	for (unsigned i = 0; i < n; i++)
		code_forget(c, guest[i] << BUS_PAGE_SHIFT);
	bus_unflag_page(c->bus, phys_page, PAGE_CODE);
	c->engine->leave = true;
}

bool code_init(struct cpu *c)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *table = mmap(NULL, BUS_PAGES * sizeof(*c->code), PROT_READ | PROT_WRITE, flags, -1, 0);

	if (table == MAP_FAILED)
		return false;
	c->code = table;
	if (!page_room(c->engine))
		return false;
	bus_public(c->bus)->code_written = code_written;
	bus_public(c->bus)->code_ctx = c;
	return true;
}

void code_exit(struct cpu *c)
{
	for (u32 i = 0; i < ARRAY_LEN(c->engine->pages) && c->engine->pages[i]; i++)
		munmap(c->engine->pages[i], CODE_CHUNK * CODE_PAGE_ALIGN);
	if (c->code)
		munmap(c->code, BUS_PAGES * sizeof(*c->code));
}

void code_mark(struct cpu *c, u32 phys_page)
{
	bus_flag_page(c->bus, phys_page, PAGE_CODE);
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
	if (translate_full(c->engine->translated))
		code_drop_all(c->engine, c);
	struct code_page *p = c->code[page];
	const bool exchange = !p || !same_granules(p, granules);
	if (exchange) {
		const u32 phys = p ? p->phys_page : bus_ram_page(c->bus, pc, BUS_CPU); /* memories stay where they are */
		if (phys == BUS_NO_PAGE)
			return NULL;
		p = page_exchange(c, pc, phys, granules);
	}
	if (exchange || !(c->page_ok[page] & PAGE_EXEC))
		access_code_entered(c, page, exchange);
	if (!(bus_page_flags(bus_public(c->bus), p->phys_page) & PAGE_CODE))
		code_mark(c, p->phys_page);
	unsigned index = pc >> 1 & (PAGE_SLOTS - 1);
	if (!(p->info[index] & INFO_KNOWN))
		code_decode_block(c, p, index);
	const struct slot *s = &p->slots[index];
	return s->handler == handler_word(handler_uncached) || !code_may_enter(c, s) ? NULL : s;
}
