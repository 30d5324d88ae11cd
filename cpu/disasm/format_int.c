/* SPDX-License-Identifier: Apache-2.0 */
/* Named operands of integer, branch and system instructions. */
#include "cpu/disasm/disasm.h"

#include <string.h>

#define V(letter) (d->fields.v[letter])

void disasm_shift32(struct disasm *d) { disasm_put(d, "%u", V('i') ? V('i') : 32); }

/* ", lsl #2" of a register offset. */
void disasm_lsl(struct disasm *d)
{
	if (V('i'))
		disasm_put(d, ", lsl #%u", V('i'));
}

void disasm_rotate(struct disasm *d)
{
	if (V('r'))
		disasm_put(d, ", ror #%u", V('r') * 8);
}

/* Signed offsets: bit u adds. */
static void put_signed(struct disasm *d, u32 value) { disasm_put(d, "%s%u", V('u') ? "" : "-", value); }
void disasm_signed_i(struct disasm *d) { put_signed(d, V('i')); }
void disasm_signed_i4(struct disasm *d) { put_signed(d, V('i') * 4); }

void disasm_imm16(struct disasm *d) { disasm_put(d, "%u", V('n') << 12 | V('i')); }

void disasm_lo(struct disasm *d) { disasm_put(d, "%s", disasm_core_registers[V('l') * 2]); }
void disasm_hi(struct disasm *d) { disasm_put(d, "%s", disasm_core_registers[V('h') * 2 + 1]); }
void disasm_xy(struct disasm *d) { disasm_put(d, "%c%c", V('x') ? 't' : 'b', V('y') ? 't' : 'b'); }
void disasm_size(struct disasm *d) { disasm_put(d, "%u", 8u << V('z')); }

void disasm_cps(struct disasm *d)
{
	disasm_put(d, "cpsi%c%s%s%s", V('d') ? 'd' : 'e', V('i') | V('f') ? "\t" : "", V('i') ? "i" : "", V('f') ? "f" : "");
}

void disasm_clear_list(struct disasm *d)
{
	const char *separator = "{";
	u32 list = disasm_slot(d).imm;

	for (unsigned i = 0; i < 16; i++) {
		if (list >> i & 1) {
			disasm_put(d, "%s%s", separator, i == 15 ? "APSR" : disasm_core_registers[i]);
			separator = ", ";
		}
	}
	disasm_put(d, "}");
}

void disasm_tt(struct disasm *d) { disasm_put(d, "tt%s%s", V('a') ? "a" : "", V('t') ? "t" : ""); }

static const char *zero_register(u32 r) { return r == 15 ? "zr" : disasm_core_registers[r]; }
void disasm_rzn(struct disasm *d) { disasm_put(d, "%s", zero_register(V('n'))); }

/* CSINC, CSINV, CSNEG with their aliases, whose condition is the opposite one. */
static void put_select(struct disasm *d, const char *name, const char *set, const char *alias)
{
	const char *inverse = disasm_conditions[V('c') ^ 1], *rd = disasm_core_registers[V('d')];

	if (V('n') == V('m') && V('n') == 15 && set)
		disasm_put(d, "%s\t%s, %s", set, rd, inverse);
	else if (V('n') == V('m') && (V('n') != 15 || !set))
		disasm_put(d, "%s\t%s, %s, %s", alias, rd, zero_register(V('n')), inverse);
	else
		disasm_put(d, "%s\t%s, %s, %s, %s", name, rd, zero_register(V('n')),
			   zero_register(V('m')), disasm_conditions[V('c')]);
}
void disasm_csinc(struct disasm *d) { put_select(d, "csinc", "cset", "cinc"); }
void disasm_csinv(struct disasm *d) { put_select(d, "csinv", "csetm", "cinv"); }
void disasm_csneg(struct disasm *d) { put_select(d, "csneg", NULL, "cneg"); }

