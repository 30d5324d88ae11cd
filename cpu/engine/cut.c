/* SPDX-License-Identifier: Apache-2.0 */
/* Twins of the integer core's memory handlers that look at granules instead of pages. go_slow jumps to
 * them: a stack in a page that regions cut is refused by the fast handlers again and again, and a plain
 * function, with flags in memory and registers saved, takes twice as long. */
#include "cpu/engine/registers.h"

#include "cpu/engine/cut.h"

#ifdef ENGINE_NO_TAIL
/* The switch engine enters no handlers. */
handler_fn *const handler_cut[OP_INT_COUNT][2];
#else
#include "cpu/engine/handler.h"

#include "cpu/exec/alu.h"
#include "cpu/exec/branch.h"
#include "cpu/exec/dsp.h"
#include "cpu/exec/load_store.h"
#include "cpu/exec/long_shift.h"
#include "cpu/exec/system.h"

#define TWIN_ALU(name, length)
#define TWIN_ALUA(name, length)
#define TWIN_MEM(name, length) HANDLER_MEM_BY(cut##length##_##name, name, length, CUT, go_plain)
#define TWIN_BR(name, length)
#define TWIN_GO(name, length)
#define TWIN_BRM(name, length) HANDLER_BRM_BY(cut##length##_##name, name, length, CUT, go_plain)
#define TWIN_SKIP(name, length)
#define TWIN_JMP(name, length) HANDLER_JMP_BY(cut##length##_##name, name, length, CUT, go_plain)
#define TWIN_SYS(name, length)
#define TWIN_FP(name, length)
#define TWINS_L2(name, kind) TWIN_##kind(name, 2)
#define TWINS_L4(name, kind) TWIN_##kind(name, 4)
#define TWINS_L24(name, kind) TWINS_L2(name, kind) TWINS_L4(name, kind)

#define OP(name, kind, lengths, uses, class) TWINS_##lengths(name, kind)
#include "cpu/exec/ops_int.def"
#undef OP

#define NO_PAIR(name, lengths) { NULL, NULL }
#define PAIR(name, lengths) PAIR_##lengths(cut, name)
#define PAIR_ALU NO_PAIR
#define PAIR_ALUA NO_PAIR
#define PAIR_MEM PAIR
#define PAIR_BR NO_PAIR
#define PAIR_GO NO_PAIR
#define PAIR_BRM PAIR
#define PAIR_SKIP NO_PAIR
#define PAIR_JMP PAIR
#define PAIR_SYS NO_PAIR
#define PAIR_FP NO_PAIR

handler_fn *const handler_cut[OP_INT_COUNT][2] = {
#define OP(name, kind, lengths, uses, class) [OP_##name] = PAIR_##kind(name, lengths),
#include "cpu/exec/ops_int.def"
#undef OP
};
#endif
