/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/deviation.h"

#include <string.h>

#include "cpu/exec/ops.h"

#define CFSR_UNALIGNED (1u << 24)

const char *deviation_reason(const struct insn_row *row, const struct case_out *ours,
			     const struct case_out *theirs, const struct case_out *before)
{
	unsigned kind = row ? op_infos[row->op].kind : KIND_ALU;

	(void)before;
	if (kind == KIND_MVEMEM && ours->cfsr & CFSR_UNALIGNED && !(theirs->cfsr & CFSR_UNALIGNED))
		return "misaligned MVE word and halfword accesses do not fault";
	return NULL;
}
