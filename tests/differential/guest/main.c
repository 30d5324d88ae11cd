/* SPDX-License-Identifier: Apache-2.0 */
/* Runs sequences of instructions from a batch file and writes what they left behind.
 *
 * All of it runs in handler mode; a sequence is "returned to" with all its registers set and ends
 * by an exception (normally its last instruction, an UDF). Sequences run unprivileged inside an
 * MPU that gives them their code and their data only, so that a wild access is a fault; privileged ones
 * have the main stack, too. Handlers run with FAULTMASK, that is without MPU. */
#include "guest.h"

#define CCR_TRAPS (CCR_UNALIGN_TRP | CCR_DIV_0_TRP)
#define CFSR_MMARVALID (1u << 7)
#define CFSR_BFARVALID (1u << 15)
#define SFSR_SFARVALID (1u << 6)
#define CONTROL_NPRIV 1u
#define CONTROL_SPSEL 2u
#define ICSR_PENDSTCLR (1u << 25)
#define ICSR_PENDSVCLR (1u << 27)
#define SHCSR_FAULTS_PENDED (0xfu << 12 | 1u << 20)
#define VECTOR_SVC 11u
#define XPSR_ALIGNED (1u << 9)
#define XPSR_SFPA (1u << 20)
#define XPSR_T (1u << 24)
#define CFSR_NO_FRAME 0x101010u /* MSTKERR, STKERR, STKOF */
#define EXC_RETURN_S 0x40u
#define EXC_RETURN_THREAD 8u
#define BASIC_FRAME_BYTES 32u

/* Hardware's extended exception frame. */
struct frame { uint32_t r[4], r12, lr, pc, xpsr, s[16], fpscr, vpr; };

/* What `ended` saves and restores, in its order. */
struct { uint32_t psp, r4_11[8], exc_return, s16_31[16], msp, msplim, faultmask; } case_regs;
uint32_t ticks_left; /* interrupts that a sequence may still survive */

static struct batch_head head;
static struct case_in now;
static uint32_t left;

void setup(void);
void step(uint32_t vector);

void setup(void)
{
	world_open();
	files_open();
	files_read((uint32_t *)&head, sizeof(head) / 4);
	if (head.magic != CASE_MAGIC)
		leave(FAIL_OPEN);
	left = head.count;
}

/* Reads what a privileged sequence may have set, and sets it back. */
static void take_special(uint32_t *special)
{
	special[SPECIAL_CONTROL] = MRS(control) & 3;
	special[SPECIAL_PRIMASK] = MRS(primask);
	special[SPECIAL_BASEPRI] = MRS(basepri);
	special[SPECIAL_FAULTMASK] = case_regs.faultmask;
	special[SPECIAL_PSPLIM] = MRS(psplim);
	special[SPECIAL_MSPLIM] = case_regs.msplim;
	special[SPECIAL_MSP] = case_regs.msp;
	special[SPECIAL_CONTROL_NS] = MRS(control_ns) & 3;
	special[SPECIAL_PRIMASK_NS] = MRS(primask_ns);
	special[SPECIAL_BASEPRI_NS] = MRS(basepri_ns);
	special[SPECIAL_FAULTMASK_NS] = MRS(faultmask_ns);
	special[SPECIAL_PSPLIM_NS] = MRS(psplim_ns);
	special[SPECIAL_MSPLIM_NS] = MRS(msplim_ns);
	special[SPECIAL_MSP_NS] = MRS(msp_ns);
	special[SPECIAL_PSP_NS] = MRS(psp_ns);
	special[SPECIAL_PSP] = case_regs.psp;
	MSR(primask, 0);
	MSR(basepri, 0);
	MSR(psplim, 0);
	MSR(control_ns, 0);
	MSR(primask_ns, 0);
	MSR(basepri_ns, 0);
	MSR(faultmask_ns, 0);
	MSR(psplim_ns, 0);
	MSR(msplim_ns, 0);
	MSR(msp_ns, 0);
	MSR(psp_ns, 0);
}

/* Stacking in Non-secure state may also have failed with a SecureFault. */
static uint32_t has_frame(const struct case_out *out, uint32_t sp)
{
	return !(out->cfsr & CFSR_NO_FRAME) &&
	       (out->exc_return & EXC_RETURN_S || sp - CASE_MOAT < CASE_MSP_NS - CASE_MOAT - BASIC_FRAME_BYTES + 1);
}

