/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers a loop keeps in host registers from one iteration to the next: loops whose code is all host instructions of its own, and
 * that nobody enters but at their head. */
#include "cpu/engine/direct.h"
#include "cpu/engine/plan.h"

#define LIVE 1000u    /* more than a register is used in a loop: one that is read before it is written */
#define CARRIED 2000u /* one that is written as well, for the next iteration */
#define OTHERS 2u     /* host registers for what is not kept */

/* How much a loop gains from each register; which of them it changes. */
struct worth { unsigned of[16]; u16 written; };

static u32 op_read(unsigned op, const struct slot *s)
{
	const unsigned uses = op_infos[op].uses;
	const u32 list = !direct_is_list(op) ? 0 : 1u << s->a | (uses & W_MEM ? s->imm & 0x7fff : 0);

	return list | (uses & R_A ? 1u << s->a : 0) | (uses & R_B ? 1u << s->b : 0) | (uses & R_C ? 1u << s->c : 0) | (uses & R_D ? 1u << s->d : 0) |
	       (op == OP_le ? op_written(op, s) : 0);
}

static void count(struct worth *w, unsigned op, const struct slot *s)
{
	const u32 read = op_read(op, s), written = op_written(op, s);

	for (unsigned r = 0; r < 15; r++) {
		w->of[r] += (read >> r & 1) + (written >> r & 1);
		if (read >> r & 1 && !(w->written >> r & 1) && w->of[r] < LIVE)
			w->of[r] += LIVE;
	}
	w->written |= (u16)written;
}

/* What steps from k on do as far as the last one that leads back to it; false: none does. */
static bool follow(const struct piece *x, unsigned k, struct worth *w)
{
	const unsigned head = x->step[k].slot;
	struct worth so_far = { 0 };
	bool again = false;

	for (unsigned j = k; j < x->n && step_is_direct(&x->step[j]) && (j == k || !x->step[j].label); j++) {
		const struct slot *s = &x->p->slots[x->step[j].slot];
		const unsigned op = x->p->info[x->step[j].slot] & INFO_OP;
		count(&so_far, op, s);
		if (is_direct(op) && slot_index(x->p, slot_linked(s->imm)) == head) {
			*w = so_far;
			again = true;
		}
		if (op_infos[op].kind == KIND_JMP)
			break;
	}
	return again;
}

/* The register that gains most; 16: none gains anything. */
static unsigned best_of(const struct worth *w)
{
	unsigned best = 0;

	for (unsigned r = 1; r < 15; r++)
		best = w->of[r] > w->of[best] ? r : best;
	return w->of[best] ? best : 16;
}

bool loop_keeps(const struct piece *x, unsigned k, u16 *set, u16 *changes)
{
	struct worth w;
	unsigned used = 0;

	/* nobody goes back to a branch that is laid with the comparison before it */
	if (!x->step[k].loop || !step_can_be_entered(&x->step[k]) || x->alone || !follow(x, k, &w))
		return false;
	for (unsigned r = 0; r < 15; r++) {
		used += w.of[r] != 0;
		if (w.of[r] >= LIVE && w.written >> r & 1)
			w.of[r] += CARRIED;
	}
	*set = 0;
	*changes = w.written;
	for (unsigned n = used > HOLD_MAX ? HOLD_MAX - OTHERS : HOLD_MAX; n && best_of(&w) < 16; n--) {
		const unsigned r = best_of(&w);
		*set |= (u16)(1u << r);
		w.of[r] = 0;
	}
	return true;
}
