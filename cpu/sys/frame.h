/* SPDX-License-Identifier: Apache-2.0 */
/* Exception frames on the stack, and the lazy FP context. Private to cpu/sys/. */
#ifndef CPU_SYS_FRAME_H
#define CPU_SYS_FRAME_H

#include "cpu/sys/raise.h"

enum exc_return_bits {
	EXC_RETURN_ES = 1 << 0, EXC_RETURN_SPSEL = 1 << 2, EXC_RETURN_MODE = 1 << 3,
	EXC_RETURN_FTYPE = 1 << 4, EXC_RETURN_DCRS = 1 << 5, EXC_RETURN_S = 1 << 6,
};
#define EXC_RETURN_PREFIX 0xFFFFFF80u
#define FRAME_INTEGER 0x20u
#define FRAME_FP 0x48u          /* S0-S15, FPSCR, VPR */
#define FRAME_FP_CALLEE 0x40u   /* S16-S31 */
#define FRAME_CALLEE 0x28u      /* signature, reserved, R4-R11 */

/* Stack accesses of one frame; stops at the first that fails and pends its fault. */
struct stack_io {
	struct cpu *c;
	bool secure, privileged; /* of the code that owns the frame */
	u8 kind;                 /* ACC_STACK, ACC_UNSTACK or ACC_LAZYFP */
	bool ok;
	bool ignore_faults;      /* they leave their status and nothing else */
};
void stack_store(struct stack_io *io, u32 addr, u32 value);
u32 stack_load(struct stack_io *io, u32 addr); /* 0 after a failure */
/* Eight words side by side, as so many of these, where they lie in one page that is known to be open; false: nothing is done, they must be made
 * one by one. */
bool stack_words(struct stack_io *io, u32 addr, bool write, u32 words[8]);

/* Pushes the frame of the interrupted code; sys.sp must be current. False: a derived fault is pended. */
bool frame_push(struct cpu *c);
/* Pushes R4-R11 and the signature of a Secure background before a Non-secure exception. */
bool frame_push_callee(struct cpu *c, u32 exc_return, bool tail, bool ignore_faults);
u32 frame_signature(u32 exc_return);

/* S registers and FPSCR, VPR. */
void fp_store(struct stack_io *io, u32 addr, bool callee);
void fp_load(struct stack_io *io, u32 addr, bool callee);
void fp_clear(struct cpu *c, bool callee);
/* NSACR leaves the FP extension to that Security state. */
bool fp_shared(const struct cpu *c, bool secure);
/* Pseudocode CheckCPEnabled(10): on denial *kind_secure is the bank of the NOCP UsageFault. */
bool fp_permitted(const struct cpu *c, bool secure, bool privileged, bool *fault_secure);
/* Pseudocode UpdateFPCCR: the state is to be saved at `frame` (address of S0) when needed. */
void fp_defer(struct cpu *c, u32 frame, bool check_limit);

/* Pseudocode ExceptionReturn; r[15], IT and all else are those of the code resumed, or of the
 * exception taken instead. */
void exception_return(struct cpu *c, u32 exc_return);

#endif
