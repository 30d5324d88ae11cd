/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the integer core, stamped into handlers. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/exec/alu.h"
#include "cpu/exec/branch.h"
#include "cpu/exec/dsp.h"
#include "cpu/exec/load_store.h"
#include "cpu/exec/long_shift.h"
#include "cpu/exec/system.h"

#define OP(name, kind, lengths, uses, class) STAMP(name, kind, lengths)
#include "cpu/exec/ops_int.def"
#undef OP

const struct op_code op_codes_int[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name] = ENTRY(name, kind, lengths),
#include "cpu/exec/ops_int.def"
#undef OP
};