/* A Non-secure handler was entered and made a HardFault at once: what it was entered with. */
static void unwind_handler(struct case_out *out)
{
	struct frame *f = (struct frame *)out->special[SPECIAL_MSP_NS];

	if (out->exc_return & (EXC_RETURN_S | EXC_RETURN_THREAD) || !has_frame(out, (uint32_t)f))
		return;
	out->vector = f->xpsr & 0x1ff;
	out->exc_return = f->lr;
	out->special[SPECIAL_MSP_NS] += BASIC_FRAME_BYTES + (f->xpsr & XPSR_ALIGNED ? 4 : 0);
}

static uint32_t stack_of_frame(const struct case_out *out)
{
	uint32_t process = out->exc_return & 4;

	if (out->exc_return & EXC_RETURN_S)
		return process ? case_regs.psp : case_regs.msp;
	return out->special[process ? SPECIAL_PSP_NS : SPECIAL_MSP_NS];
}

static void take_frame(struct case_out *out, uint32_t sp)
{
	struct frame *f = (struct frame *)sp;
	uint32_t extended = !(out->exc_return & 0x10);
	uint32_t bytes = (extended ? sizeof(*f) : BASIC_FRAME_BYTES) + (f->xpsr & XPSR_ALIGNED ? 4 : 0);

	copy(out->r, f->r, 4);
	out->r[12] = f->r12;
	out->r[14] = f->lr;
	out->r[13] = sp + bytes;
	out->pc = f->pc;
	out->xpsr = f->xpsr & ~XPSR_ALIGNED;
	if (extended) {
		copy(out->s, f->s, 16);
		out->fpscr = f->fpscr;
		out->vpr = f->vpr;
	}
	/* The frame is not the sequence's doing. */
	for (uint32_t a = sp; a != sp + bytes; a += 4)
		if (a - CASE_BLOCK < CASE_BLOCK_WORDS * 4)
			REG(a) = head.pool[now.pool_offset + (a - CASE_BLOCK) / 4];
}

/* Reads the fault status of both states and clears it, together with what is pending. Faults of
 * Non-secure code go to Non-secure handlers, which end in a HardFault: that is Secure. */
static void take_faults(struct case_out *out)
{
	const uint32_t cfsr = CFSR, cfsr_ns = NS(CFSR);

	out->cfsr = cfsr | cfsr_ns;
	out->hfsr = HFSR;
	out->sfsr = SFSR & ~SFSR_SFARVALID; /* QEMU never sets it */
	if (cfsr & CFSR_MMARVALID)
		out->far = MMFAR;
	if (cfsr & CFSR_BFARVALID)
		out->far = BFAR;
	if (cfsr_ns & CFSR_MMARVALID)
		out->far = NS(MMFAR);
	NS(CFSR) = cfsr_ns;
	CFSR = cfsr;
	HFSR = out->hfsr;
	SFSR = ~0u;
	NVIC_ICPR = 1;
	ICSR = ICSR_PENDSTCLR | ICSR_PENDSVCLR;
	/* Nor a second fault of the same case: QEMU keeps one pending that we do not raise, and it
	 * would end the next case before its first instruction. */
	SHCSR &= ~SHCSR_FAULTS_PENDED;
	NS(SHCSR) = SHCSR_NS_ENABLED; /* and the Non-secure handler is not active any more */
}

