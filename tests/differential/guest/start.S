/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors, entry to and exit from a sequence. Every exception ends the sequence that ran: the one
 * entry saves what the hardware did not stack, C writes the result and prepares the next sequence,
 * the exit returns into it. FP state is stacked at once (FPCCR.LSPEN = 0), with S16-S31 by hand. */
	.syntax unified
	.arch armv8.1-m.main
	.arch_extension mve.fp
	.section .vectors, "a"
	.word 0x20008000
	.word reset
	.rept 14
	.word ended
	.endr

	.text
	.thumb_func
	.global reset
reset:
	bl setup
	svc #0
1:	b 1b

	.thumb_func
ended:
	ldr r0, =case_regs
	mrs r1, psp
	stmia r0!, {r1, r4-r11, lr}
	vstmia r0, {s16-s31}
	mrs r0, ipsr
	bl step
	ldr r0, =case_regs
	ldmia r0!, {r1, r4-r11, lr}
	vldmia r0, {s16-s31}
	msr psp, r1
	bx lr
	.pool
