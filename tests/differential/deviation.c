/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/deviation.h"

#include <string.h>

#include "cpu/exec/ops.h"

#define CFSR_DACCVIOL (1u << 1)
#define CFSR_PRECISERR (1u << 9)
#define CFSR_INVSTATE (1u << 17)
#define CFSR_UNALIGNED (1u << 24)

const char *deviation_reason(const struct insn_row *row, const struct case_out *ours,
			     const struct case_out *theirs, const struct case_out *before)
{
	unsigned kind = row ? op_infos[row->op].kind : KIND_ALU;

	(void)before;
	if (row && (!strcmp(op_infos[row->op].name, "uqrshll48") || !strcmp(op_infos[row->op].name, "sqrshrl48")))
		return "48-bit long shifts to the right by 48 or more give 0 or the sign";
	if ((ours->fpscr >> 16 & 7) > 4 || (theirs->fpscr >> 16 & 7) > 4 || (before && (before->fpscr >> 16 & 7) > 4))
		return "FPSCR.LTPSIZE holds a reserved value";
	if (row && strstr(op_infos[row->op].name, "strex"))
		return ours->cfsr & CFSR_UNALIGNED ?
			"a misaligned store-exclusive without a reservation does not fault" :
			"store-exclusive compares the value loaded, whatever its size";
	if (row && !strcmp(op_infos[row->op].name, "bkpt") && ours->hfsr == 0x80000000 && theirs->hfsr == 0x40000000)
		return "BKPT that becomes a HardFault sets FORCED in place of DEBUGEVT";
	if (ours->cfsr & CFSR_INVSTATE && ours->pc & 2 && theirs->cfsr == CFSR_UNALIGNED && theirs->pc == ours->pc)
		return "a jump to an even address that is no multiple of four is a misaligned fetch";
	if (row && !strcmp(op_infos[row->op].name, "vlldm") && (ours->vpr ^ theirs->vpr) & 0xff000000)
		return "VLLDM does not clear the reserved bits of VPR";
	if (kind == KIND_MVEMEM && ours->cfsr == theirs->cfsr && ours->cfsr & (CFSR_DACCVIOL | CFSR_PRECISERR) &&
	    ours->pc == theirs->pc)
		return "a faulting MVE access has done the lanes before the fault (it restarts from the first)";
	if (row && !strncmp(op_infos[row->op].name, "vcmp_", 5) && strstr(row->id, "_equal_") &&
	    theirs->fpscr == (ours->fpscr | 1))
		return "MVE VCMP EQ and NE raise Invalid Operation for quiet NaNs (FPCompareEQ does not)";
	if (theirs->far >> 20 == 0xe00)
		return "there is no ITM, DWT, FPB or TPIU";
	if (row && !strncmp(op_infos[row->op].name, "le", 2) && (ours->fpscr >> 16 & 7) != 4 &&
	    theirs->cfsr & CFSR_INVSTATE)
		return "LE takes LTPSIZE from an inactive FP context (FPCCR.ASPEN = 0, or SFPA cleared by FPCXT)";
	if (kind == KIND_MVEMEM && ours->cfsr & CFSR_UNALIGNED &&
	    (!(theirs->cfsr & CFSR_UNALIGNED) || ours->pc != theirs->pc))
		return "misaligned MVE word and halfword accesses do not fault";
	return NULL;
}
