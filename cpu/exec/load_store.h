/* SPDX-License-Identifier: Apache-2.0 */
/* Integer loads and stores. a = data, b = base, c = index or second data, imm = offset.
 * Write-back happens after the access, so that an abandoned instruction changed nothing. */
#ifndef CPU_EXEC_LOAD_STORE_H
#define CPU_EXEC_LOAD_STORE_H

#include "cpu/exec/body.h"

/* New base value *base. SP is limited: its lower end, old or new, must not pass the limit; and it stays
 * word aligned whatever is written back to it. */
BODY bool base_fits(struct cpu *c, const struct slot *s, const enum path path, u32 old, u32 *base)
{
	u32 value = *base;

	if (LIKELY(s->b != 13))
		return true;
	*base = value & ~3u;
	return sp_fits(c, path, old < value ? old : value);
}

#define EXTEND_ldr(x) (x)
#define EXTEND_ldrb(x) (x)
#define EXTEND_ldrh(x) (x)
#define EXTEND_ldrsb(x) ((u32)(i8)(x))
#define EXTEND_ldrsh(x) ((u32)(i16)(x))

#define LOAD_AT(name, bytes, address, flags) \
	u32 value; \
	if (!load(c, path, address, bytes, flags, &value)) \
		return false; \
	RA = EXTEND_##name(value); \
	return true
