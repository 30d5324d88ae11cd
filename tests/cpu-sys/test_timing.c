/* SPDX-License-Identifier: Apache-2.0 */
/* Cycle estimates: short sequences whose cost follows from the rows of cpu/engine/timing.def. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

/* Cycles of the instructions of `code`, before an instruction that pairs with nothing; a vector instruction's second
 * cycle passes beside it. */
static u64 cycles(enum cpu_timing timing, const u16 *code, unsigned halfwords, unsigned instructions)
{
	static const u16 fence[] = { 0xFBB8, 0xF8F9, 0xE7FE }; /* udiv r8, r8, r9; b . */
	struct rig *r = rig_new_timed(timing);
	struct cpu *c = r->c;

	cr_assert(cpu_poke(c, RIG_PC, code, 2 * halfwords));
	cr_assert(cpu_poke(c, RIG_PC + 2 * halfwords, fence, sizeof(fence)));
	rig_write(r, 0xE000ED88, 0xF << 20); /* CPACR */
	c->core.r[1] = 0x30000000;
	c->core.r[3] = 0x30000100;
	c->core.r[6] = 0x10008000; /* ITCM, like the code */
	u64 start = c->core.cycles;
	for (unsigned i = 0; i < instructions; i++)
		cr_assert_eq(cpu_step(c), CPU_STOP_HORIZON);
	cr_assert_eq(c->core.ipsr, 0);
	u64 used = c->core.cycles - start;
	rig_free(r);
	return used;
}

#define EXPECT(name, m55, m85, instructions, ...) \
	Test(timing, name) \
	{ \
		static const u16 code[] = { __VA_ARGS__ }; \
		cr_expect_eq(cycles(CPU_TIMING_IPC1, code, ARRAY_LEN(code), instructions), instructions); \
		cr_expect_eq(cycles(CPU_TIMING_M55, code, ARRAY_LEN(code), instructions), m55); \
		cr_expect_eq(cycles(CPU_TIMING_M85, code, ARRAY_LEN(code), instructions), m85); \
	}

/*     name                     m55 m85 instructions */
EXPECT(two_moves,                 1, 1, 2, 0x2001, 0x2102)                         /* movs r0, #1; movs r1, #2 */
EXPECT(arithmetic_twice,          1, 1, 2, 0x1888, 0x4063)                         /* adds r0, r1, r2; eors r3, r4 */
EXPECT(load_and_arithmetic,       1, 1, 2, 0x6808, 0x4063)                         /* ldr r0, [r1]; eors r3, r4 */
EXPECT(two_loads,                 2, 1, 2, 0x6808, 0x681A)                         /* ldr r0, [r1]; ldr r2, [r3] */
EXPECT(long_product,              2, 1, 1, 0xFBA2, 0x0105)                         /* umull r0, r1, r2, r5 */
EXPECT(wide,                      2, 1, 2, 0xF101, 0x0001, 0xF103, 0x0201)         /* add.w r0, r1, #1; add.w r2, r3, #1 */
EXPECT(dependent,                 2, 2, 2, 0x2001, 0x3001)                         /* movs r0, #1; adds r0, #1 */
EXPECT(load_and_use,              3, 2, 2, 0x6808, 0x1880)                         /* ldr r0, [r1]; adds r0, r0, r2 */
EXPECT(two_multiplications,       2, 2, 2, 0x4350, 0x4363)                         /* muls r0, r2; muls r3, r4 */
EXPECT(data_of_a_store,           1, 1, 2, 0x2001, 0x6008)                         /* movs r0, #1; str r0, [r1] */
EXPECT(vectors_of_two_pipelines,  2, 2, 2, 0xEF22, 0x0844, 0xED91, 0x7F00)         /* vadd.i32 q0, q1, q2; vldrw.u32 q3, [r1] */
EXPECT(vectors_of_one_pipeline,   3, 3, 2, 0xEF22, 0x0844, 0xEF22, 0x6844)         /* vadd.i32 q0, q1, q2; vadd.i32 q3, q1, q2 */
EXPECT(vector_beside_a_scalar,    2, 2, 2, 0xEF22, 0x0844, 0x2001)                 /* vadd.i32 q0, q1, q2; movs r0, #1 */
EXPECT(vector_and_scalar_load,    3, 3, 2, 0xED91, 0x7F00, 0x6808)                 /* vldrw.u32 q3, [r1]; ldr r0, [r1] */
EXPECT(product_of_vectors,        2, 2, 2, 0xEF22, 0x0954, 0xEF24, 0x6844)         /* vmul.i32 q0, q1, q2; vadd.i32 q3, q2, q2 */
EXPECT(use_of_a_product,          3, 3, 2, 0xEF22, 0x0954, 0xEF20, 0x6844)         /* vmul.i32 q0, q1, q2; vadd.i32 q3, q0, q2 */
EXPECT(store_of_a_vector,         2, 2, 2, 0xEF22, 0x0954, 0xED81, 0x1F00)         /* vmul.i32 q0, q1, q2; vstrw.32 q0, [r1] */
EXPECT(vector_load_and_store,     3, 2, 2, 0xED91, 0x7F00, 0xED83, 0x1F00)         /* vldrw.u32 q3, [r1]; vstrw.32 q0, [r3] */