static uint32_t four_differ(const uint32_t *a, const uint32_t *b)
{
	return (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
}

/* Index and value of every word of the block that is not as it was; returns where they end. */
static const void *take_changes(struct case_out *out)
{
	uint32_t *pairs = (uint32_t *)(out + 1);
	const uint32_t *is = (uint32_t *)CASE_BLOCK, *was = head.pool + now.pool_offset;

	for (uint32_t i = 0; i < CASE_BLOCK_WORDS; i += 4) {
		if (!four_differ(is + i, was + i))
			continue;
		for (uint32_t k = i; k < i + 4; k++) {
			if (is[k] == was[k])
				continue;
			*pairs++ = k;
			*pairs++ = is[k];
			out->changed++;
		}
	}
	return pairs;
}

/* Writes the result. */
static void finish(uint32_t vector)
{
	struct case_out *out = files_result();
	uint32_t *words = (uint32_t *)out;

	for (uint32_t i = 0; i < sizeof(*out) / 4; i++)
		words[i] = 0;
	out->id = now.id;
	out->vector = vector;
	take_faults(out);
	copy(out->r + 4, case_regs.r4_11, 8);
	copy(out->s + 16, case_regs.s16_31, 16);
	out->exc_return = case_regs.exc_return;
	take_special(out->special);
	world_moat(0);
	CCR &= ~CCR_TRAPS;
	NS(CCR) &= ~CCR_TRAPS;
	unwind_handler(out);
	uint32_t sp = stack_of_frame(out);
	out->r[13] = sp;
	if (has_frame(out, sp))
		take_frame(out, sp);
	files_result_end(take_changes(out));
}

/* Code, the block and what surrounds it, as the sequence finds them. */
static void place_memory(void)
{
	static uint32_t code[CASE_MAX_CODE_WORDS];
	volatile uint16_t *to = (volatile uint16_t *)(now.pc + CODE_ALIAS);

	files_read(code, now.code_words);
	for (uint32_t i = 0; i < now.code_words; i++) {
		to[2 * i] = (uint16_t)code[i];
		to[2 * i + 1] = (uint16_t)(code[i] >> 16);
	}
	copy(&REG(CASE_BLOCK), head.pool + now.pool_offset, CASE_BLOCK_WORDS);
	/* What sequences leave beside the block is not compared. */
	clear(CASE_MOAT, CASE_BLOCK);
	clear(CASE_BLOCK + CASE_BLOCK_WORDS * 4, CASE_MSP_NS);
}

/* The frame overwrites block words below the stack pointer: the sequence sees it on both sides alike, and
 * it is put back before comparing. */
static struct frame *place_frame(void)
{
	const uint32_t align = now.r[13] & 4;
	struct frame *f = (struct frame *)(now.r[13] - sizeof(*f) - align);

	copy(f->r, now.r, 4);
	f->r12 = now.r[12];
	f->lr = now.r[14];
	f->pc = now.pc;
	f->xpsr = now.xpsr | XPSR_T | XPSR_SFPA | (align ? XPSR_ALIGNED : 0);
	copy(f->s, now.s, 16);
	f->fpscr = now.fpscr;
	f->vpr = now.vpr;
	copy(case_regs.r4_11, now.r + 4, 8);
	copy(case_regs.s16_31, now.s + 16, 16);
	return f;
}

/* Security state, protection, traps and limits of the sequence. */
static void set_environment(struct frame *f)
{
	uint32_t control = CONTROL_SPSEL | (now.env.control & CONTROL_NPRIV);

	world_state(now.env.nonsecure);
	world_moat(now.env.hole);
	FPCCR = now.env.fpccr;
	NS(FPCCR) = now.env.fpccr;
	if (now.env.nonsecure) {
		case_regs.psp = CASE_MSP - 0x400; /* the return selects it, for gates too */
		case_regs.exc_return = 0xffffffad;
		NS(CCR) |= now.env.ccr;
		MSR(psp_ns, f);
		MSR(psplim_ns, now.env.psplim);
		MSR(basepri_ns, now.env.basepri);
		MSR(control_ns, control);
		control = 0; /* gates run privileged */
	} else {
		case_regs.psp = (uint32_t)f;
		case_regs.exc_return = 0xffffffed;
		CCR |= now.env.ccr;
		MSR(psplim, now.env.psplim);
		MSR(basepri, now.env.basepri);
	}
	MSR(msp_ns, CASE_MSP_NS);
	__asm__ volatile("msr control, %0; dsb; isb" :: "r"(control) : "memory");
}

static void begin(void)
{
	place_memory();
	set_environment(place_frame());
	ticks_left = now.env.tick ? 1000 : 0;
	SYST_CSR = 0;
	SYST_RVR = now.env.tick ? now.env.tick : 0x3000;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

void step(uint32_t vector)
{
	SYST_CSR = 0;
	if (vector != VECTOR_SVC || now.code_words) /* not the first one */
		finish(vector);
	if (!left--)
		files_close();
	if (now.code_words)
		world_wipe(now.pc, now.code_words + 1);
	files_read((uint32_t *)&now, sizeof(now) / 4);
	begin();
}
