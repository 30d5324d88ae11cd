/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point operations of the MVE, stamped into handlers. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/exec/mve_float.h"

#define OP(name, kind, lengths, uses, class) STAMP(name, kind, lengths)
#include "cpu/exec/ops_mve_float.def"
#undef OP

const struct op_code op_codes_mve_float[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name - OP_MVE_FLOAT_FIRST] = ENTRY(name, kind, lengths),
#include "cpu/exec/ops_mve_float.def"
#undef OP
};
