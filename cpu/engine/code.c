/* SPDX-License-Identifier: Apache-2.0 */
/* Decoded code: one page of slots per guest page that executes, filled block by block, emptied
 * when somebody writes the memory behind it. Handlers are chosen here: branches inside or out of
 * the page, predication in IT blocks, fused sequences. */
#include "cpu/engine/fuse.h"

#include <assert.h>
#include <sys/mman.h>

static slot_handler handler_word(handler_fn *fn)
{
	return (slot_handler)(uintptr_t)fn;
}

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

struct decoded decode_one(const struct engine *e, const u16 *halfwords, u32 pc, bool in_it, struct slot *s)
{
	struct decoded d = { OP_udf, 2 };
	u32 encoding = halfwords[0];

	if (insn_is_wide(halfwords[0])) {
		d.length = 4;
		encoding = encoding << 16 | halfwords[1];
	}
	memset(s, 0, sizeof(*s));
	const struct insn_row *row = insn_find(e->set, encoding, d.length, in_it);
	if (!row)
		return d;
	struct fields f;
	struct insn_at at = { pc, d.length, in_it };
	insn_fields(insn_pattern_of(e->set, row), encoding, &f);
	row->form(s, &f, &at);
	d.op = row->op;
	return d;
}

static bool kind_ends(unsigned kind)
{
	return kind == KIND_BR || kind == KIND_GO || kind == KIND_BRM || kind == KIND_JMP || kind == KIND_SYS;
}

/* The slot that leads to an address in another page; NULL: there are too many. */
static const struct slot *exit_slot(struct code_page *p, u32 target)
{
	struct slot *exits = &p->slots[PAGE_SLOTS + PAGE_TAIL];
	unsigned n = 0;

	while (n < p->exits && exits[n].imm != target)
		n++;
	if (n == PAGE_EXITS)
		return NULL;
	if (n == p->exits)
		exits[p->exits++] = (struct slot){ .handler = handler_word(handler_page_end), .imm = target };
	return &exits[n];
}

/* Turns a branch's offset into a link to a slot; false: there is none left. */
static bool link_branch(struct code_page *p, unsigned i)
{
	u32 target = p->addr + i * 2 + 4 + p->slots[i].imm;
	bool inside = (target & ~(BUS_PAGE_SIZE - 1)) == p->addr;
	const struct slot *to = inside ? slot_of(p, target) : exit_slot(p, target);

	if (to)
		p->slots[i].imm = slot_link(&p->slots[i], to);
	return to;
}

/* From now on a write to this memory is reported. */
static void mark_code(struct cpu *c, u32 phys_page)
{
	if (!bus_public(c->bus)->code_page[phys_page]) {
		bus_public(c->bus)->code_page[phys_page] = 1;
		access_code_page(c, phys_page);
	}
}

/* True when what begins in this page may be decoded beyond its end: once, and into memory. */
static bool may_cross(struct cpu *c, const struct code_page *p)
{
	u32 next = p->addr + BUS_PAGE_SIZE;
	u32 phys_page = next && !p->crossing ? bus_ram_page(c->bus, next, BUS_CPU) : BUS_NO_PAGE;

	if (phys_page == BUS_NO_PAGE)
		return false;
	mark_code(c, phys_page);
	return true;
}

static bool may_decode(struct cpu *c, const struct code_page *p, unsigned i)
{
	return i < PAGE_SLOTS ? slot_permitted(p, i) : may_cross(c, p);
}

/* Decodes slot i; false when the instruction is in the next page, at least in part, and may not, or where none
 * may be executed, or its target has no slot. */
static bool decode_slot(struct cpu *c, struct code_page *p, unsigned i, u8 it)
{
	struct slot *s = &p->slots[i];
	u16 halfwords[2] = { 0, 0 };
	const u8 *code = c->mem + p->addr + i * 2;

	if (!may_decode(c, p, i))
		return false;
	memcpy(halfwords, code, 2);
	if (insn_is_wide(halfwords[0])) {
		if (!may_decode(c, p, i + 1))
			return false;
		memcpy(halfwords + 1, code + 2, 2);
	}
	struct decoded d = decode_one(c->engine, halfwords, p->addr + i * 2, it != 0, s);
	unsigned kind = op_infos[d.op].kind, wide = d.length == 4;
	if ((kind == KIND_BR || kind == KIND_GO || kind == KIND_BRM) && !link_branch(p, i))
		return false;
	s->handler = handler_word(op_code(d.op)->handler[HANDLER_SINGLE][wide]);
	assert(s->handler && "an encoding's length is not in its op's row");
	p->info[i] = (u16)(d.op | INFO_KNOWN | (wide ? INFO_WIDE : 0) |
			   (kind_ends(kind) ? INFO_ENDS : 0));
	p->it[i] = it;
	return true;
}

