/* SPDX-License-Identifier: Apache-2.0 */
/* Branches to other pages, and indirect jumps: their stubs find the page each time, or go straight to the code at their target while it is there. That still tests
 * whether the page may be executed. Who forgets code, or exchanges a page's view, takes that back (translate_unlink). */
#include "cpu/engine/translation.h"

#include <assert.h>

static u8 *stub_of(const struct link *x)
{
	return (u8 *)((uintptr_t)slot_base + (uintptr_t)(intptr_t)x->stub);
}

/* Sends a stub to the code of slot i. */
static void make(struct code_page *p, struct emit_memory *m, struct link *x, unsigned i)
{
	struct emit_values v = translate_values(p, i);

	assert(emit_size(part(PART_far_linked)) <= emit_size(part(PART_far)) && "it takes its place");
	v.value[HOLE_IMM] = x->to;
	v.value[HOLE_LINE] = x->to >> BUS_PAGE_SHIFT;
	v.value[HOLE_GO] = (uintptr_t)translate_laid_at(p, m, i);
	emit_over(m, stub_of(x), part(PART_far_linked), &v, NULL);
	x->made = true;
	p->has_links = true;
}

static void take_back(struct emit_memory *m, struct link *x)
{
	const struct emit_values v = { .value = { [HOLE_IMM] = x->to } };

	emit_over(m, stub_of(x), part(PART_far), &v, NULL);
	x->made = false;
}

u8 *translate_far(struct translation *t, unsigned i)
{
	const u32 to = t->piece->p->slots[i].imm & ~1u;
	const struct emit_values v = { .value = { [HOLE_IMM] = to } };
	struct emit_memory *m = t->m;
	u8 *code = emit_apart(m, part(PART_far), &v, NULL);
	struct link *x = links_add(&m->links, to, (i32)((uintptr_t)code - (uintptr_t)slot_base));
	struct code_page *p = t->piece->c->code[to >> BUS_PAGE_SHIFT];

	if (x && p && translate_laid_at(p, m, slot_index(p, slot_of(p, to))))
		make(p, m, x, slot_index(p, slot_of(p, to)));
	return code;
}

void translate_found(struct translation *t, unsigned i)
{
	struct code_page *p = t->piece->p;
	struct links *l = &t->m->links;
	const u32 at = p->addr + 2 * i;

	if (i >= PAGE_SLOTS || t->piece->c->code[at >> BUS_PAGE_SHIFT] != p)
		return;
	for (struct link *x = links_first(l, at); x; x = links_next(l, x))
		if (!x->made)
			make(p, t->m, x, i);
}

void translate_jumped(struct cpu *c, u32 to)
{
	struct code_page *p = c->code[to >> BUS_PAGE_SHIFT];

	if (!p)
		return;
	const unsigned i = slot_index(p, slot_of(p, to));
	const u8 *code = translate_laid_at(p, c->engine->translated, i);
	if (!code)
		return;
	c->jumps[jump_index(to)] = (struct jump){ to, p->slots[i].cost, code };
	p->has_links = true;
}

void translate_unlink(struct emit_memory *m, struct code_page *p)
{
	if (!p->has_links)
		return;
	for (unsigned i = 0; i < m->links.count; i++) {
		struct link *x = &m->links.list[i];
		if (x->made && x->to >> BUS_PAGE_SHIFT == p->addr >> BUS_PAGE_SHIFT)
			take_back(m, x);
	}
	emit_forget_jumps(m);
	p->has_links = false;
}