/* Data in the M55's ITCM: each word takes the port from the fetches of 32-bit instructions. */
EXPECT(word_in_itcm,              2, 1, 1, 0xF8D6, 0x0000)                         /* ldr.w r0, [r6] */
EXPECT(byte_in_itcm,              2, 1, 1, 0xF896, 0x0003)                         /* ldrb.w r0, [r6, #3] */
EXPECT(pair_in_itcm,              3, 1, 1, 0xE9D6, 0x0200)                         /* ldrd r0, r2, [r6] */
EXPECT(vector_in_itcm,            5, 1, 1, 0xED96, 0x7F00)                         /* vldrw.u32 q3, [r6] */
EXPECT(gathered_from_itcm,        9, 3, 1, 0xFC96, 0x0F42)                         /* vldrw.u32 q0, [r6, q1] */
EXPECT(narrow_load_from_itcm,     1, 1, 1, 0x6830)                                 /* ldr r0, [r6] */
EXPECT(store_to_itcm,             1, 1, 1, 0xF8C6, 0x0000)                         /* str.w r0, [r6] */

/* Stages: shifted operands are read early, on the M85 addresses, too; data of stores are read late, on the M85 accumulators, too. */
EXPECT(bit_field_and_use,         3, 2, 2, 0xF3C1, 0x0082, 0x3001)                 /* ubfx r0, r1, #2, #3; adds r0, #1 */
EXPECT(address_just_made,         2, 3, 2, 0x3104, 0x6808)                         /* adds r1, #4; ldr r0, [r1] */
EXPECT(shifted_operand_just_made, 3, 3, 2, 0x3104, 0xEA82, 0x1041)                 /* adds r1, #4; eor r0, r2, r1, lsl #5 */
EXPECT(other_operand_just_made,   2, 2, 2, 0x3104, 0xEA81, 0x1042)                 /* adds r1, #4; eor r0, r1, r2, lsl #5 */
EXPECT(shifted_operand_loaded,    4, 3, 2, 0x6819, 0xEA82, 0x1041)                 /* ldr r1, [r3]; eor r0, r2, r1, lsl #5 */
EXPECT(use_of_a_shifted_sum,      3, 2, 2, 0xEA82, 0x1041, 0x3001)                 /* eor r0, r2, r1, lsl #5; adds r0, #1 */
EXPECT(shifted_sum_shifted_again, 3, 3, 2, 0xEA82, 0x1041, 0xEA82, 0x1340)         /* eor r0, r2, r1, lsl #5; eor r3, r2, r0, lsl #5 */
EXPECT(store_of_a_shifted_sum,    2, 1, 2, 0xEA82, 0x1041, 0x6018)                 /* eor r0, r2, r1, lsl #5; str r0, [r3] */
EXPECT(store_of_a_word_loaded,    2, 1, 2, 0x6818, 0x6008)                         /* ldr r0, [r3]; str r0, [r1] */
EXPECT(base_written_back,         2, 2, 2, 0xF851, 0x0B04, 0x680A)                 /* ldr r0, [r1], #4; ldr r2, [r1] */
EXPECT(product_added_to,          3, 2, 2, 0xFB02, 0xF003, 0xFB02, 0x0403)         /* mul r0, r2, r3; mla r4, r2, r3, r0 */
EXPECT(use_two_further,           3, 2, 3, 0x6808, 0x2201, 0x18C0)                 /* ldr r0, [r1]; movs r2, #1; adds r0, r0, r3 */
EXPECT(if_then,                   2, 2, 3, 0x2800, 0xBF18, 0x2101)                 /* cmp r0, #0; it ne; movne r1, #1 */
EXPECT(two_words,                 2, 1, 2, 0xE9D1, 0x0200, 0x3401)                 /* ldrd r0, r2, [r1]; adds r4, #1 */
EXPECT(two_words_and_a_word,      2, 2, 2, 0xE9D1, 0x0200, 0x681C)                 /* ldrd r0, r2, [r1]; ldr r4, [r3] */
EXPECT(store_and_load,            2, 1, 2, 0xE9C1, 0x0200, 0x681C)                 /* strd r0, r2, [r1]; ldr r4, [r3] */
EXPECT(two_extensions,            1, 2, 2, 0xB2C8, 0xB2DA)                         /* uxtb r0, r1; uxtb r2, r3 */

