/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/emit.h"

#include <string.h>

unsigned row_kind(const struct insn_row *row) { return op_infos[row->op].kind; }

bool row_is(const struct insn_row *row, const char *prefix)
{
	return !strncmp(op_infos[row->op].name, prefix, strlen(prefix));
}

bool row_has(const struct insn_row *row, const char *part) { return strstr(row->syntax, part) != NULL; }

u32 emit_pc(const struct emit *e) { return e->out->in.pc + e->out->halfwords * 2; }

void emit_half(struct emit *e, u16 half) { e->out->code[e->out->halfwords++] = half; }

void emit_wide(struct emit *e, u32 encoding)
{
	emit_half(e, (u16)(encoding >> 16));
	emit_half(e, (u16)encoding);
}

void emit_note(struct emit *e, const struct insn_row *row, u32 at)
{
	struct gen_case *c = e->out;

	if (c->insns < GEN_MAX_INSNS) {
		c->insn[c->insns].row = (u16)(row - insn_rows);
		c->insn[c->insns++].at = (u16)at;
	}
}

static u32 wide_immediate(u32 opcode, unsigned reg, u32 v)
{
	return opcode | (v & 0x800) << 15 | (v & 0xf000) << 4 | (v & 0x700) << 4 | reg << 8 | (v & 0xff);
}

void emit_movw(struct emit *e, unsigned reg, u32 value)
{
	emit_wide(e, wide_immediate(0xf2400000, reg, value & 0xffff));
	e->bases &= ~(1u << reg);
}

void emit_address(struct emit *e, unsigned reg, u32 value)
{
	emit_movw(e, reg, value);
	emit_wide(e, wide_immediate(0xf2c00000, reg, value >> 16));
}

u32 emit_block_address(struct insn_random *r)
{
	u32 address = CASE_BLOCK + 0x100 + insn_random_below(r, 0x180);

	switch (insn_random_below(r, 32)) {
	case 0: return address;
	case 1: return address & ~1u;
	case 2: case 3: case 4: return address & ~3u;
	default: return address & ~7u;
	}
}

u32 emit_stack(struct emit *e)
{
	return (e->out->in.env.tick ? CASE_FAR_STACK : CASE_STACK) + 8 * insn_random_below(&e->r, 8);
}

unsigned emit_base(struct emit *e)
{
	u32 ready = e->bases & 0xff;

	if (ready && insn_random_below(&e->r, 8)) {
		u32 n = insn_random_below(&e->r, (u32)__builtin_popcount(ready));
		while (n--)
			ready &= ready - 1;
		return (unsigned)__builtin_ctz(ready);
	}
	unsigned reg;
	do
		reg = insn_random_below(&e->r, 8);
	while (e->keep >> reg & 1);
	emit_address(e, reg, emit_block_address(&e->r));
	e->bases |= 1u << reg;
	return reg;
}