static unsigned next_index(const struct code_page *p, unsigned i)
{
	return i + (p->info[i] & INFO_WIDE ? 2 : 1);
}

static void mark_uncached(struct code_page *p, unsigned i)
{
	p->slots[i].handler = handler_word(handler_uncached);
	p->slots[i].cost = 0;
	p->info[i] = OP_udf | INFO_KNOWN | INFO_ENDS;
}

static struct fuse_at at_slot(const struct code_page *p, unsigned i)
{
	return (struct fuse_at){ &p->slots[i], p->info[i] & INFO_OP, p->info[i] & INFO_WIDE ? 4 : 2 };
}

/* Chooses how the instructions of the IT block at slot `first` are predicated. */
static void predicate(struct code_page *p, unsigned first, unsigned end)
{
	unsigned cond = p->slots[first].a, last = first;
	bool same = true, mask = true, flags_change = false, cost_split = false, ends = false;
	struct fuse_at at[FUSED_IT_LEN];
	u8 otherwise[FUSED_IT_LEN];
	unsigned n = 0;

	for (unsigned i = next_index(p, first); i < end; i = next_index(p, i)) {
		unsigned op = p->info[i] & INFO_OP;
		same &= p->it[i] >> 4 == cond;
		at[n] = at_slot(p, i);
		otherwise[n++] = p->it[i] >> 4 != cond;
		flags_change |= last != first && (op_infos[p->info[last] & INFO_OP].uses & W_FLAGS);
		mask &= op_infos[op].kind == KIND_ALUA;
		cost_split |= ends; /* what follows is not in the price of the IT */
		ends = p->info[i] & INFO_ENDS;
		last = i;
	}
	if (mask) {
		handler_fn *fn = fused_it_handler(cond, at, otherwise, n);
		p->slots[first].handler = handler_word(fn ? fn : handler_it_mask[cond]);
	} else if (same && !flags_change && !cost_split) {
		p->slots[first].handler = handler_word(ends ? handler_it_branch[cond] : handler_it_skip[cond]);
		p->slots[first].imm = slot_link(&p->slots[first], &p->slots[end]);
		return;
	}
	for (unsigned i = next_index(p, first); i < end; i = next_index(p, i)) {
		struct slot *s = &p->slots[i];
		unsigned wide = !!(p->info[i] & INFO_WIDE);
		if (mask) {
			s->d = p->it[i] >> 4 != cond;
			s->handler = handler_word(op_code(p->info[i] & INFO_OP)->handler[HANDLER_PRED][wide]);
		} else {
			s->handler = handler_word((p->info[i] & INFO_ENDS ? handler_if_end : handler_if)[p->it[i] >> 4]);
		}
	}
}

/* Decodes an IT instruction's block; returns the slot after it, or 0 when it is in the next page, at
 * least in part, and may not. */
static unsigned decode_it_block(struct cpu *c, struct code_page *p, unsigned first)
{
	unsigned i = first + 1;
	u8 it = p->slots[first].d;

	for (; it; it = it_advance(it)) {
		if (!decode_slot(c, p, i, it))
			return 0;
		i = next_index(p, i);
	}
	predicate(p, first, i);
	return i;
}

/* Decodes the instruction at slot `first`, with an IT its block; returns the slot after it, or 0 when
 * it must be stepped. */
static unsigned decode_unit(struct cpu *c, struct code_page *p, unsigned first)
{
	if (!decode_slot(c, p, first, 0))
		return 0;
	bool is_it = (p->info[first] & INFO_OP) == OP_it;
	unsigned end = is_it ? decode_it_block(c, p, first) : next_index(p, first);
	if (end > PAGE_SLOTS) {
		p->crossing = p->slots[first].handler;
		p->slots[first].handler = handler_word(handler_crossing);
	}
	return end;
}

/* Cost units of the decoded instruction at slot j alone. */
static u32 own_units(const struct code_page *p, unsigned j)
{
	const struct slot *s = &p->slots[j];
	bool last = p->info[j] & INFO_ENDS || leads_out(p, next_index(p, j));

	return (last ? s->cost : s->cost - p->slots[next_index(p, j)].cost) >> 16;
}

