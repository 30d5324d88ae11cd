/* SPDX-License-Identifier: Apache-2.0 */
/* What random_faults.c does under its constraints: faults, calls, vectors, loops with tails. Included by that file only. */
#ifndef TESTS_EXCEPTIONS_RANDOM_ACTIONS_H
#define TESTS_EXCEPTIONS_RANDOM_ACTIONS_H

#include "tz.h"

u32 extra_state[64] __attribute__((aligned(8))); /* of VLSTM and FPCXT */

/* Code that takes no room on the stack; r5 is an address that it may use. */
#define ACTION(name, text) __attribute__((naked, used)) static void name(void) { __asm(text "\n bx lr\n .ltorg"); }
ACTION(act_nothing, "nop")
ACTION(act_undefined, "udf 3")
ACTION(act_wide_undefined, "udf.w 3")
ACTION(act_svc, "svc 3")
ACTION(act_bus, "ldr r0, =0x5F000010\n ldr.w r0, [r0]")
ACTION(act_unaligned, "ldr r0, =0x20000001\n ldrd r0, r1, [r0]")
ACTION(act_divide, "movs r0, #0\n udiv r0, r0, r0")
ACTION(act_jump, "mov r6, lr\n ldr r0, =0x08000001\n blx r0\n mov lr, r6")
ACTION(act_arm, "mov r6, lr\n adr r0, 1f\n blx r0\n .align 2\n 1: nop\n mov lr, r6")
ACTION(act_fp, "vmov s1, r5\n vmov s20, r5")
ACTION(act_fp_arith, "vadd.f32 s3, s1, s20")
/* QEMU leaves the predicate out where VPST begins the context. */
ACTION(act_vector, "vmov r0, s0\n isb\n vpst\n vaddt.i32 q1, q2, q3")
ACTION(act_vpt, "vmov r0, s0\n isb\n vpt.i32 eq, q1, q2\n vaddt.i32 q1, q2, q3")
ACTION(act_vlstm, "ldr r0, =extra_state\n vlstm r0\n vlldm r0")
ACTION(act_vlstm_call, "ldr r0, =extra_state\n mov r6, lr\n vlstm r0\n ldr r4, =ns_return\n bic r4, #1\n blxns r4\n ldr r0, =extra_state\n"
       "vlldm r0\n mov lr, r6")
ACTION(act_vscclrm, "vscclrm {s0-s7, vpr}")
ACTION(act_fpcxt, "vmrs r0, fpcxtns\n vmsr fpcxtns, r0")
ACTION(act_fpcxt_s, "vstr fpcxts, [r5, #0x90]\n vldr fpcxts, [r5, #0x90]")
/* A loop with a tail: each round pends what r7 says. */
ACTION(act_loop, "mov r6, lr\n mov r0, #7\n ldr r1, =0xe000e200\n dlstp.32 lr, r0\n"
       "1: vadd.i32 q0, q0, q1\n str r7, [r1]\n dsb\n isb\n vadd.i32 q1, q0, r0\n letp lr, 1b\n mov lr, r6")
ACTION(act_loop_fault, "mov r6, lr\n mov r0, #6\n dlstp.16 lr, r0\n"
       "1: vadd.i16 q0, q0, q1\n udf 3\n vadd.i16 q1, q0, r0\n letp lr, 1b\n mov lr, r6")

/* The same by a Secure thread without privilege. */
__attribute__((used)) static u32 unprivileged_action;
ACTION(act_unprivileged, "ldr r0, =unprivileged_action\n ldr r1, [r0]\n mrs r0, control\n orr r0, #1\n msr control, r0\n isb\n bx r1")

static void (*const actions[])(void) = {
	act_nothing, act_undefined, act_wide_undefined, act_svc, act_bus, act_unaligned, act_divide, act_jump, act_arm,
	act_fp, act_fp_arith, act_vector, act_vpt, act_vlstm, act_vlstm_call, act_vscclrm, act_fpcxt, act_fpcxt_s,
	act_loop, act_loop_fault, act_fp, act_vector, act_nothing,
};

NS_NAKED static void ns_return(void) { __asm("vmov s2, lr\n bx lr"); }

#endif
