/* SPDX-License-Identifier: Apache-2.0 */
/* What fills holes, and where branches go: stubs of slots. */
#include "cpu/engine/translation.h"
#include "cpu/engine/observed.h"

static uintptr_t register_at(const struct slot *s, unsigned r, bool select)
{
	if (select && r == 15)
		return offsetof(struct cpu, zero);
	return offsetof(struct cpu, core.r) + 4 * r;
}

/* The holes of slot i; exits are still to come. */
struct emit_values translate_values(const struct code_page *p, unsigned i)
{
	const struct slot *s = &p->slots[i];
	unsigned op = p->info[i] & INFO_OP;
	bool select = op_infos[op].uses & SELECTS;
	const uintptr_t fp = offsetof(struct cpu, fp.q);
	handler_fn *plain = observed_marked(p, i) ? handler_observed_end :
			    p->info[i] & INFO_KNOWN ? op_code(op)->handler[HANDLER_SINGLE][!!(p->info[i] & INFO_WIDE)] : NULL;

	return (struct emit_values){ .value = {
		[HOLE_A] = register_at(s, s->a, false), [HOLE_B] = register_at(s, s->b, select),
		[HOLE_C] = register_at(s, s->c, select), [HOLE_D] = register_at(s, s->d, false),
		[HOLE_SA] = fp + 4u * s->a, [HOLE_SB] = fp + 4u * s->b, [HOLE_SC] = fp + 4u * s->c,
		[HOLE_DA] = fp + 8u * s->a, [HOLE_DB] = fp + 8u * s->b, [HOLE_DC] = fp + 8u * s->c,
		[HOLE_QA] = fp + 16u * s->a, [HOLE_QB] = fp + 16u * s->b, [HOLE_QC] = fp + 16u * s->c,
		[HOLE_IMM] = s->imm, [HOLE_ABCD] = s->abcd,
		[HOLE_Va] = s->a, [HOLE_Vb] = s->b, [HOLE_Vc] = select ? 0 : s->c, [HOLE_Vd] = s->d,
		[HOLE_AFTER] = (uintptr_t)&p->slots[next_index(p, i)],
		[HOLE_COST] = s->cost, [HOLE_SLOT] = (uintptr_t)s, [HOLE_PLAIN] = (uintptr_t)plain,
		[HOLE_PLAIN_FUNCTION] = (uintptr_t)op_plain(op)->fast } };
}

u8 *translate_laid_at(const struct code_page *p, const struct emit_memory *m, unsigned i)
{
	u8 *code = (u8 *)(uintptr_t)handler_of(p->slots[i].handler);

	return emit_contains(m, code) ? code : NULL;
}

static u8 *stub_code(const struct code_page *p, unsigned i)
{
	return (u8 *)((uintptr_t)slot_base + (uintptr_t)(intptr_t)p->stub[i]);
}

/* Sends the stub of slot i, if there is one, to the slot's code, or to where it is found. */
void translate_link(const struct code_page *p, struct emit_memory *m, unsigned i)
{
	struct emit_values v = translate_values(p, i);
	u8 *code = translate_laid_at(p, m, i);

	v.value[HOLE_GO] = code ? (uintptr_t)code : (uintptr_t)go_enter;
	emit_over(m, stub_code(p, i), part(code ? PART_enter : PART_handler), &v, NULL);
}

/* Where a branch to slot i goes. */
uintptr_t translate_stub(struct translation *t, const struct slot *to)
{
	struct code_page *p = t->piece->p;
	unsigned i = slot_index(p, to);

	if (!p->stub[i]) {
		struct emit_values v = translate_values(p, i);
		bool leaves = i >= PAGE_SLOTS + PAGE_TAIL;
		v.value[HOLE_GO] = (uintptr_t)go_enter;
		u8 *code = leaves ? translate_far(t, i) : emit_apart(t->m, part(PART_enter), &v, NULL);
		if (!leaves)
			slot_used(p, i);
		p->stub[i] = (i32)((uintptr_t)code - (uintptr_t)slot_base);
		p->has_stubs = true;
		if (!leaves)
			translate_link(p, t->m, i);
	}
	return (uintptr_t)stub_code(p, i);
}

/* Where code goes on behind the end of a block that is told, at slot i. */
uintptr_t translate_told(struct translation *t, unsigned i, handler_fn *handler)
{
	struct emit_values v = translate_values(t->piece->p, i);

	v.value[HOLE_GO] = (uintptr_t)handler;
	return (uintptr_t)emit_apart(t->m, part(PART_handler), &v, NULL);
}

uintptr_t translate_taken(struct translation *t, unsigned i)
{
	const struct code_page *p = t->piece->p;

	return observed_marked(p, i) ? translate_told(t, i, handler_observed_taken) : translate_stub(t, slot_linked(p->slots[i].imm));
}
