/* SPDX-License-Identifier: Apache-2.0 */
/* Resumed beat-wise execution: EPSR.ECI says which beats of the next instructions were executed
 * before an exception (Armv8-M ARM: A0, A0A1, A0A1A2, A0A1A2B0). Values by hand. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#include "cpu/engine/engine.h"

static struct rig *r;
static struct cpu *c;

#define CFSR 0xE000ED28u
#define INVSTATE (1u << 17)
#define DATA 0x30000100u
#define VADD_Q2_Q0_Q1 0xef204842u  /* vadd.i32 q2, q0, q1 */
#define VMUL_Q3_Q0_Q1 0xef206952u  /* vmul.i32 q3, q0, q1 */
#define VLDRW_Q2_R0 0xed905f00u    /* vldrw.u32 q2, [r0] */
#define VSTRW_Q0_R0 0xed801f00u    /* vstrw.32 q0, [r0] */
#define VMOV_R1_LANE0 0xee141b10u  /* vmov.32 r1, d4[0] */
#define VMOV_LANE3_R1 0xee251b10u  /* vmov.32 d5[1], r1 */
#define VMLAV_R4_Q0_Q1 0xeef14e02u  /* vmlav.s32 r4, q0, q1 */
#define VSTRD_Q0_Q1_32_W 0xfda21f04u /* vstrd.64 q0, [q1, #32]! */
#define VADCI_Q2_Q0_Q1 0xee305f02u /* vadci.i32 q2, q0, q1 */
#define VLSTM_R0 0xec200a00u
#define VPST 0xfe710f4du
#define ADD_R1 0xf1010101u         /* add.w r1, r1, #1 */
#define LE 0xf00fc003u             /* le lr, back to itself */

static void setup(void)
{
	r = rig_new();
	c = r->c;
	rig_write(r, 0xE000ED88, 0xf << 20);
	rig_write(r, 0xE000ED24, 0xf << 16);
	for (u32 i = 0; i < 4; i++) {
		c->fp.q[0].w[i] = i + 1;
		c->fp.q[1].w[i] = 10 * (i + 1);
		c->fp.q[2].w[i] = c->fp.q[3].w[i] = 0x99;
	}
	c->fp.ltpsize = 4;
	c->fp.vpr = 0;
	c->sys->fpca = c->sys->sfpa = true;
}
static void teardown(void) { rig_free(r); }
TestSuite(beats, .init = setup, .fini = teardown);

static void code(u32 at, u32 encoding) { rig_poke(r, RIG_PC + at, encoding << 16 | encoding >> 16); }

static void run(u32 eci, u32 instructions)
{
	c->core.eci = eci;
	while (instructions--)
		engine_run_one(c);
}

static void expect_words(const union vec *q, u32 a, u32 b, u32 d, u32 e)
{
	const u32 w[4] = {a, b, d, e};
	for (u32 i = 0; i < 4; i++)
		cr_expect_eq(q->w[i], w[i], "word %u is %08x, not %08x", i, q->w[i], w[i]);
}

Test(beats, done_beats_are_not_done_again)
{
	code(0, VADD_Q2_Q0_Q1);
	run(1, 1);
	expect_words(&c->fp.q[2], 0x99, 22, 33, 44);
	cr_assert_eq(c->core.eci, 0);
}

Test(beats, three_done)
{
	code(0, VADD_Q2_Q0_Q1);
	run(4, 1);
	expect_words(&c->fp.q[2], 0x99, 0x99, 0x99, 44);
	cr_assert_eq(c->core.eci, 0);
}

Test(beats, first_beat_of_the_next_instruction_was_done)
{
	code(0, VADD_Q2_Q0_Q1);
	code(4, VMUL_Q3_Q0_Q1);
	run(5, 1);
	expect_words(&c->fp.q[2], 0x99, 0x99, 0x99, 44);
	cr_assert_eq(c->core.eci, 1);
	run(c->core.eci, 1);
	expect_words(&c->fp.q[3], 0x99, 40, 90, 160);
	cr_assert_eq(c->core.eci, 0);
}

Test(beats, load_and_store_touch_only_the_rest)
{
	for (u32 i = 0; i < 4; i++)
		rig_poke(r, DATA + 4 * i, 0x70 + i);
	c->core.r[0] = DATA;
	code(0, VLDRW_Q2_R0);
	code(4, VSTRW_Q0_R0);
	run(2, 1);
	expect_words(&c->fp.q[2], 0x99, 0x99, 0x72, 0x73);
	run(2, 1);
	cr_expect_eq(rig_peek(r, DATA + 4), 0x71);
	cr_expect_eq(rig_peek(r, DATA + 8), 3);
}

