/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils of scalar floating point. */
#define OPERANDS_ARE_NUMBERS 1
#include "cpu/stencil/body.h"

#include "cpu/exec/fp.h"

#define ST_FP(name, uses) FP_STENCIL(name, uses)
#define ST_FPMEM(name, uses) FPMEM_STENCIL(name, uses)
#define ST_SYS(name, uses)

#define OP(name, kind, lengths, uses, class) ST_##kind(name, uses)
#include "cpu/exec/ops_fp.def"
#undef OP
