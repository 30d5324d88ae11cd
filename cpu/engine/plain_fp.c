/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the scalar floating point, stamped into plain functions. */
#include "cpu/engine/plain.h"
#include "cpu/exec/fp.h"

#define OP(name, kind, lengths, uses, class) STAMP_PLAIN(name, kind)
#include "cpu/exec/ops_fp.def"
#undef OP

const struct op_plain op_plain_fp[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name - OP_FP_FIRST] = PLAIN_ENTRY(name, kind),
#include "cpu/exec/ops_fp.def"
#undef OP
};
