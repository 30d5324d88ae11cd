/* SPDX-License-Identifier: Apache-2.0 */
/* Named operands of the syntax column: whatever needs more than a field's number. */
#include "cpu/disasm/disasm.h"

#include <string.h>

#define V(letter) (d->fields.v[letter])

/* T32 modified immediate of the 12-bit field i (Arm ARM DDI0553, ThumbExpandImm). */
static u32 modified_immediate(u32 i)
{
	u32 byte = i & 0xff;

	switch (i >> 8 & 15) {
	case 0: return byte;
	case 1: return byte << 16 | byte;
	case 2: return byte << 24 | byte << 8;
	case 3: return byte * 0x01010101u;
	}
	u32 turn = i >> 7, value = 0x80 | (i & 0x7f);
	return value >> turn | value << (32 - turn);
}

static void put_modimm(struct disasm *d) { disasm_put(d, "#%u", modified_immediate(V('i'))); }

/* ", lsl #3" of type t and amount i; nothing for LSL #0. */
static void put_shift(struct disasm *d)
{
	static const char *const names[] = {"lsl", "lsr", "asr", "ror"};
	u32 type = V('t'), amount = V('i');

	if (type == 0 && amount == 0)
		return;
	if (type == 3 && amount == 0)
		disasm_put(d, ", rrx");
	else
		disasm_put(d, ", %s #%u", names[type], amount ? amount : 32);
}

/* Operands as the row's form makes them. */
struct slot disasm_slot(const struct disasm *d)
{
	struct slot slot = {0};
	struct insn_at at = {.pc = d->pc, .length = d->pattern->length, .in_it = d->cond[0] != 0};

	d->row->form(&slot, &d->fields, &at);
	return slot;
}

static void put_list_bits(struct disasm *d, u32 list)
{
	const char *separator = "{";

	for (unsigned i = 0; i < 16; i++) {
		if (list >> i & 1) {
			disasm_put(d, "%s%s", separator, disasm_core_registers[i]);
			separator = ", ";
		}
	}
	disasm_put(d, list ? "}" : "{}");
}

/* Registers in a list: the form gathers them. */
static void put_list(struct disasm *d) { put_list_bits(d, disasm_slot(d).imm); }

/* it, itt, ite...: condition c, mask m. */
static void put_it(struct disasm *d)
{
	u32 first = V('c'), mask = V('m');

	disasm_put(d, "it");
	for (int bit = 3; bit >= 0 && mask & ((1u << bit) - 1); bit--)
		disasm_put(d, (mask >> bit & 1) == (first & 1) ? "t" : "e");
	disasm_put(d, "\t%s", first == 14 ? "al" : disasm_conditions[first]);
}

/* The form of a branch leaves its byte offset in the slot. */
static void put_target(struct disasm *d)
{
	disasm_put(d, "%x", d->pc + 4 + disasm_slot(d).imm);
}

/* VPT mask k: t, e letters after "vpt"/"vpst". */
static void put_vpt_mask(struct disasm *d)
{
	u32 mask = V('k');
	bool then = true;

	for (int bit = 3; bit > 0 && mask & ((1u << bit) - 1); bit--) {
		if (mask >> bit & 1)
			then = !then;
		disasm_put(d, then ? "t" : "e");
	}
}

static void put_fp_list(struct disasm *d, char kind, u32 first, u32 count)
{
	if (count == 1)
		disasm_put(d, "{%c%u}", kind, first);
	else
		disasm_put(d, "{%c%u-%c%u}", kind, first, kind, first + count - 1);
}

/* The form counts the words of the list. */
static void put_slist(struct disasm *d)
{
	put_fp_list(d, 's', insn_sreg(V('d')), disasm_slot(d).d);
}
static void put_dlist(struct disasm *d) { put_fp_list(d, 'd', V('d'), disasm_slot(d).d / 2u); }

/* ", #-8" of fields u (up) and i; nothing for +0. */
static void put_offset(struct disasm *d, u32 scale)
{
	/* Scalar loads leave +0 out, vector ones do not. */
	if (V('i') || !V('u') || d->row->feature == FEAT_MVE)
		disasm_put(d, ", #%s%u", V('u') ? "" : "-", V('i') * scale);
}
static void put_off1(struct disasm *d) { put_offset(d, 1); }
static void put_off2(struct disasm *d) { put_offset(d, 2); }
static void put_off4(struct disasm *d) { put_offset(d, 4); }

