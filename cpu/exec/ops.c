/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about operations, for decoder, timing and tools. */
#include "cpu/exec/ops.h"

const struct op_info op_infos[OP_COUNT] = {
#define OP(name, kind, lengths, uses, class) [OP_##name] = { #name, KIND_##kind, lengths, class, uses },
#include "cpu/exec/ops_int.def"
#include "cpu/exec/ops_fp.def"
#include "cpu/exec/ops_mve.def"
#include "cpu/exec/ops_mve_float.def"
#undef OP
};
