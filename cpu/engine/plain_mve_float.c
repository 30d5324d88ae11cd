/* SPDX-License-Identifier: Apache-2.0 */
/* The floating-point operations of the MVE, stamped into plain functions. */
#include "cpu/engine/plain.h"
#include "cpu/exec/mve_float.h"

#define OP(name, kind, lengths, uses, class) STAMP_PLAIN(name, kind)
#include "cpu/exec/ops_mve_float.def"
#undef OP

const struct op_plain op_plain_mve_float[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name - OP_MVE_FLOAT_FIRST] = PLAIN_ENTRY(name, kind),
#include "cpu/exec/ops_mve_float.def"
#undef OP
};