static struct timed timed_at(const struct code_page *p, unsigned i)
{
	return (struct timed){ &p->slots[i], p->info[i] & INFO_OP, !(p->info[i] & INFO_WIDE) };
}

/* Suffix costs from the block's last slot back to `first`. `after` is the decoded slot that the
 * block runs into, or one that leads out. */
static void charge_block(struct cpu *c, struct code_page *p, const u16 *list, unsigned n, unsigned after)
{
	for (unsigned k = n; k-- > 0;) {
		unsigned i = list[k], op = p->info[i] & INFO_OP;
		unsigned j = k + 1 < n ? list[k + 1] : after;
		bool last = (p->info[i] & INFO_ENDS) || leads_out(p, j);
		struct slot *s = &p->slots[i], *next = last ? NULL : &p->slots[j];
		bool in_it = p->it[i] || op == OP_it; /* resumed IT blocks are stepped: no pairs there */
		struct timed this = timed_at(p, i);
		u32 own = timing_cost(c, &this, NULL, false);
		if (!last && !in_it) {
			struct timed after_this = timed_at(p, j);
			own = timing_cost(c, &this, &after_this, own_units(p, j) == 0 || p->it[j]);
		}
		s->cost = (own << 16 | 1) + (next ? next->cost : 0);
		assert(s->cost <= INT32_MAX && "no page of instructions takes as long");
	}
}

/* True when the next instruction may follow: slot i ends no block, or with a conditional branch. */
static bool goes_on(const struct code_page *p, unsigned i)
{
	return !(p->info[i] & INFO_ENDS) || op_infos[p->info[i] & INFO_OP].kind == KIND_BR;
}

/* Collects the instructions, and IT blocks that have one handler, from slot *i that may be part of
 * a fused sequence, `most` at most; *i: the slot after them. */
static unsigned straight(const struct code_page *p, unsigned *i, struct fuse_at *at, unsigned most)
{
	unsigned n = 0;

	while (n < most && *i < PAGE_SLOTS && p->info[*i] & INFO_KNOWN && !p->it[*i] &&
	       p->slots[*i].handler != handler_word(handler_crossing)) {
		at[n] = at_slot(p, *i);
		if (at[n].op == OP_it) {
			const struct fused_it *block = fused_it_of(p->slots[*i].handler);
			if (!block)
				break;
			at[n].op = (u16)(OP_COUNT + (unsigned)(block - fused_it));
			at[n].length = (u8)fused_it_length(block);
		}
		unsigned last = *i;
		*i += at[n++].length / 2;
		if (!goes_on(p, last))
			break;
	}
	return n;
}

/* Replaces handlers of plain sequences by fused ones. Sequences may run into what was decoded
 * before. */
static void fuse_block(const struct engine *e, struct code_page *p, const u16 *list, unsigned n)
{
	struct fuse_at at[PAGE_SLOTS + FUSED_LEN];
	u16 chosen[PAGE_SLOTS + FUSED_LEN];

	for (unsigned k = 0; k < n;) {
		unsigned end = list[k], m = straight(p, &end, at, n - k + FUSED_LEN - 1);
		fused_divide(e->fused, at, m, chosen);
		for (unsigned j = 0; j < m; j++) {
			unsigned i = slot_index(p, at[j].slot);
			if (chosen[j] && i <= list[n - 1])
				p->slots[i].handler = handler_word(e->fused->list[chosen[j] - 1].handler);
		}
		do
			k++;
		while (k < n && list[k] < end);
	}
}

/* Decodes the block at slot `index` and those behind its conditional branches, which may be fused with it. */
void code_decode_block(struct cpu *c, struct code_page *p, unsigned index)
{
	u16 list[PAGE_SLOTS + PAGE_TAIL];
	unsigned n = 0, i = index;

	while (i < PAGE_SLOTS && slot_permitted(p, i) && !(p->info[i] & INFO_KNOWN)) {
		unsigned end = decode_unit(c, p, i);
		if (!end) {
			mark_uncached(p, i);
			break;
		}
		for (; i < end; i = next_index(p, i))
			list[n++] = (u16)i;
		if (!goes_on(p, list[n - 1]))
			break;
	}
	charge_block(c, p, list, n, i);
	fuse_block(c->engine, p, list, n);
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
	mark_code(c, phys);
	unsigned index = pc >> 1 & (PAGE_SLOTS - 1);
	if (!(p->info[index] & INFO_KNOWN))
		code_decode_block(c, p, index);
	const struct slot *s = &p->slots[index];
	return s->handler == handler_word(handler_uncached) || !code_may_enter(c, s) ? NULL : s;
}
