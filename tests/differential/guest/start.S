/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors, entry to and exit from a sequence. Every exception but two ends the sequence that ran:
 * the one entry saves what the hardware did not stack, C writes the result and prepares the next
 * sequence, the exit returns into it. S16-S31 are saved by hand, which also completes a lazy
 * preservation of the others. C has a stack of its own: a sequence may have moved MSP.
 * SysTick and IRQ 0 overwrite what an exception may and go back into the sequence. */
#include "../case.h"
	.equ C_STACK, CASE_MAIN_STACK
	.syntax unified
	.arch armv8.1-m.main
	.arch_extension mve.fp
	.section .vectors, "a"
	.word C_STACK
	.word reset
	.rept 13
	.word ended
	.endr
	.word ticked
	.word interrupted

	.text
	.thumb_func
	.global reset
reset:
	cpsid f /* no MPU */
	bl setup
	ldr r1, =CASE_MSP /* from here on with MPU: C's stack is out of reach */
	msr msp, r1
	cpsie f
	svc #0
1:	b 1b

	.thumb_func
ended:
	mrs r3, faultmask
	cpsid f
	ldr r0, =case_regs
	mrs r1, psp
	stmia r0!, {r1, r4-r11, lr}
	vstmia r0!, {s16-s31}
	mrs r1, msp
	mrs r2, msplim
	stmia r0!, {r1, r2, r3}
	movs r2, #0
	msr msplim, r2
	ldr r1, =C_STACK
	msr msp, r1
	mrs r0, ipsr
	bl step
	ldr r0, =case_regs
	ldmia r0!, {r1, r4-r11, lr}
	vldmia r0, {s16-s31}
	msr psp, r1
	ldr r1, =CASE_MSP
	msr msp, r1
	cpsie f /* QEMU sets it in a HardFault handler, too, and then the return does not clear it */
	bx lr

	/* Ends the sequence when it has been interrupted too often. */
	.thumb_func
ticked:
	cpsid f
	ldr r0, =ticks_left
	ldr r1, [r0]
	subs r1, #1
	bmi ended
	str r1, [r0]
	ldr r0, =0xe000e018 /* SYST_CVR: a full period until the next one */
	str r1, [r0]
	ldr r0, =0xe000ed04
	mov r1, #1 << 25
	str r1, [r0]
	.thumb_func
interrupted:
	mov r1, #0x0fc00000
	vmsr fpscr, r1
	vmsr vpr, r1
	vmov.i32 q0, #0x55
	vmov.i32 q1, #0x56
	vmov.i32 q2, #0x57
	vmov.i32 q3, #0x58
	mvn r2, #0
	mov r3, r2
	mov r12, r2
	msr apsr_nzcvqg, r2
	bx lr
	.pool

	/* What the end of the code page is copied from: see case.h. */
	.macro entry
	.p2align 5, 0
	.endm
	.section .rodata
	.global gates, functions
	.p2align 5
gates:
	sg
	bxns lr
	entry
	sg
	vmov.i32 q1, #3
	vadd.i32 q0, q0, q1
	bxns lr
	entry
	sg
	vstr fpcxtns, [sp, #-4]!
	vscclrm {s0-s31, vpr}
	vldr fpcxtns, [sp], #4
	clrm {r1, r12, apsr}
	bxns lr
	entry
	sg
	tt r1, r0
	tta r2, r0
	mrs r3, control_ns
	bxns lr
	entry
functions:
	bx lr
	entry
	vmov.i32 q1, #5
	vmul.i32 q0, q0, q1
	bx lr
	entry
	mrs r0, control
	mrs r1, psp
	msr apsr_nzcvqg, r0
	vmrs r2, fpscr
	bx lr
	entry
	tt r1, r0
	ttt r2, r0
	bx lr
	entry
