/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions into slots. Handlers are chosen here: branches inside or out of the page, predication in IT
 * blocks. */
#include "cpu/engine/code.h"
#include "cpu/sys/caches.h"

#include <assert.h>

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

bool kind_ends_block(unsigned kind)
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
		p->slots[i].imm = slot_link(to);
	return to;
}

/* True when what begins in this page may be decoded beyond its end: once, and into memory that takes as long. */
static bool may_cross(struct cpu *c, const struct code_page *p)
{
	u32 next = p->addr + BUS_PAGE_SIZE;
	u32 phys_page = next && !p->crossing && caches_time(c, next) == p->waits ? bus_ram_page(c->bus, next, BUS_CPU) : BUS_NO_PAGE;

	if (phys_page == BUS_NO_PAGE)
		return false;
	code_mark(c, phys_page);
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
	slot_used(p, i);
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
			   (kind_ends_block(kind) ? INFO_ENDS : 0));
	p->it[i] = it;
	return true;
}

/* Chooses how the instructions of the IT block at slot `first` are predicated. */
static void predicate(struct code_page *p, unsigned first, unsigned end)
{
	unsigned cond = p->slots[first].a, last = first;
	const bool one_line = !p->waits || first * 2 / CACHE_LINE == (end * 2 - 1) / CACHE_LINE; /* else each fetch has its time */
	bool same = one_line, mask = one_line, flags_change = false, cost_split = false, ends = false;

	for (unsigned i = next_index(p, first); i < end; i = next_index(p, i)) {
		unsigned op = p->info[i] & INFO_OP;
		same &= p->it[i] >> 4 == cond;
		flags_change |= last != first && (op_infos[p->info[last] & INFO_OP].uses & W_FLAGS);
		mask &= op_infos[op].kind == KIND_ALUA && op_code(op)->handler[HANDLER_PRED][!!(p->info[i] & INFO_WIDE)];
		cost_split |= ends; /* what follows is not in the price of the IT */
		ends = p->info[i] & INFO_ENDS;
		last = i;
	}
	if (mask) {
		p->slots[first].handler = handler_word(handler_it_mask[cond]);
	} else if (same && !flags_change && !cost_split) {
		p->slots[first].handler = handler_word(ends ? handler_it_branch[cond] : handler_it_skip[cond]);
		p->slots[first].imm = slot_link(&p->slots[end]);
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

unsigned decode_unit(struct cpu *c, struct code_page *p, unsigned first)
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