/* S register after that of field m. */
static void put_smnext(struct disasm *d) { disasm_put(d, "s%u", insn_sreg(V('m')) + 1); }

/* Lane x of D register n, written as a lane of its Q register; `lanes` in a D register. */
static void put_dlane(struct disasm *d) { disasm_put(d, "d%u[%u]", V('n'), V('x')); }

/* MVE: even or odd core registers of 3-bit fields, zero register, steps, scaled offsets. */
static void put_r2n(struct disasm *d) { disasm_put(d, "%s", disasm_core_registers[V('n') * 2]); }
static void put_r2m(struct disasm *d) { disasm_put(d, "%s", disasm_core_registers[V('m') * 2 + 1]); }
static void put_r2l(struct disasm *d) { disasm_put(d, "%s", disasm_core_registers[V('l') * 2]); }
static void put_r2h(struct disasm *d) { disasm_put(d, "%s", disasm_core_registers[V('h') * 2 + 1]); }
static void put_rzm(struct disasm *d) { disasm_put(d, "%s", V('m') == 15 ? "zr" : disasm_core_registers[V('m')]); }
static void put_step(struct disasm *d) { disasm_put(d, "%u", 1u << V('i')); }
static void put_n32i(struct disasm *d) { disasm_put(d, "%u", V('i') ? V('i') : 32); }
static void put_off8(struct disasm *d) { put_offset(d, 8); }
static void put_sg1(struct disasm *d) { (void)d; }
static void put_sg2(struct disasm *d) { disasm_put(d, V('o') ? ", uxtw #1" : ""); }
static void put_sg4(struct disasm *d) { disasm_put(d, V('o') ? ", uxtw #2" : ""); }
static void put_sg8(struct disasm *d) { disasm_put(d, V('o') ? ", uxtw #3" : ""); }

/* VMOV.I64: bit i of the immediate is byte i. */
static void put_vimm64(struct disasm *d)
{
	u64 v = 0;

	for (unsigned i = 0; i < 8; i++)
		v |= (V('i') >> i & 1) ? 0xffull << 8 * i : 0;
	disasm_put(d, "0x%016llx", (unsigned long long)v);
}

/* Q registers of interleaving transfers. */
static void put_qlist(struct disasm *d, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		disasm_put(d, "%sq%u", i ? ", " : "{", V('d') + i);
	disasm_put(d, "}");
}
static void put_q2d(struct disasm *d) { put_qlist(d, 2); }
static void put_q4d(struct disasm *d) { put_qlist(d, 4); }

/* List of VSCCLRM: S or D registers from field d, i of them. */
static void put_clrm(struct disasm *d, char kind, u32 first)
{
	if (V('i') == 0)
		disasm_put(d, "{VPR}");
	else if (V('i') == 1)
		disasm_put(d, "{%c%u, VPR}", kind, first);
	else
		disasm_put(d, "{%c%u-%c%u, VPR}", kind, first, kind, first + V('i') - 1);
}
static void put_clrm_s(struct disasm *d) { put_clrm(d, 's', insn_sreg(V('d'))); }
static void put_clrm_d(struct disasm *d) { put_clrm(d, 'd', V('d')); }

/* VMOV floating-point immediate (VFPExpandImm) of a vector. Scalar ones are printed as encoded. */
static void put_fimm(struct disasm *d)
{
	u32 i = V('i');
	int exponent = (int)((i >> 4 & 7) ^ 4) - 3;
	double value = (double)(16 + (i & 15)) / 16 * (exponent < 0 ? 1.0 / (1 << -exponent) : 1 << exponent);

	disasm_put(d, "%s%.7g", i >> 7 ? "-" : "", value);
}

/* VMOV, VMVN, VORR, VBIC immediate of fields o, k (cmode), i (AdvSIMDExpandImm). */
static void put_vimm(struct disasm *d)
{
	u32 i = V('i'), k = V('k');

	if (k < 8)
		disasm_put(d, "%u", i << (k >> 1) * 8);
	else if (k < 12)
		disasm_put(d, "%u", i << (k >> 1 & 1) * 8);
	else
		disasm_put(d, "%u", k == 12 ? i << 8 | 0xff : k == 13 ? i << 16 | 0xffff : i);
}

