/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions are laid as host instructions of their own, and how. */
#include "cpu/engine/direct.h"

#include "cpu/exec/ops.h"

#define R(name, ...) [OP_##name] = { __VA_ARGS__ }

#define LOGIC(name, what, shift, y) R(name##_##shift, what, y, 0, 0), R(name##s_##shift, what, y, SETS, 0)
#define TEST(name, what, shift, y) R(name##_##shift, what, y, SETS | NO_RESULT, 0)
#define DATA(shift, y) \
	LOGIC(mov, DO_MOV, shift, y), LOGIC(mvn, DO_MVN, shift, y), LOGIC(and, DO_AND, shift, y), LOGIC(orr, DO_ORR, shift, y), \
	LOGIC(eor, DO_EOR, shift, y), LOGIC(bic, DO_BIC, shift, y), LOGIC(orn, DO_ORN, shift, y), LOGIC(add, DO_ADD, shift, y), \
	LOGIC(sub, DO_SUB, shift, y), LOGIC(rsb, DO_RSB, shift, y), LOGIC(adc, DO_ADC, shift, y), LOGIC(sbc, DO_SBC, shift, y), \
	TEST(tst, DO_AND, shift, y), TEST(teq, DO_EOR, shift, y), TEST(cmp, DO_SUB, shift, y), TEST(cmn, DO_ADD, shift, y)
#define CARRY(name, what, flags) R(name##_ric, what, Y_IMM, SETS | CARRY_CONSTANT | (flags), 0)
#define EXTEND(name, bytes, flags) \
	R(name, DO_EXTEND, 0, flags, bytes), R(name##_ror, DO_EXTEND, 0, (flags) | ROTATES, bytes)
#define SHIFT_BY(name, shift) R(name##_by, DO_SHIFT_BY, shift, 0, 0), R(name##s_by, DO_SHIFT_BY, shift, SETS, 0)
#define LOAD(name, bytes, flags) \
	R(name##_ri, DO_LOAD, AT_IMM, flags, bytes), R(name##_rr, DO_LOAD, AT_REG, flags, bytes), \
	R(name##_rl, DO_LOAD, AT_SHIFTED, flags, bytes), R(name##_lit, DO_LOAD, AT_CONSTANT, flags, bytes), \
	R(name##_pre, DO_LOAD, AT_PRE, flags, bytes), R(name##_post, DO_LOAD, AT_POST, flags, bytes)
#define LIST(name, what, at) R(name, what, at, 0, 0), R(name##_w, what, at, BACK, 0)
#define STORE(name, bytes) \
	R(name##_ri, DO_STORE, AT_IMM, 0, bytes), R(name##_rr, DO_STORE, AT_REG, 0, bytes), \
	R(name##_rl, DO_STORE, AT_SHIFTED, 0, bytes), R(name##_pre, DO_STORE, AT_PRE, 0, bytes), \
	R(name##_post, DO_STORE, AT_POST, 0, bytes)

const struct recipe direct_recipes[OP_COUNT] = {
	DATA(rr, Y_REG), DATA(lsl, Y_LSL), DATA(lsr, Y_LSR), DATA(asr, Y_ASR), DATA(ror, Y_ROR),
	LOGIC(mov, DO_MOV, ri, Y_IMM), LOGIC(and, DO_AND, ri, Y_IMM), LOGIC(orr, DO_ORR, ri, Y_IMM), LOGIC(eor, DO_EOR, ri, Y_IMM),
	LOGIC(add, DO_ADD, ri, Y_IMM), LOGIC(adc, DO_ADC, ri, Y_IMM), LOGIC(rsb, DO_RSB, ri, Y_IMM),
	R(subs_ri, DO_SUB, Y_IMM, SETS, 0), TEST(tst, DO_AND, ri, Y_IMM), TEST(teq, DO_EOR, ri, Y_IMM),
	TEST(cmp, DO_SUB, ri, Y_IMM), TEST(cmn, DO_ADD, ri, Y_IMM),
	CARRY(movs, DO_MOV, 0), CARRY(ands, DO_AND, 0), CARRY(orrs, DO_ORR, 0), CARRY(eors, DO_EOR, 0),
	CARRY(tst, DO_AND, NO_RESULT), CARRY(teq, DO_EOR, NO_RESULT),
	R(movt, DO_MOVT), R(ubfx, DO_UBFX), R(sbfx, DO_SBFX), R(bfi, DO_BFI), R(rev, DO_REV), R(rev16, DO_REV16),
	EXTEND(uxtb, 1, 0), EXTEND(uxth, 2, 0), EXTEND(sxtb, 1, SIGNED), EXTEND(sxth, 2, SIGNED),
	R(uxtab, DO_EXTEND, 0, ADDS | ROTATES, 1), R(uxtah, DO_EXTEND, 0, ADDS | ROTATES, 2),
	R(sxtab, DO_EXTEND, 0, ADDS | ROTATES | SIGNED, 1), R(sxtah, DO_EXTEND, 0, ADDS | ROTATES | SIGNED, 2),
	R(mul, DO_MUL), R(muls, DO_MUL, 0, SETS, 0), R(mla, DO_MLA), R(mls, DO_MLS), R(umull, DO_MULL), R(smull, DO_MULL, 0, SIGNED, 0),
	R(umlal, DO_MLAL), R(smlal, DO_MLAL, 0, SIGNED, 0), R(umaal, DO_UMAAL),
	R(smul16, DO_HALVES, 0, 0, 2), R(smla16, DO_HALVES, 0, ADDS, 2), R(smulw, DO_HALVES, 0, 0, 4), R(smlaw, DO_HALVES, 0, ADDS, 4),
	SHIFT_BY(lsl, Y_LSL), SHIFT_BY(lsr, Y_LSR), SHIFT_BY(asr, Y_ASR), R(sp_add_ri, DO_STACK),
	LOAD(ldr, 4, 0), LOAD(ldrh, 2, 0), LOAD(ldrb, 1, 0), LOAD(ldrsh, 2, SIGNED), LOAD(ldrsb, 1, SIGNED),
	STORE(str, 4), STORE(strh, 2), STORE(strb, 1),
	R(push, DO_STORE_LIST, AT_DOWN, BACK, 0), R(pop, DO_LOAD_LIST, AT_UP, BACK, 0), R(pop_pc, DO_LOAD_LIST, AT_UP, BACK | LOADS_PC, 0),
	LIST(stmia, DO_STORE_LIST, AT_UP), LIST(stmdb, DO_STORE_LIST, AT_DOWN), LIST(ldmia, DO_LOAD_LIST, AT_UP), LIST(ldmdb, DO_LOAD_LIST, AT_DOWN),
	R(ldmia_w_pc, DO_LOAD_LIST, AT_UP, BACK | LOADS_PC, 0), R(bx, DO_JUMP, 0, 0, 0), R(blx, DO_JUMP, 0, LINKS_BACK, 0),
	R(tbb, DO_TABLE_JUMP, AT_REG, 0, 1), R(tbh, DO_TABLE_JUMP, AT_REG, 0, 2),
	R(tbb_pc, DO_TABLE_JUMP, AT_REG, TABLE_HERE, 1), R(tbh_pc, DO_TABLE_JUMP, AT_REG, TABLE_HERE, 2),
	R(ldr_pc_post, DO_LOAD_JUMP, AT_POST, 0, 4),
	R(ldrd_ri, DO_LOAD_PAIR, AT_IMM, 0, 8), R(strd_ri, DO_STORE_PAIR, AT_IMM, 0, 8),
};