Test(beats, lane_moves_are_beat_wise)
{
	c->core.r[1] = 5;
	code(0, VMOV_R1_LANE0);
	code(4, VMOV_LANE3_R1);
	run(5, 1);
	cr_expect_eq(c->core.r[1], 5, "beat 0 was done before");
	cr_expect_eq(c->core.eci, 1);
	run(c->core.eci, 1);
	expect_words(&c->fp.q[2], 0x99, 0x99, 0x99, 5);
	cr_expect_eq(c->core.eci, 0);
}

Test(beats, other_instructions_are_invstate)
{
	c->core.r[1] = 5;
	code(0, ADD_R1);
	run(1, 1);
	cr_expect_eq(c->core.r[1], 5);
	cr_expect_eq(rig_read(r, CFSR), INVSTATE);
}

Test(beats, reserved_values_are_invstate)
{
	code(0, VADD_Q2_Q0_Q1);
	run(3, 1);
	expect_words(&c->fp.q[2], 0x99, 0x99, 0x99, 0x99);
	cr_expect_eq(rig_read(r, CFSR), INVSTATE);
}

Test(beats, loop_end_keeps_them)
{
	c->core.r[14] = 1;
	code(0, LE);
	code(4, VADD_Q2_Q0_Q1);
	run(2, 1);
	cr_expect_eq(c->core.eci, 2);
	run(c->core.eci, 1);
	expect_words(&c->fp.q[2], 0x99, 0x99, 33, 44);
}

/* The mask of the beats that are done belongs to the block before: VPST sets only the others. */
Test(beats, vpst_sets_the_mask_of_the_rest)
{
	c->fp.vpr = 0x00f0ff;
	code(0, VPST);
	run(2, 1);
	cr_expect_eq(c->fp.vpr, 0x0080f0ff, "vpr %08x", c->fp.vpr);
	cr_expect_eq(c->core.eci, 0);
}

/* A fault in a later beat: the whole instruction is restarted, so nothing has changed. */
Test(beats, fault_in_a_later_beat_restarts)
{
	rig_poke(r, 0x3000fff8, 0x11);
	rig_poke(r, 0x3000fffc, 0x22);
	c->core.r[0] = 0x3000fff8;
	code(0, VLDRW_Q2_R0);
	run(0, 1);
	cr_expect_eq(rig_read(r, CFSR), 0x8200);
	cr_expect_eq(rig_read(r, 0xE000ED38), 0x30010000);
	expect_words(&c->fp.q[2], 0x99, 0x99, 0x99, 0x99);
	cr_expect_eq(c->core.eci, 0);
}

/* The beats that are done are in the register already. */
Test(beats, a_sum_goes_on)
{
	c->core.r[4] = 1000;
	code(0, VMLAV_R4_Q0_Q1);
	run(2, 1);
	cr_expect_eq(c->core.r[4], 1000 + 3 * 30 + 4 * 40);
}

/* The initial carry belongs to the first beat, which left its own in FPSCR. */
Test(beats, a_long_addition_goes_on)
{
	c->fp.fpscr = 1u << 29;
	code(0, VADCI_Q2_Q0_Q1);
	run(1, 1);
	expect_words(&c->fp.q[2], 0x99, 23, 33, 44);
	cr_expect_eq(c->fp.fpscr >> 29 & 1, 0);
}

Test(beats, saving_the_context_is_permitted)
{
	c->sys->sfpa = false;
	code(0, VLSTM_R0);
	run(1, 1);
	cr_expect_eq(rig_read(r, CFSR), 0);
	cr_expect_eq(c->core.eci, 0);
}

/* A doubleword's address is written back with its second beat. */
Test(beats, write_back_of_addresses)
{
	c->fp.q[1].w[0] = DATA;
	c->fp.q[1].w[2] = DATA + 0x20;
	code(0, VSTRD_Q0_Q1_32_W);
	run(4, 1);
	cr_expect_eq(c->fp.q[1].w[0], DATA, "its store was done, and written back, before");
	cr_expect_eq(c->fp.q[1].w[2], DATA + 0x40);
	cr_expect_eq(rig_peek(r, DATA + 0x44), 4);
	cr_expect_eq(rig_peek(r, DATA + 0x40), 0);
}
