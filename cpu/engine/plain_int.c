/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of the integer core, stamped into plain functions. */
#include "cpu/engine/plain.h"
#include "cpu/exec/alu.h"
#include "cpu/exec/branch.h"
#include "cpu/exec/dsp.h"
#include "cpu/exec/load_store.h"
#include "cpu/exec/long_shift.h"
#include "cpu/exec/system.h"

#define OP(name, kind, lengths, uses, class) STAMP_PLAIN(name, kind)
#include "cpu/exec/ops_int.def"
#undef OP

const struct op_plain op_plain_int[] = {
#define OP(name, kind, lengths, uses, class) [OP_##name] = PLAIN_ENTRY(name, kind),
#include "cpu/exec/ops_int.def"
#undef OP
};
