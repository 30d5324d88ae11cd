/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils of the integer core: -DVARIANT=..., with what cpu/stencil/holes.h takes. */
#define RESULT_IS_LATEST 1
#include "cpu/stencil/body.h"

#if defined(READS_PAY) || defined(DATA_WAITS) || defined(BASE_IS_SP)
#define MEMORY_ONLY 1
#endif

#include "cpu/exec/alu.h"
#include "cpu/exec/branch.h"
#include "cpu/exec/dsp.h"
#include "cpu/exec/load_store.h"
#include "cpu/exec/long_shift.h"
#include "cpu/exec/system.h"

#define ST_MEM(name, uses) MEM_STENCIL(name, uses)
#define ST_JMP(name, uses) JMP_STENCIL(name, uses)
#ifdef MEMORY_ONLY
#define ST_ALU(name, uses)
#define ST_ALUA(name, uses)
#define ST_BR(name, uses)
#define ST_GO(name, uses)
#define ST_BRM(name, uses)
#else
#define ST_ALU(name, uses) ALU_STENCIL(name, uses)
#define ST_ALUA(name, uses) ALU_STENCIL(name, uses)
#define ST_BR(name, uses) BR_STENCIL(name, uses)
#define ST_GO(name, uses) GO_STENCIL(name, uses)
#define ST_BRM(name, uses) BRM_STENCIL(name, uses)
#endif
#define ST_SKIP(name, uses)
#define ST_SYS(name, uses)
#define ST_FP(name, uses) FP_STENCIL(name, uses)

#define OP(name, kind, lengths, uses, class) ST_##kind(name, uses)
#include "cpu/exec/ops_int.def"
#undef OP
