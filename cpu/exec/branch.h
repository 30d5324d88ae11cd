/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, IT and low-overhead loops. */
#ifndef CPU_EXEC_BRANCH_H
#define CPU_EXEC_BRANCH_H

#include "cpu/exec/body.h"

BR_OP(b) { return true; }

JMP_OP(bx)
{
	*target = RA;
	return path == SLOW || jump_plain(*target);
}

#endif
