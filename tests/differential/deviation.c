/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/deviation.h"

#include <string.h>

#include "cpu/exec/ops.h"
#include "tests/differential/batch.h"
#include "tests/differential/emit.h"

#define CFSR_DACCVIOL (1u << 1)
#define CFSR_PRECISERR (1u << 9)
#define CFSR_INVSTATE (1u << 17)
#define CFSR_STKOF (1u << 20)
#define CFSR_UNALIGNED (1u << 24)
#define CFSR_DIVBYZERO (1u << 25)
#define SFSR_AUVIOL (1u << 3)
#define EXC_RETURN_NO_FP 0x10u
#define VPR_RESERVED 0xff000000u
#define FRAME_VPR 0x64u /* in an extended exception frame */

static bool is_many(const struct insn_row *row)
{
	return row_is(row, "ldm") || row_is(row, "pop") || row_is(row, "vldm") || row_is(row, "vlldm") || row_is(row, "ldrd");
}

/* Loads and stores that may be unaligned in Normal memory. */
static bool is_single(const struct insn_row *row)
{
	return (row_is(row, "ldr") || row_is(row, "str")) && !row_is(row, "ldrd") && !row_is(row, "strd") &&
	       !row_is(row, "strex");
}

/* A register other than SP holds an address where frames of interrupts lie. */
static bool points_to_frames(const struct case_out *before)
{
	bool found = false;

	for (unsigned i = 0; i < 13; i++)
		found |= before->r[i] - (CASE_FAR_STACK - 0x100) < 0x200;
	return found;
}

/* The same memory access faulted. */
static bool both_faulted(const struct case_out *ours, const struct case_out *theirs)
{
	return ours->cfsr == theirs->cfsr && ours->sfsr == theirs->sfsr && ours->pc == theirs->pc &&
	       (ours->cfsr & (CFSR_DACCVIOL | CFSR_PRECISERR) || ours->sfsr & SFSR_AUVIOL);
}

static bool uses_fp(unsigned kind)
{
	return kind == KIND_FP || kind == KIND_FPMEM || kind == KIND_MVE || kind == KIND_MVEMEM;
}

/* Alike, but for bits that QEMU sets in the upper byte. */
static bool reserved_only(u32 ours, u32 theirs)
{
	return ours == theirs || (!((ours ^ theirs) & ~VPR_RESERVED) && !(ours & VPR_RESERVED));
}

/* VPR went to memory or to a core register, or into a frame that the guest leaves alone because of a fault
 * with it, and that is all that differs. */
static bool vpr_copied(const struct insn_row *row, const struct case_out *ours, const struct case_out *theirs)
{
	const u32 *a = (const u32 *)ours, *b = (const u32 *)theirs;
	const u32 *pa = result_pairs(ours), *pb = result_pairs(theirs);
	bool same = ours->changed == theirs->changed;
	bool copies = row && (row_is(row, "vstr_sys") || row_is(row, "vmrs_vpr") || row_is(row, "vlstm"));

	if (!copies && !(ours->cfsr & CFSR_STKOF))
		return false;
	for (u32 i = 0; i < offsetof(struct case_out, changed) / 4 && same; i++)
		same = copies ? reserved_only(a[i], b[i]) : a[i] == b[i];
	for (u32 i = 0; i < ours->changed && same; i++)
		same = pa[2 * i] == pb[2 * i] && (pa[2 * i + 1] == pb[2 * i + 1] ||
		       ((copies || CASE_BLOCK + 4 * pa[2 * i] == ours->r[13] + FRAME_VPR) &&
			reserved_only(pa[2 * i + 1], pb[2 * i + 1])));
	return same;
}

/* Our fault is at the first byte of the hole; QEMU went on, or faulted at another place. */
static bool passed_the_hole(const struct case_in *in, const struct case_out *ours, const struct case_out *theirs)
{
	bool theirs_too = theirs->cfsr & CFSR_DACCVIOL && theirs->far == ours->far && theirs->pc == ours->pc;

	return in->env.hole && ours->cfsr & CFSR_DACCVIOL && ours->far == in->env.hole && !theirs_too;
}

/* What is known of a difference; `before` and `row` may be NULL. */
struct difference {
	const struct insn_row *row;
	const struct case_out *ours, *theirs, *before;
	const struct case_in *in;
	unsigned kind;
};

/* What single instructions do. */
static const char *of_instruction(const struct difference *x)
{
	const struct insn_row *row = x->row;
	const struct case_out *ours = x->ours, *theirs = x->theirs, *before = x->before;

	if (row && (!strcmp(op_infos[row->op].name, "uqrshll48") || !strcmp(op_infos[row->op].name, "sqrshrl48")))
		return "48-bit long shifts to the right by 48 or more give 0 or the sign";
	if ((ours->fpscr >> 16 & 7) > 4 || (theirs->fpscr >> 16 & 7) > 4 || (before && (before->fpscr >> 16 & 7) > 4))
		return "FPSCR.LTPSIZE holds a reserved value";
	if (row && strstr(op_infos[row->op].name, "strex"))
		return ours->cfsr & CFSR_UNALIGNED ?
			"a misaligned store-exclusive without a reservation does not fault" :
			"store-exclusive compares the value loaded, whatever its size";
	if (row && is_single(row) && ours->cfsr & CFSR_UNALIGNED && !(x->in->env.ccr & CCR_UNALIGN_TRP) &&
	    (!(theirs->cfsr & CFSR_UNALIGNED) || ours->pc != theirs->pc))
		return "an unaligned access to Device memory does not fault";
	if (row && !strcmp(op_infos[row->op].name, "bkpt") && ours->hfsr == 0x80000000 && theirs->hfsr == 0x40000000)
		return "BKPT that becomes a HardFault sets FORCED in place of DEBUGEVT";
	if (row && ours->cfsr & CFSR_DIVBYZERO && !strcmp(op_infos[row->op].name + 1, "div"))
		return "a trapped division writes its destination";
	if (row && ours->cfsr & CFSR_STKOF && (row_is(row, "sp_adds") || row_is(row, "sp_subs")))
		return "ADDS and SUBS of SP set the flags before the limit is checked";
	return NULL;
}

