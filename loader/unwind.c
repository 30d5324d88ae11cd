/* SPDX-License-Identifier: Apache-2.0 */
/* From a function to its caller, by the call frame information of an ELF file (.debug_frame). Compilers for Arm describe
 * core registers by offsets to the stack pointer at the call; of DWARF's expressions only what that needs is computed.
 * Register numbers: DWARF for the Arm Architecture (AADWARF32), 4.1: r0 to r15 are 0 to 15. */
#include "loader/image_private.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { SP = 13, LR = 14, PC = 15, DEPTH = 8 };

struct question {
	struct image_private *p;
	u32 addr;
	const u32 *r; /* here */
	u32 above[16]; /* in the caller */
	image_word_fn *word;
	void *ctx;
	bool answered;
};

struct stack { u32 value[DEPTH]; unsigned depth; };

static bool push(struct stack *s, u64 value)
{
	if (s->depth == DEPTH)
		return false;
	s->value[s->depth++] = (u32)value;
	return true;
}

/* One operation; false: not known here. */
static bool operate(const struct question *q, const Dwarf_Op *op, u32 cfa, struct stack *s)
{
	u32 *top = s->depth ? &s->value[s->depth - 1] : NULL;

	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg0 + PC)
		return push(s, q->r[op->atom - DW_OP_breg0] + op->number);
	switch (op->atom) {
	case DW_OP_bregx:
		return op->number <= PC && push(s, q->r[op->number] + op->number2);
	case DW_OP_call_frame_cfa:
		return push(s, cfa);
	case DW_OP_constu: case DW_OP_consts: case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s:
		return push(s, op->number);
	case DW_OP_plus_uconst:
		return top && (*top += (u32)op->number, true);
	case DW_OP_plus:
		return s->depth >= 2 && (top[-1] += *top, s->depth--, true);
	case DW_OP_minus:
		return s->depth >= 2 && (top[-1] -= *top, s->depth--, true);
	case DW_OP_deref:
		return top && q->word(q->ctx, *top, top);
	default:
		return false;
	}
}

static bool evaluate(const struct question *q, const Dwarf_Op *ops, size_t count, u32 cfa, u32 *out)
{
	struct stack s = { .depth = 0 };

	for (size_t i = 0; i < count; i++)
		if (!operate(q, &ops[i], cfa, &s))
			return false;
	*out = s.depth ? s.value[s.depth - 1] : 0;
	return s.depth != 0;
}

/* Register n of the caller; false: nobody knows. */
static bool find_register(struct question *q, Dwarf_Frame *frame, int n, u32 cfa)
{
	Dwarf_Op room[3], *ops;
	size_t count;
	u32 at;

	if (dwarf_frame_register(frame, n, room, &ops, &count) != 0)
		return false;
	if (!count) {
		q->above[n] = q->r[n]; /* the same; or lost, as r0 to r3 are */
		return ops == NULL;
	}
	if (count == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg0 + PC) {
		q->above[n] = q->r[ops->atom - DW_OP_reg0];
		return true;
	}
	const bool is_value = ops[count - 1].atom == DW_OP_stack_value;
	if (!evaluate(q, ops, is_value ? count - 1 : count, cfa, &at))
		return false;
	q->above[n] = at;
	return is_value || q->word(q->ctx, at, &q->above[n]);
}

static void ask(void *ctx)
{
	struct question *q = ctx;
	Dwarf_CFI *cfi = image_dwarf(q->p) ? dwarf_getcfi(q->p->dwarf) : NULL;
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t count;
	u32 cfa;

	if (!cfi || dwarf_cfi_addrframe(cfi, q->addr, &frame) != 0)
		return;
	if (dwarf_frame_cfa(frame, &ops, &count) == 0 && evaluate(q, ops, count, 0, &cfa)) {
		for (int n = 0; n < SP; n++)
			find_register(q, frame, n, cfa);
		q->above[SP] = cfa;
		q->answered = find_register(q, frame, LR, cfa);
		q->above[PC] = q->above[LR];
	}
	free(frame);
}

bool image_unwind(struct image *image, u32 addr, u32 r[16], image_word_fn *word, void *ctx)
{
	struct question q = { .p = image->private, .addr = addr & ~1u, .r = r, .word = word, .ctx = ctx };

	if (!image_ask(ask, &q) || !q.answered)
		return false;
	memcpy(r, q.above, sizeof q.above);
	return true;
}
