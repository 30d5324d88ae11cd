/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/spin_access.h"

enum { SP = 13, PC = 15 };

struct insn {
	struct cpu *cpu;
	u16 h[2];
};

static u32 reg(const struct insn *i, unsigned n)
{
	const u32 value = cpu_get_reg(i->cpu, n);

	return n == PC ? (value + 4) & ~3u : value; /* as the base of a literal */
}

static struct access access(bool load, u32 addr, u32 bytes)
{
	return (struct access){ load ? ACCESS_READ : ACCESS_WRITE, addr, bytes };
}

static struct access other(void)
{
	return (struct access){ ACCESS_OTHER, 0, 0 };
}

static struct access none(void)
{
	return (struct access){ ACCESS_NONE, 0, 0 };
}

static u32 list_bytes(u32 list)
{
	return 4 * (u32)__builtin_popcount(list);
}

/* 0101 ooo mmm nnn ttt */
static struct access narrow_register(const struct insn *i)
{
	static const u8 bytes[8] = { 4, 2, 1, 1, 4, 2, 1, 2 };
	const unsigned op = i->h[0] >> 9 & 7;

	return access(op > 2, reg(i, i->h[0] >> 3 & 7) + reg(i, i->h[0] >> 6 & 7), bytes[op]);
}

/* oooo L iiiii nnn ttt: word, byte, halfword */
static struct access narrow_immediate(const struct insn *i)
{
	const unsigned op = i->h[0] >> 12;
	const u32 bytes = op == 6 ? 4 : op == 7 ? 1 : 2;

	return access(i->h[0] & 0x800, reg(i, i->h[0] >> 3 & 7) + (i->h[0] >> 6 & 31) * bytes, bytes);
}

static struct access narrow_misc(const struct insn *i)
{
	const u32 list = i->h[0] & 0x1ff; /* with LR or PC */

	switch (i->h[0] & 0xfe00) {
	case 0xb400: /* PUSH */
		return access(false, reg(i, SP) - list_bytes(list), list_bytes(list));
	case 0xbc00: /* POP */
		return access(true, reg(i, SP), list_bytes(list));
	default: /* BKPT is a call to the host */
		return (i->h[0] & 0xff00) == 0xbe00 ? other() : none();
	}
}

static struct access narrow(const struct insn *i)
{
	const bool load = i->h[0] & 0x800;

	switch (i->h[0] >> 12) {
	case 4:
		return load ? access(true, reg(i, PC) + (i->h[0] & 0xff) * 4, 4) : none();
	case 5:
		return narrow_register(i);
	case 6:
	case 7:
	case 8:
		return narrow_immediate(i);
	case 9:
		return access(load, reg(i, SP) + (i->h[0] & 0xff) * 4, 4);
	case 0xb:
		return narrow_misc(i);
	case 0xc:
		return access(load, reg(i, i->h[0] >> 8 & 7), list_bytes(i->h[0] & 0xff));
	case 0xd:
		return (i->h[0] & 0xff00) == 0xdf00 ? other() : none(); /* SVC */
	default:
		return none();
	}
}

/* 1110 100 PU0 WL nnnn: LDM, STM */
static struct access wide_multiple(const struct insn *i)
{
	const unsigned n = i->h[0] & 15;
	const u32 bytes = list_bytes(i->h[1]);

	if (n == PC) /* CLRM: registers only */
		return none();
	return access(i->h[0] & 0x10, reg(i, n) - (i->h[0] & 0x100 ? bytes : 0), bytes);
}

/* 1110 100 PU1 WL nnnn: LDRD, STRD, and where P = W = 0 exclusives, ordered accesses, TBB, TT */
static struct access wide_dual(const struct insn *i)
{
	const bool load = i->h[0] & 0x10, table = i->h[0] >> 4 == 0xe8d && (i->h[1] & 0xffe0) == 0xf000;
	const u32 base = reg(i, i->h[0] & 15), offset = (i->h[1] & 0xffu) * 4;

	if (i->h[0] & 0x120)
		return access(load, !(i->h[0] & 0x100) ? base : i->h[0] & 0x80 ? base + offset : base - offset, 8);
	if (table) {
		const u32 pc = cpu_get_reg(i->cpu, PC) + 4, index = reg(i, i->h[1] & 15);

		return access(true, ((i->h[0] & 15) == PC ? pc : base) + (i->h[1] & 0x10 ? index << 1 : index), 2);
	}
	if (load)
		return access(true, base + (i->h[0] & 0x80 ? 0 : offset), 8);
	return i->h[0] >> 4 == 0xe84 && i->h[1] >> 12 == 15 ? none() : other(); /* TT, or a store */
}

/* 1111 100 SU zz L nnnn: one byte, halfword or word */
static struct access wide_single(const struct insn *i)
{
	const unsigned n = i->h[0] & 15;
	const bool load = i->h[0] & 0x10, up = i->h[0] & 0x80;
	const u32 base = reg(i, n), bytes = 1u << (i->h[0] >> 5 & 3), imm12 = i->h[1] & 0xfff, imm8 = imm12 & 0xff;

	if (bytes > 4)
		return none();
	if (load && n == PC)
		return access(true, up ? base + imm12 : base - imm12, bytes);
	if (up)
		return access(load, base + imm12, bytes);
	if (!(imm12 & 0x800))
		return access(load, base + (reg(i, i->h[1] & 15) << (imm12 >> 4 & 3)), bytes);
	if (!(imm12 & 0x400)) /* post-indexed */
		return access(load, base, bytes);
	return access(load, imm12 & 0x200 ? base + imm8 : base - imm8, bytes);
}

static struct access wide(const struct insn *i)
{
	switch (i->h[0] & 0xfe40) {
	case 0xe800:
		return wide_multiple(i);
	case 0xe840:
		return wide_dual(i);
	case 0xf800:
	case 0xf840:
		return wide_single(i);
	case 0xec00: /* floating-point and vector loads and stores */
	case 0xec40:
	case 0xfc00:
	case 0xfc40:
		return other();
	default:
		return none();
	}
}

struct access access_next(struct cpu *c)
{
	struct insn i = { .cpu = c };
	const u32 pc = cpu_get_reg(c, PC);

	if (!cpu_peek(c, pc, i.h, 2))
		return other();
	if (i.h[0] >> 11 < 0x1d)
		return narrow(&i);
	return cpu_peek(c, pc + 2, &i.h[1], 2) ? wide(&i) : other();
}
