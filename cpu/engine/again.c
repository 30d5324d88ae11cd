/* SPDX-License-Identifier: Apache-2.0 */
/* Executing again what was outlined: the plain functions of the operations, on a core of its own. All guest addresses are open and lie in
 * a small memory that is mapped again and again: what an instruction loads is put there just before it looks (observed_direct). */
#include "cpu/again.h"

#include "cpu/engine/observed.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/sys.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 24 }; /* smaller ones take longer to map than a short trace to read */
#define SPACE (UINT64_C(1) << 32)

/* An instruction that may be executed; length 0: an empty place. */
struct known {
	struct slot slot;
	u32 pc, encoding;
	u16 op;
	u8 length, it;
};

struct cpu_again {
	struct cpu cpu;
	struct engine engine;
	struct observed observed;
	struct known *known; /* a table of 2^bits places by pc, at most half of them in use */
	unsigned bits;
	size_t used;
};

u32 cpu_again_features(const struct cpu *c)
{
	return engine_features(&c->config);
}

/* NULL: the host refuses. */
static u8 *open_memory(void)
{
	const int file = memfd_create("fvp-sim trace", MFD_CLOEXEC);
	u8 *memory = MAP_FAILED;

	if (file >= 0 && !ftruncate(file, PIECE))
		memory = mmap(NULL, SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	for (u64 at = 0; memory != MAP_FAILED && at < SPACE; at += PIECE)
		if (mmap(memory + at, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
			munmap(memory, SPACE);
			memory = MAP_FAILED;
		}
	if (file >= 0)
		close(file);
	return memory == MAP_FAILED ? NULL : memory;
}

static struct known *place(struct known *table, unsigned bits, u32 pc)
{
	const u32 mask = (1u << bits) - 1;
	u32 i = (pc >> 1) * 0x9e3779b1u >> (32 - bits);

	while (table[i].length && table[i].pc != pc)
		i = (i + 1) & mask;
	return &table[i];
}

static bool grow(struct cpu_again *a)
{
	const unsigned bits = a->bits + 1;
	struct known *table = bits < 31 ? calloc((size_t)1 << bits, sizeof *table) : NULL;

	if (!table)
		return false;
	for (size_t i = 0; i < (size_t)1 << a->bits; i++)
		if (a->known[i].length)
			*place(table, bits, a->known[i].pc) = a->known[i];
	free(a->known);
	a->known = table;
	a->bits = bits;
	return true;
}

struct cpu_again *cpu_again_new(u32 features)
{
	struct cpu_again *a = calloc(1, sizeof *a);

	if (!a)
		return NULL;
	struct cpu *c = &a->cpu;
	c->config.fpu = features & 1u << FEAT_FP;
	c->config.mve_int = features & 1u << FEAT_MVE;
	c->engine = &a->engine;
	c->observed = &a->observed;
	c->sys = calloc(1, sizeof *c->sys);
	c->mem = open_memory();
	c->page_ok = malloc(BUS_PAGES);
	c->unaligned = PERM_NORMAL;
	c->core.fp_ready = true;
	c->fp.ltpsize = 4;
	a->engine.set = insn_set_new(features);
	a->bits = 10;
	a->known = calloc((size_t)1 << a->bits, sizeof *a->known);
	if (!c->sys || !c->mem || !c->page_ok || !a->engine.set || !a->known) {
		cpu_again_free(a);
		return NULL;
	}
	memset(c->page_ok, PERM_READ | PERM_WRITE | PERM_EXECUTE | PERM_NORMAL, BUS_PAGES);
	return a;
}

void cpu_again_free(struct cpu_again *a)
{
	if (!a)
		return;
	if (a->cpu.mem)
		munmap(a->cpu.mem, SPACE);
	insn_set_free(a->engine.set);
	free(a->cpu.page_ok);
	free(a->cpu.sys);
	free(a->known);
	free(a);
}

bool cpu_again_code(struct cpu_again *a, const struct cpu_code *code)
{
	const bool wide = code->length == 4;
	const u16 halfwords[2] = { (u16)(wide ? code->encoding >> 16 : code->encoding), (u16)code->encoding };

	if ((code->length != 2 && !wide) || insn_is_wide(halfwords[0]) != wide || code->pc & 1)
		return false;
	if (2 * a->used >= (size_t)1 << a->bits && !grow(a))
		return false;
	struct known *k = place(a->known, a->bits, code->pc);
	a->used += !k->length;
	*k = (struct known){ .pc = code->pc, .encoding = code->encoding, .length = code->length, .it = code->it };
	k->op = decode_one(&a->engine, halfwords, code->pc, code->it != 0, &k->slot).op;
	return true;
}

void cpu_again_set(struct cpu_again *a, unsigned reg, u32 value)
{
	struct cpu *c = &a->cpu;

	if (reg < 16)
		c->core.r[reg] = reg == 15 ? value & ~1u : reg == 13 ? value & ~3u : value;
	else if (reg >= CPU_REG_S0 && reg < CPU_REG_S0 + 32)
		c->fp.q[(reg - CPU_REG_S0) / 4].w[(reg - CPU_REG_S0) % 4] = value;
	else if (reg == CPU_REG_XPSR)
		c->core.apsr = value & 0xf80f0000;
	else if (reg == CPU_REG_FPSCR)
		fp_set_fpscr(c, value);
	else if (reg == CPU_REG_VPR)
		c->fp.vpr = value & 0x00ffffff;
}

void cpu_again_loads(struct cpu_again *a, const u8 *bytes, size_t size)
{
	a->observed.given = bytes;
	a->observed.given_end = bytes + size;
}

static u32 next_of(const struct cpu *c, const struct known *k, enum out out)
{
	switch (out) {
	case OUT_TAKEN: case OUT_GO: return k->pc + 4 + k->slot.imm;
	case OUT_JUMP: return c->core.next_pc & ~1u;
	default: return k->pc + k->length;
	}
}

/* Without what is not used, which is most of it. */
static void copy(struct cpu_record *to, const struct cpu_record *from, const struct known *k)
{
	to->pc = k->pc;
	to->encoding = k->encoding;
	to->operation = from->operation;
	to->length = k->length;
	to->executed = from->executed;
	to->abandoned = false;
	to->reads = 0;
	to->writes = from->writes;
	to->accesses = from->accesses;
	memcpy(to->write, from->write, from->writes * sizeof *to->write);
	memcpy(to->access, from->access, from->accesses * sizeof *to->access);
}

bool cpu_again_execute(struct cpu_again *a, struct cpu_record *r)
{
	struct cpu *c = &a->cpu;
	struct observed *o = &a->observed;
	const struct known *k = place(a->known, a->bits, c->core.r[15]);
	struct flags f = flags_from_apsr(c->core.apsr);
	enum out out = OUT_NEXT;

	if (!k->length)
		return false;
	const struct observed_instruction told = { &k->slot, k->pc, k->op, k->length, !k->it || flags_hold_any(&f, k->it >> 4) };
	if (told.executed && observed_tells(k->op))
		return false;
	observed_instruction_begins(c, &told);
	o->record.abandoned = false;
	if (told.executed)
		out = op_plain(k->op)->fast(&k->slot, c, &f);
	if (out == OUT_SLOW || o->given_short)
		return false;
	flags_spill(c, &f);
	c->core.r[15] = next_of(c, k, out);
	observed_instruction_ends(c, &told);
	copy(r, &o->record, k);
	return true;
}
