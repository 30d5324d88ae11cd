/* SPDX-License-Identifier: Apache-2.0 */
/* Which loads and stores most likely reach memory that takes no time (TCMs beside memories with wait states), so that the usual way is laid in
 * order: a piece is translated when it is about to run, so registers hold what they hold there, and addresses made of them lie near. A guess that is wrong
 * costs some host instructions, never a result. */
#include "cpu/engine/direct.h"
#include "cpu/engine/plan.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/protect.h"

/* By core register an address near to what it points to; 0: not known. */
struct reach { const struct cpu *c; u32 near[16]; };

static u32 word_at(const struct cpu *c, u32 addr)
{
	u32 word;

	if (addr & 3 || !(c->page_ok[addr >> BUS_PAGE_SHIFT] & (PERM_READ | PERM_TIMED | PERM_WAIT_READ)))
		return 0;
	memcpy(&word, c->mem + addr, sizeof(word));
	return word;
}

/* Where an access is made, as far as that is known. */
static u32 accessed(const struct reach *x, unsigned op, const struct slot *s)
{
	const struct recipe *r = &direct_recipes[op];
	const unsigned uses = op_infos[op].uses;

	if (r->what && (r->operand == AT_CONSTANT || (r->what == DO_TABLE_JUMP && r->flags & TABLE_HERE)))
		return s->imm;
	const u32 base = uses & LIST ? x->near[s->a & 15] : uses & R_B ? x->near[s->b & 15] : 0;
	return base && r->what && (r->operand == AT_IMM || r->operand == AT_PRE) ? base + s->imm : base;
}

/* What registers hold behind an instruction: of a sum the larger part is the address. */
static u32 result(const struct reach *x, unsigned op, const struct slot *s)
{
	const struct recipe *r = &direct_recipes[op];
	const unsigned uses = op_infos[op].uses;

	if (uses & R_MEM)
		return r->what == DO_LOAD && r->bytes == 4 ? word_at(x->c, accessed(x, op, s)) : 0;
	if (r->what == DO_MOV && r->operand == Y_IMM)
		return s->imm;
	if (r->what == DO_MOVT)
		return (x->near[s->a & 15] & 0xffff) | s->imm << 16;
	const u32 b = uses & R_B ? x->near[s->b & 15] : 0, c = uses & R_C ? x->near[s->c & 15] : 0;
	return b > c ? b : c;
}

static void follow(struct reach *x, unsigned op, const struct slot *s)
{
	const u32 value = result(x, op, s);
	const bool memory = op_infos[op].uses & (R_MEM | W_MEM);
	u32 written = op_written(op, s);

	if (memory && op_infos[op].uses & W_B) /* the base stays near */
		written &= ~(1u << (s->b & 15));
	for (; written; written &= written - 1)
		x->near[__builtin_ctz(written) & 15] = value;
}

void reach_plan(struct piece *p)
{
	enum { SP = 13 };
	struct reach x = { .c = p->c };

	memcpy(x.near, p->c->core.r, sizeof(x.near));
	for (unsigned k = 0; k < p->n; k++) {
		const unsigned i = p->step[k].slot, op = p->p->info[i] & INFO_OP;
		const u32 known = accessed(&x, op, &p->p->slots[i]), at = known ? known : x.near[SP];
		const bool accesses = op_infos[op].uses & (R_MEM | W_MEM);
		p->step[k].untimed = accesses && !caches_time(p->c, at);
		p->step[k].posted = accesses && caches_beat_free(p->c, at, op_infos[op].uses & W_MEM);
		follow(&x, op, &p->p->slots[i]);
	}
}