/* Fraction bits of a fixed-point conversion. */
static void put_fbits(struct disasm *d)
{
	disasm_put(d, "#%d", (int)(V('z') ? 32 : 16) - (int)(V('i') << 1 | V('j')));
}

/* Special registers of MRS and MSR (Arm ARM DDI0553, SYSm). */
static void put_sysm(struct disasm *d)
{
	static const struct { u8 sysm; const char *name; } names[] = {
		{0, "CPSR"}, {1, "IAPSR"}, {2, "EAPSR"}, {3, "PSR"}, {5, "IPSR"}, {6, "EPSR"},
		{7, "IEPSR"}, {8, "MSP"}, {9, "PSP"}, {10, "MSPLIM"}, {11, "PSPLIM"},
		{16, "PRIMASK"}, {17, "BASEPRI"}, {18, "BASEPRI_MAX"}, {19, "FAULTMASK"},
		{20, "CONTROL"}, {0x88, "MSP_NS"}, {0x89, "PSP_NS"}, {0x8a, "MSPLIM_NS"},
		{0x8b, "PSPLIM_NS"}, {0x90, "PRIMASK_NS"}, {0x91, "BASEPRI_NS"},
		{0x93, "FAULTMASK_NS"}, {0x94, "CONTROL_NS"}, {0x98, "SP_NS"},
	};
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		if (names[i].sysm == V('s')) {
			disasm_put(d, "%s", names[i].name);
			return;
		}
	}
	disasm_put(d, "<unknown>");
}

static void put_vpt(struct disasm *d) { disasm_put(d, "%s", d->vpt); }
static void put_cond(struct disasm *d) { disasm_put(d, "%s", disasm_conditions[V('c')]); }

const struct disasm_format disasm_formats[] = {
	{"modimm", put_modimm}, {"shift", put_shift}, {"list", put_list}, {"it", put_it},
	{"target", put_target}, {"vp", put_vpt}, {"vpt", put_vpt_mask}, {"cond", put_cond},
	{"shift32", disasm_shift32}, {"lsl", disasm_lsl}, {"rotate", disasm_rotate},
	{".w", disasm_wide}, {"hex4", disasm_hex4}, {"X", disasm_exchange},
	{"R", disasm_round}, {"y", disasm_half},
	{"+i", disasm_signed_i}, {"+i4", disasm_signed_i4}, {"n:i", disasm_imm16},
	{"lo", disasm_lo}, {"hi", disasm_hi}, {"xy", disasm_xy}, {"size", disasm_size},
	{"cps", disasm_cps}, {"clrlist", disasm_clear_list}, {"tt", disasm_tt}, {"rzn", disasm_rzn},
	{"csinc", disasm_csinc}, {"csinv", disasm_csinv}, {"csneg", disasm_csneg},
	{"dsb", disasm_dsb}, {"barrier", disasm_barrier}, {"hint", disasm_hint},
	{"bfpoint", disasm_bfpoint}, {"bf", disasm_bf}, {"bfl", disasm_bfl}, {"bfcsel", disasm_bfcsel},
	{"sysreg", put_sysm}, {"fbits", put_fbits},
	{"slist", put_slist}, {"dlist", put_dlist},
	{"fimm", put_fimm}, {"vimm", put_vimm}, {"off1", put_off1}, {"off2", put_off2},
	{"off4", put_off4}, {"smnext", put_smnext}, {"dlane", put_dlane},
	{"clrm_s", put_clrm_s}, {"clrm_d", put_clrm_d},
	{"r2n", put_r2n}, {"r2m", put_r2m}, {"r2l", put_r2l}, {"r2h", put_r2h}, {"rzm", put_rzm},
	{"step", put_step}, {"n32i", put_n32i}, {"off8", put_off8}, {"vimm64", put_vimm64},
	{"sg1", put_sg1}, {"sg2", put_sg2}, {"sg4", put_sg4}, {"sg8", put_sg8},
	{"q2d", put_q2d}, {"q4d", put_q4d},
};
const unsigned disasm_format_count = ARRAY_LEN(disasm_formats);
