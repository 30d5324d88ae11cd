/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the MVE but floating point, stamped into plain functions. */
#include "cpu/engine/plain.h"
#include "cpu/exec/mve.h"

#define OP(name, kind, lengths, uses, class) STAMP_PLAIN(name, kind)
#include "cpu/exec/ops_mve.def"
#undef OP

const struct op_plain op_plain_mve[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name - OP_MVE_FIRST] = PLAIN_ENTRY(name, kind),
#include "cpu/exec/ops_mve.def"
#undef OP
};