/* Barrier options: DSB knows names that DMB and ISB print as numbers. */
void disasm_dsb(struct disasm *d)
{
	static const char *const names[16] = {
		[1] = "oshld", [2] = "oshst", [3] = "osh", [5] = "nshld", [6] = "unst", [7] = "un", [9] = "ishld",
		[10] = "ishst", [11] = "ish", [13] = "ld", [14] = "st", [15] = "sy",
	};
	u32 o = V('o');

	if (o == 0 || o == 4 || o == 12) {
		disasm_put(d, "%s", o == 0 ? "ssbb" : o == 4 ? "pssbb" : "dfb");
		return;
	}
	disasm_put(d, "dsb%s\t", d->cond);
	if (names[o])
		disasm_put(d, "%s", names[o]);
	else
		disasm_put(d, "#%u", o);
}

void disasm_barrier(struct disasm *d)
{
	static const char *const names[16] = {
		[1] = "oshld", [2] = "oshst", [3] = "osh", [5] = "nshld", [6] = "unst", [7] = "un", [9] = "ishld",
		[10] = "ishst", [11] = "ish", [13] = "ld", [14] = "st", [15] = "sy",
	};
	const char *name = names[V('o')];

	/* ISB has only SY. */
	if ((d->encoding >> 4 & 15) == 6)
		name = V('o') == 15 ? "sy" : NULL;
	if (name)
		disasm_put(d, "%s", name);
	else
		disasm_put(d, "#%u", V('o'));
}

/* Hints without a row of their own. */
void disasm_hint(struct disasm *d)
{
	u32 i = V('i');

	if (d->pattern->length == 2 && i == 5)
		disasm_put(d, "sevl%s", d->cond);
	else if (d->pattern->length == 2)
		disasm_put(d, "nop%s\t{%u}", d->cond, i);
	else if (i == 5)
		disasm_put(d, "sevl%s.w", d->cond);
	else if (i == 0x10)
		disasm_put(d, "esb%s", d->cond);
	else if (i == 0x14)
		disasm_put(d, "csdb%s", d->cond);
	else if (i >> 4 == 15)
		disasm_put(d, "dbg%s\t#%u", d->cond, i & 15);
	else
		disasm_put(d, "nop%s.w\t{%u}", d->cond, i);
}

/* ".w", which objdump leaves off where it sees no 16-bit twin. */
void disasm_wide(struct disasm *d)
{
	static const char *const never[] = {"orn", "rsb", "teq", "ldmdb", "stmdb"};

	for (unsigned i = 0; i < ARRAY_LEN(never); i++)
		if (!strncmp(d->text, never[i], strlen(never[i])))
			return;
	disasm_put(d, ".w");
}

void disasm_hex4(struct disasm *d) { disasm_put(d, "0x%04x", V('i')); }

/* Suffixes of the DSP multiplies: exchange, round, top or bottom half. */
void disasm_exchange(struct disasm *d) { disasm_put(d, "%s", V('y') ? "x" : ""); }
void disasm_round(struct disasm *d) { disasm_put(d, "%s", V('r') ? "r" : ""); }
void disasm_half(struct disasm *d) { disasm_put(d, "%c", V('y') ? 't' : 'b'); }

/* Branch future: branch point k * 2, as objdump writes it without pc, and the target. */
void disasm_bfpoint(struct disasm *d) { disasm_put(d, "%x", V('k') * 2); }

static u32 bf_target(const struct disasm *d, unsigned bits)
{
	u32 value = V('i') << 2 | V('j') << 1;
	u32 sign = 1u << (bits - 1);
	return d->pc + 4 + ((value ^ sign) - sign);
}
void disasm_bf(struct disasm *d)
{
	disasm_put(d, "bf\t%x, %x", V('k') * 2, bf_target(d, 17));
}
void disasm_bfl(struct disasm *d)
{
	disasm_put(d, "bfl\t%x, %x", V('k') * 2, bf_target(d, 19));
}
void disasm_bfcsel(struct disasm *d)
{
	u32 point = V('k') * 2;

	disasm_put(d, "bfcsel\t%x, %x, %x, %s", point, bf_target(d, 13), point + (V('t') ? 4 : 2),
		   V('c') == 14 ? "al" : disasm_conditions[V('c')]);
}
