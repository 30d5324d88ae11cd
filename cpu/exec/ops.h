/* SPDX-License-Identifier: Apache-2.0 */
/* The list of semantic operations. Several encodings may share one. Private to cpu/.
 * A row is OP(name, kind, lengths, uses, class); see docs/design/how-to-add-an-instruction.md. */
#ifndef CPU_EXEC_OPS_H
#define CPU_EXEC_OPS_H

#include "memory/types.h"

enum op {
#define OP(name, kind, lengths, uses, class) OP_##name,
#include "cpu/exec/ops_int.def"
	OP_INT_COUNT, OP_FP_BASE = OP_INT_COUNT - 1,
#include "cpu/exec/ops_fp.def"
	OP_FP_END, OP_MVE_BASE = OP_FP_END - 1,
#include "cpu/exec/ops_mve.def"
	OP_MVE_END, OP_MVE_FLOAT_BASE = OP_MVE_END - 1,
#include "cpu/exec/ops_mve_float.def"
	OP_COUNT
#undef OP
};
#define OP_FP_FIRST OP_INT_COUNT
#define OP_MVE_FIRST OP_FP_END
#define OP_MVE_FLOAT_FIRST OP_MVE_END

/* How a body is called, what it may do, and how the engines continue. */
enum op_kind {
	KIND_ALU,    /* registers and flags only */
	KIND_ALUA,   /* writes core register a and nothing else (no flags, d unused) */
	KIND_MEM,    /* may need its slow path (memory, traps) */
	KIND_BR,     /* direct branch: slot + imm when the body says "taken"; ends the block */
	KIND_GO,     /* direct branch that is always taken */
	KIND_BRM,    /* direct branch that may need its slow path; costs the same either way */
	KIND_SKIP,   /* IT: decides about the instructions after it */
	KIND_JMP,    /* computes its target; ends the block */
	KIND_SYS,    /* outside the fast path, everything spilled; ends the block */
	KIND_FP,     /* as ALU, after the FP access check */
	KIND_FPMEM,  /* as MEM, after the FP access check */
	KIND_MVE,    /* as FP, has a predicated twin */
	KIND_MVEMEM, /* as FPMEM, has a predicated twin */
};

/* Operand use and properties, for engines, timing, event counts and checks. R_A ... W_D: slot register a/b/c/d read or written as
 * core register. */
enum op_use {
	R_A = 1, R_B = 2, R_C = 4, R_D = 8, W_A = 16, W_B = 32, W_C = 64, W_D = 128,
	R_FLAGS = 256, W_FLAGS = 512, /* any of N Z C V */
	R_MEM = 0x400, W_MEM = 0x800, /* data memory */
	F_HALF = 0x1000, F_SINGLE = 0x2000, MAC = 0x4000, /* vectors: FP precision, multiply-accumulate */
	STARTS_VPT = 0x8000,   /* may set the masks of a VPT block, which are not stepped behind it */
	INTERLEAVES = 0x10000, /* VLD2, VLD4, VST2, VST4: know no predicate and do not step a VPT block */
	MOVES_LANES = 0x20000, /* between core registers and vector lanes: beat-wise outside IT blocks */
	SELECTS = 0x40000,     /* CSEL and the like: register 15 is zero */
	LIST = 0x80000,        /* loads, stores or clears a list of registers */
	OWN_REGS = 0x100000,   /* its body writes registers that no operand names, or looks at an operand itself */
	W_SP = 0x200000, W_LR = 0x400000, /* writes these besides its operands */
	/* Operands of FP and vector operations that are no core registers are FP registers, a written, b and c read: S, with these D,
	 * of vector operations Q; but for these. */
	D_A = 0x800000, D_BC = 0x1000000,
	A_TOO = 0x2000000,                                        /* a is read, too */
	NOT_A = 0x4000000, NOT_B = 0x8000000, NOT_C = 0x10000000, /* no register at all */
	/* Hardly met in code of compilers and libraries (docs/design/cpu-engine.md, "Handlers"): its plain function is all there is of it. */
	SELDOM = 0x20000000,
};

/* The uses of one operation where they must be constant: USES_adds_ri. */
enum op_uses {
#define OP(name, kind, lengths, uses, class) USES_##name = uses,
#include "cpu/exec/ops_int.def"
#include "cpu/exec/ops_fp.def"
#include "cpu/exec/ops_mve.def"
#include "cpu/exec/ops_mve_float.def"
#undef OP
};

/* Timing classes: cpu/engine/timing.def has the cycles. */
enum op_class {
	C_SIMPLE,  /* moves, additions of a constant */
	C_EXTEND,  /* extensions, reversals, CLZ */
	C_ALU, C_SHIFT,
	C_INSERT,  /* of bit fields */
	C_EXTRACT, /* of bit fields */
	C_SHIFTED, /* arithmetic with a shifted operand */
	C_SELECT,  /* CSEL and the like */
	C_PARALLEL,
	C_DSP,     /* saturation and the rest of the DSP extension */
	C_MUL, C_MULL, C_DIV,
	C_LOAD, C_LOADD, C_STORE, C_STORED, /* D: LDRD, STRD */
	C_MULTI, C_BRANCH, C_JUMP,
	C_LOOP, C_LOOP_END, /* DLS, WLS; LE */
	C_SYS, C_NOP,
	C_FP, C_FPMUL, C_FPMAC, C_FPDIV, C_FPSQRT, C_FPMOVE, C_FPLOAD, C_FPSTORE, C_FPMULTI, C_FP64, C_FP64DIV, C_FP64SQRT,
	C_VALU,
	C_VSHIFT,  /* rounds, saturates or narrows */
	C_VLOGIC, C_VMUL, C_VMAC, C_VFP, C_VFPMUL, C_VFPMAC, C_VLOAD,
	C_VDEINT,  /* VLD2, VLD4 */
	C_VSTORE, C_VGATHER, C_VPRED, C_VCMP, C_VRED,
	C_COUNT
};

/* Encoded lengths of an operation: 16-bit, 32-bit. */
enum op_lengths { L2 = 1, L4 = 2, L24 = 3 };

struct op_info { const char *name; u8 kind, lengths, class; u32 uses; };
extern const struct op_info op_infos[OP_COUNT];

#endif
