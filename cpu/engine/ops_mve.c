/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the MVE but floating point, stamped into handlers. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/exec/mve.h"

#define OP(name, kind, lengths, uses, class) STAMP(name, kind, lengths)
#include "cpu/exec/ops_mve.def"
#undef OP

const struct op_code op_codes_mve[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name - OP_MVE_FIRST] = ENTRY(name, kind, lengths),
#include "cpu/exec/ops_mve.def"
#undef OP
};