/* FP and vector registers */
EXPECT(use_of_an_fp_product,      3, 4, 2, 0xEE21, 0x0A02, 0xEE30, 0x3A01)         /* vmul.f32 s0, s2, s4; vadd.f32 s6, s0, s2 */
EXPECT(half_of_a_double,          3, 2, 2, 0xED91, 0x0B00, 0xEEB0, 0x2A60)         /* vldr d0, [r1]; vmov.f32 s4, s1 */
EXPECT(product_used_two_further,  3, 3, 3, 0xEF22, 0x0954, 0xED91, 0x7F00, 0xEF20, 0x8842) /* vmul.i32 q0, q1, q2; vldrw.u32 q3, [r1]; vadd.i32 q4, q0, q1 */
EXPECT(use_of_a_fused_sum,        3, 5, 2, 0xEF02, 0x0C54, 0xEF00, 0x6D42)         /* vfma.f32 q0, q1, q2; vadd.f32 q3, q0, q1 */
EXPECT(fused_sums,                3, 3, 2, 0xEF02, 0x0C54, 0xEF06, 0x0C54)         /* vfma.f32 q0, q1, q2; vfma.f32 q0, q3, q2 */
EXPECT(second_of_two_loaded,      3, 5, 2, 0xFC91, 0x1F00, 0xEF22, 0x6844)         /* vld20.32 {q0, q1}, [r1]; vadd.i32 q3, q1, q2 */
EXPECT(use_of_a_narrowed_vector,  3, 3, 2, 0xEE9D, 0x0FC3, 0xEF20, 0x6844)         /* vshrnb.i32 q0, q1, #3; vadd.i32 q3, q0, q2 */
EXPECT(logic_and_integers,        3, 2, 2, 0xEF02, 0x0154, 0xEF22, 0x6844)         /* vand q0, q1, q2; vadd.i32 q3, q1, q2 */
EXPECT(load_after_a_store,        4, 3, 3, 0xED83, 0x1F00, 0xEF22, 0x6844, 0xED91, 0x7F00) /* vstrw.32 q0, [r3]; vadd.i32 q3, q1, q2; vldrw.u32 q3, [r1] */

/* vldrw.u32 q3, [r1]; vadd.i32 q0, q1, q2; le lr, .-8: no cycle for the loop end, as the loop begins in another unit than it ends. */
EXPECT(loop_of_vectors,           2, 2, 3, 0xED91, 0x7F00, 0xEF22, 0x0844, 0xF00F, 0xC007)
/* vadd.i32 q3, q1, q2; vadd.i32 q0, q1, q2; le lr, .-8 */
EXPECT(loop_in_one_pipeline,      4, 4, 3, 0xEF22, 0x6844, 0xEF22, 0x0844, 0xF00F, 0xC007)
/* movs r0, #1; le lr, .: the loop end comes for nothing after an instruction of one cycle. */
EXPECT(loop_end,                  1, 1, 2, 0x2001, 0xF00F, 0xC003)
