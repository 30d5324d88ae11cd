/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the scalar floating point, stamped into handlers. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/exec/fp.h"

#define OP(name, kind, lengths, uses, class) STAMP(name, kind, lengths)
#include "cpu/exec/ops_fp.def"
#undef OP

const struct op_code op_codes_fp[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name - OP_FP_FIRST] = ENTRY(name, kind, lengths),
#include "cpu/exec/ops_fp.def"
#undef OP
};