/* Faults of other instructions, and registers. */
static const char *of_fault(const struct difference *x)
{
	const struct insn_row *row = x->row;
	const struct case_out *ours = x->ours, *theirs = x->theirs;

	if (ours->cfsr & CFSR_INVSTATE && theirs->cfsr & CFSR_UNALIGNED && !(theirs->cfsr & CFSR_INVSTATE))
		return "a jump to an even address that is no multiple of four is a misaligned fetch";
	if ((x->in->xpsr >> 12 & 15) == 5 && ours->cfsr & CFSR_INVSTATE)
		return "the instruction after the one that ECI = A0A1A2B0 resumes may be any, in one translation block";
	if ((ours->special[SPECIAL_BASEPRI] ^ theirs->special[SPECIAL_BASEPRI]) & 0x1f ||
	    (ours->special[SPECIAL_BASEPRI_NS] ^ theirs->special[SPECIAL_BASEPRI_NS]) & 0x1f)
		return "BASEPRI_MAX sets priority bits that are not implemented";
	if (row && is_many(row) && both_faulted(ours, theirs))
		return "a faulting load of a list has loaded the registers before the fault";
	if (row && op_infos[row->op].uses & (R_MEM | W_MEM) && passed_the_hole(x->in, ours, theirs))
		return "an access that begins before the hole is checked at its first byte";
	return NULL;
}

/* FP contexts, interrupts, VPR. */
static const char *of_context(const struct difference *x)
{
	const struct insn_row *row = x->row;
	const struct case_out *ours = x->ours, *theirs = x->theirs, *before = x->before;

	/* gen_update_fp_context() sets mve_no_pred for the rest of the block, and VPST does not end it. */
	if (row && row_is(row, "vpst") && x->in->env.fpccr)
		return "plain vector code ignores the mask of a VPST that begins an FP context";
	if (x->in->env.tick && row && op_infos[row->op].uses & R_MEM && before &&
	    (before->r[13] < x->in->r[13] || ours->r[13] < before->r[13] || row_has(row, "[sp") ||
	     points_to_frames(before) || points_to_frames(ours)))
		return "what an interrupt left below the stack pointer lies above it now (interrupts come at other places)";
	/* Without a context the handler's FP registers become the sequence's, whenever it comes. */
	if (x->in->env.tick && before && before->exc_return & EXC_RETURN_NO_FP &&
	    (uses_fp(x->kind) || (row && !strncmp(op_infos[row->op].name, "le", 2))))
		return "an interrupt overwrites FP registers of no context at another place";
	if ((ours->vpr ^ theirs->vpr) & VPR_RESERVED || vpr_copied(row, ours, theirs))
		return "the reserved bits of VPR can be set";
	return NULL;
}

/* With -icount QEMU begins an instruction again that comes to a device's register: by then the vector of bases has moved on. */
static bool began_again(const struct insn_row *row, const struct case_out *ours, const struct case_out *theirs)
{
	bool private = false;

	for (unsigned i = 0; i < ARRAY_LEN(ours->s); i++)
		private |= ours->s[i] >> 20 == 0xe00;
	return row && row_has(row, "[{qm}") && private && ours->cfsr == theirs->cfsr && ours->pc == theirs->pc;
}

/* Vector accesses and what is not there. */
static const char *of_access(const struct difference *x)
{
	const struct insn_row *row = x->row;
	const struct case_out *ours = x->ours, *theirs = x->theirs;

	if (x->kind == KIND_MVEMEM && both_faulted(ours, theirs))
		return "a faulting MVE access has done the lanes before the fault (it restarts from the first)";
	if (began_again(row, ours, theirs))
		return "an access by a vector of bases to the private peripheral bus writes the bases back twice";
	if (theirs->far >> 20 == 0xe00)
		return "there is no ITM, DWT, FPB or TPIU";
	if (row && !strncmp(op_infos[row->op].name, "le", 2) && (ours->fpscr >> 16 & 7) != 4 &&
	    theirs->cfsr & CFSR_INVSTATE)
		return "LE takes LTPSIZE from an inactive FP context (FPCCR.ASPEN = 0, or SFPA cleared by FPCXT)";
	if (x->kind == KIND_MVEMEM && ours->cfsr & CFSR_UNALIGNED &&
	    (!(theirs->cfsr & CFSR_UNALIGNED) || ours->pc != theirs->pc || !ours->pc)) /* 0: no frame, where is not known */
		return "misaligned MVE word and halfword accesses do not fault";
	return NULL;
}

const char *deviation_reason(const struct insn_row *row, const struct case_out *ours,
			     const struct case_out *theirs, const struct case_out *before, const struct case_in *in)
{
	static const char *(*const rules[])(const struct difference *) = { of_instruction, of_fault, of_context, of_access };
	const struct difference x = { row, ours, theirs, before, in, row ? op_infos[row->op].kind : KIND_ALU };
	const char *reason = NULL;

	for (unsigned i = 0; i < ARRAY_LEN(rules) && !reason; i++)
		reason = rules[i](&x);
	return reason;
}