#define LOADS(name, bytes) \
	MEM_OP(name##_ri) { LOAD_AT(name, bytes, ADD_IMM(RB), ACC_NORMAL); } \
	MEM_OP(name##_rr) { LOAD_AT(name, bytes, RB + RC, ACC_NORMAL); } \
	MEM_OP(name##_rl) { LOAD_AT(name, bytes, RB + SHL_IMM(RC, s->imm), ACC_NORMAL); } \
	MEM_OP(name##_lit) { LOAD_AT(name, bytes, s->imm, ACC_NORMAL); } \
	MEM_OP(name##_t) { LOAD_AT(name, bytes, ADD_IMM(RB), ACC_UNPRIV); } \
	MEM_OP(name##_pre) \
	{ \
		u32 address = ADD_IMM(RB), base = address, value; \
		if (!base_fits(c, s, path, RB, &base) || \
		    !load(c, path, address, bytes, ACC_NORMAL, &value)) \
			return false; \
		NEW_B = base; \
		RA = EXTEND_##name(value); \
		return true; \
	} \
	MEM_OP(name##_post) \
	{ \
		u32 address = RB, base = ADD_IMM(address), value; \
		if (!base_fits(c, s, path, address, &base) || \
		    !load(c, path, address, bytes, ACC_NORMAL, &value)) \
			return false; \
		NEW_B = base; \
		RA = EXTEND_##name(value); \
		return true; \
	}
LOADS(ldr, 4)
LOADS(ldrb, 1)
LOADS(ldrh, 2)
LOADS(ldrsb, 1)
LOADS(ldrsh, 2)

#define STORES(name, bytes) \
	MEM_OP(name##_ri) { return store(c, path, ADD_IMM(RB), bytes, ACC_NORMAL, OLD_A); } \
	MEM_OP(name##_rr) { return store(c, path, RB + RC, bytes, ACC_NORMAL, OLD_A); } \
	MEM_OP(name##_rl) { return store(c, path, RB + SHL_IMM(RC, s->imm), bytes, ACC_NORMAL, OLD_A); } \
	MEM_OP(name##_t) { return store(c, path, ADD_IMM(RB), bytes, ACC_UNPRIV, OLD_A); } \
	MEM_OP(name##_pre) \
	{ \
		u32 address = ADD_IMM(RB), base = address; \
		if (!base_fits(c, s, path, RB, &base) || \
		    !store(c, path, address, bytes, ACC_NORMAL, OLD_A)) \
			return false; \
		NEW_B = base; \
		return true; \
	} \
	MEM_OP(name##_post) \
	{ \
		u32 address = RB, base = ADD_IMM(address); \
		if (!base_fits(c, s, path, address, &base) || \
		    !store(c, path, address, bytes, ACC_NORMAL, OLD_A)) \
			return false; \
		NEW_B = base; \
		return true; \
	}
STORES(str, 4)
STORES(strb, 1)
STORES(strh, 2)

/* Loads to SP: word aligned, no limit check. */
#define LOAD_SP(name) \
	MEM_OP(name##_sp) \
	{ \
		if (!op_##name(s, c, f, path)) \
			return false; \
		c->core.r[13] &= ~3u; \
		return true; \
	}
LOAD_SP(ldr_ri)
LOAD_SP(ldr_rl)
LOAD_SP(ldr_lit)
LOAD_SP(ldr_pre)
LOAD_SP(ldr_post)

/* Loads to PC. a is unused. Those from the stack are returns. */
BODY bool load_pc(struct cpu *c, const enum path path, u32 address, bool returns, u32 *target)
{
	return load(c, path, address, 4, ACC_TRIED, target) && (path == SLOW || jump_plain(*target)) &&
	       (returns || branches_indirectly(c, path));
}
JMP_OP(ldr_pc_ri) { return load_pc(c, path, ADD_IMM(RB), s->b == 13, target); }
JMP_OP(ldr_pc_rl) { return load_pc(c, path, RB + SHL_IMM(RC, s->imm), s->b == 13, target); }
JMP_OP(ldr_pc_lit) { return load_pc(c, path, s->imm, false, target); }
JMP_OP(ldr_pc_pre)
{
	u32 address = ADD_IMM(RB), base = address;
	if (!base_fits(c, s, path, RB, &base) || !load_pc(c, path, address, s->b == 13, target))
		return false;
	NEW_B = base;
	return true;
}
JMP_OP(ldr_pc_post)
{
	u32 address = RB, base = ADD_IMM(address);
	if (!base_fits(c, s, path, address, &base) || !load_pc(c, path, address, s->b == 13, target))
		return false;
	NEW_B = base;
	return true;
}

/* ---- two words: a, c ------------------------------------------------------------------------ */
BODY bool load_pair(const struct slot *s, struct cpu *c, const enum path path, u32 address)
{
	u32 x[2];

	if (path == SLOW) {
		if (!cpu_load(c, address, 4, ACC_ALIGNED, &x[0]) ||
		    !cpu_load(c, address + 4, 4, ACC_ALIGNED, &x[1]))
			return false;
	} else {
		if (!page_open(c, path, address, 8, 4, PAGE_READ))
			return false;
		tell_access(c, path, address, 4, 2, NULL);
		memcpy(x, MEMORY(c, path) + address, 8);
	}
	RA = x[0];
	NEW_C = x[1];
	return true;
}
BODY bool store_pair(const struct slot *s, struct cpu *c, const enum path path, u32 address)
{
	u32 x[2] = { OLD_A, RC };

	if (path == SLOW)
		return cpu_store(c, address, 4, ACC_ALIGNED, x[0]) &&
		       cpu_store(c, address + 4, 4, ACC_ALIGNED, x[1]);
	if (!page_open(c, path, address, 8, 4, PAGE_WRITE))
		return false;
	tell_access(c, path, address, 4, 2, x);
	memcpy(MEMORY(c, path) + address, x, 8);
	return true;
}
MEM_OP(ldrd_ri) { return load_pair(s, c, path, ADD_IMM(RB)); }
MEM_OP(ldrd_lit) { return load_pair(s, c, path, s->imm); }
MEM_OP(strd_ri) { return store_pair(s, c, path, ADD_IMM(RB)); }
#define PAIR_BACK(name, access, address, value) \
	MEM_OP(name) \
	{ \
		u32 old = RB, base = ADD_IMM(old); \
		if (!base_fits(c, s, path, old, &base) || !access(s, c, path, address)) \
			return false; \
		NEW_B = base; \
		return true; \
	}
PAIR_BACK(ldrd_pre, load_pair, base, base)
PAIR_BACK(ldrd_post, load_pair, old, base)
PAIR_BACK(strd_pre, store_pair, base, base)
PAIR_BACK(strd_post, store_pair, old, base)

/* ---- many: imm = register list, a = base, d = bytes ------------------------------------------- */
BODY bool load_many(struct cpu *c, const enum path path, u32 address, u32 list, u32 bytes, u32 *pc)
{
	u32 value[16] = { 0 }, n = 0;
	const u8 *p = MEMORY(c, path) + address;

	if (path != SLOW) {
		if (!page_open(c, path, address, bytes, 4, PAGE_READ))
			return false;
		tell_access(c, path, address, 4, bytes / 4, NULL);
		if (pc) {
			memcpy(pc, p + bytes - 4, 4);
			if (!jump_plain(*pc))
				return false;
		}
		for (u32 m = list & 0x7fff; m; m &= m - 1, p += 4)
			memcpy(&c->core.r[__builtin_ctz(m)], p, 4);
		return true;
	}
	for (u32 m = list; m; m &= m - 1, n++)
		if (!cpu_load(c, address + 4 * n, 4, ACC_ALIGNED, &value[n]))
			return false;
	n = 0;
	for (u32 m = list & 0x7fff; m; m &= m - 1)
		c->core.r[__builtin_ctz(m)] = value[n++];
	if (pc)
		*pc = value[n];
	return true;
}
BODY bool store_many(struct cpu *c, const enum path path, u32 address, u32 list, u32 bytes)
{
	u8 *const to = MEMORY(c, path) + address, *p = to;

	if (path == SLOW) {
		for (u32 m = list; m; m &= m - 1, address += 4)
			if (!cpu_store(c, address, 4, ACC_ALIGNED, c->core.r[__builtin_ctz(m)]))
				return false;
		return true;
	}
	if (!page_open(c, path, address, bytes, 4, PAGE_WRITE))
		return false;
	for (u32 m = list; m; m &= m - 1, p += 4) {
		const u32 *from = &c->core.r[__builtin_ctz(m)];

		tell_access(c, path, address + (u32)(p - to), 4, 1, from);
		memcpy(p, from, 4);
	}
	return true;
}
BODY bool many_fits(struct cpu *c, const struct slot *s, const enum path path, u32 old, u32 value)
{
	return s->a != 13 || sp_fits(c, path, old < value ? old : value);
}

MEM_OP(push)
{
	u32 base = c->core.r[13] - s->d;
	if (!sp_fits(c, path, base) || !store_many(c, path, base, s->imm, s->d))
		return false;
	c->core.r[13] = base;
	return true;
}
MEM_OP(pop)
{
	u32 base = c->core.r[13];
	if (!sp_fits(c, path, base) || !load_many(c, path, base, s->imm, s->d, NULL))
		return false;
	c->core.r[13] = base + s->d;
	return true;
}
JMP_OP(pop_pc)
{
	u32 base = c->core.r[13];
	if (!sp_fits(c, path, base) || !load_many(c, path, base, s->imm, s->d, target))
		return false;
	c->core.r[13] = base + s->d;
	return true;
}
MEM_OP(stmia) { return store_many(c, path, OLD_A, s->imm, s->d); }
MEM_OP(stmdb) { return store_many(c, path, OLD_A - s->d, s->imm, s->d); }
MEM_OP(stmia_w)
{
	u32 base = OLD_A;
	if (!many_fits(c, s, path, base, base + s->d) || !store_many(c, path, base, s->imm, s->d))
		return false;
	RA = base + s->d;
	return true;
}
MEM_OP(stmdb_w)
{
	u32 base = OLD_A - s->d;
	if (!many_fits(c, s, path, OLD_A, base) || !store_many(c, path, base, s->imm, s->d))
		return false;
	RA = base;
	return true;
}
/* The list is loaded into the base too when it holds it (no write-back then, by the table). */
MEM_OP(ldmia) { return load_many(c, path, OLD_A, s->imm, s->d, NULL); }
MEM_OP(ldmdb) { return load_many(c, path, OLD_A - s->d, s->imm, s->d, NULL); }
/* The registers of a list with pc: the fast path must know before that it may go on. */
BODY bool load_many_pc(const struct slot *s, struct cpu *c, const enum path path, u32 address, u32 *target)
{
	bool returns = s->a == 13;

	if (path != SLOW)
		return (returns || branches_indirectly(c, path)) && load_many(c, path, address, s->imm, s->d, target);
	return load_many(c, path, address, s->imm, s->d, target) && (returns || branches_indirectly(c, path));
}
JMP_OP(ldmia_pc) { return load_many_pc(s, c, path, OLD_A, target); }
JMP_OP(ldmdb_pc) { return load_many_pc(s, c, path, OLD_A - s->d, target); }
#define LOAD_MANY_BACK(KIND, name, last, loaded) \
	KIND(name) \
	{ \
		u32 old = OLD_A; \
		if (!many_fits(c, s, path, old, last) || !loaded) \
			return false; \
		RA = last; \
		return true; \
	}
LOAD_MANY_BACK(MEM_OP, ldmia_w, old + s->d, load_many(c, path, old, s->imm, s->d, NULL))
LOAD_MANY_BACK(MEM_OP, ldmdb_w, old - s->d, load_many(c, path, old - s->d, s->imm, s->d, NULL))
LOAD_MANY_BACK(JMP_OP, ldmia_w_pc, old + s->d, load_many_pc(s, c, path, old, target))
LOAD_MANY_BACK(JMP_OP, ldmdb_w_pc, old - s->d, load_many_pc(s, c, path, old - s->d, target))

/* ---- exclusives: the local monitor remembers address and size --------------------------------- */
BODY bool load_exclusive(const struct slot *s, struct cpu *c, const enum path path, u32 address, const u32 bytes)
{
	u32 value;

	if (!load(c, path, address, bytes, ACC_ALIGNED, &value))
		return false;
	RA = value;
	c->core.excl_valid = true;
	c->core.excl_addr = address;
	c->core.excl_bytes = bytes;
	return true;
}
/* c = status register. */
BODY bool store_exclusive(const struct slot *s, struct cpu *c, const enum path path, u32 address, const u32 bytes)
{
	bool pass = c->core.excl_valid && c->core.excl_addr == address && c->core.excl_bytes == bytes;

	if (path != SLOW && (address & (bytes - 1)))
		return false;
	if (path == SLOW && (address & (bytes - 1))) {
		fault_raise(c, FAULT_UNALIGNED, address);
		return false;
	}
	if (pass && !store(c, path, address, bytes, ACC_ALIGNED, OLD_A))
		return false;
	c->core.excl_valid = false;
	NEW_C = !pass;
	return true;
}
MEM_OP(ldrex) { return load_exclusive(s, c, path, ADD_IMM(RB), 4); }
MEM_OP(ldrexh) { return load_exclusive(s, c, path, RB, 2); }
MEM_OP(ldrexb) { return load_exclusive(s, c, path, RB, 1); }
MEM_OP(strex) { return store_exclusive(s, c, path, ADD_IMM(RB), 4); }
MEM_OP(strexh) { return store_exclusive(s, c, path, RB, 2); }
MEM_OP(strexb) { return store_exclusive(s, c, path, RB, 1); }
ALU_OP(clrex) { c->core.excl_valid = false; }
/* Load-acquire and store-release: aligned, otherwise plain on a core that keeps program order. */
MEM_OP(lda) { LOAD_AT(ldr, 4, RB, ACC_ALIGNED); }
MEM_OP(ldah) { LOAD_AT(ldrh, 2, RB, ACC_ALIGNED); }
MEM_OP(ldab) { LOAD_AT(ldrb, 1, RB, ACC_ALIGNED); }
MEM_OP(stl) { return store(c, path, RB, 4, ACC_ALIGNED, OLD_A); }
MEM_OP(stlh) { return store(c, path, RB, 2, ACC_ALIGNED, OLD_A); }
MEM_OP(stlb) { return store(c, path, RB, 1, ACC_ALIGNED, OLD_A); }

#endif
