/* SPDX-License-Identifier: Apache-2.0 */
/* Runs sequences of instructions from a batch file and writes what they left behind.
 *
 * All of it runs in handler mode; a sequence is "returned to" with all its registers set and ends
 * by an exception (normally its last instruction, an UDF). Sequences run unprivileged inside an
 * MPU that gives them their code and their data block only, so that a wild access is a fault. */
#include "../case.h"

#define REG(address) (*(volatile uint32_t *)(address))
#define ICSR REG(0xe000ed04)
#define CCR REG(0xe000ed14)
#define SHCSR REG(0xe000ed24)
#define CFSR REG(0xe000ed28)
#define HFSR REG(0xe000ed2c)
#define MMFAR REG(0xe000ed34)
#define BFAR REG(0xe000ed38)
#define CPACR REG(0xe000ed88)
#define NVIC_ISER REG(0xe000e100)
#define NVIC_ICPR REG(0xe000e280)
#define MPU_CTRL REG(0xe000ed94)
#define MPU_RNR REG(0xe000ed98)
#define MPU_RBAR REG(0xe000ed9c)
#define MPU_RLAR REG(0xe000eda0)
#define MPU_MAIR0 REG(0xe000edc0)
#define SAU_CTRL REG(0xe000edd0)
#define SAU_RNR REG(0xe000edd8)
#define SAU_RBAR REG(0xe000eddc)
#define SAU_RLAR REG(0xe000ede0)
#define SFSR REG(0xe000ede4)
#define VTOR REG(0xe000ed08)
#define NSACR REG(0xe000ed8c)
#define NS(r) REG((uint32_t)&(r) + 0x20000)
#define FPCCR REG(0xe000ef34)
#define FPDSCR REG(0xe000ef3c)
#define CCR_USERSETMPEND (1u << 1)
#define CCR_TRAPS (1u << 3 | 1u << 4)
#define CFSR_NO_FRAME 0x101010u /* MSTKERR, STKERR, STKOF */
#define EXC_RETURN_S 0x40u
#define EXC_RETURN_THREAD 8u
#define BASIC_FRAME_BYTES 32u
#define SYST_CSR REG(0xe000e010)
#define SYST_RVR REG(0xe000e014)
#define SYST_CVR REG(0xe000e018)

/* The code page is read-only where it runs; ITCM's other address writes it. */
#define CODE_ALIAS 0x10000000u
#define IN_BUFFER 0x20040000u
#define IN_BYTES 0x10000u
#define OUT_BUFFER 0x20060000u
#define OUT_BYTES 0x10000u

/* Hardware's extended exception frame. */
struct frame { uint32_t r[4], r12, lr, pc, xpsr, s[16], fpscr, vpr; };

/* What `ended` saves and restores, in its order. */
struct { uint32_t psp, r4_11[8], exc_return, s16_31[16], msp, msplim; } case_regs;
uint32_t ticks_left; /* interrupts that a sequence may still survive */

static struct batch_head head;
static struct case_in now;
static uint32_t clean_margins; /* the sequence before did not end at its end */
static uint32_t left, in_handle, out_handle, in_at, in_end, out_at;

void setup(void);
void step(uint32_t vector);

static uint32_t semihost(uint32_t operation, const void *argument)
{
	register uint32_t r0 __asm__("r0") = operation;
	register const void *r1 __asm__("r1") = argument;
	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

static uint32_t open_file(const char *name, uint32_t mode)
{
	uint32_t length = 0;
	while (name[length])
		length++;
	uint32_t args[3] = {(uint32_t)name, mode, length};
	return semihost(1, args);
}

static void leave(uint32_t code)
{
	uint32_t args[2] = {0x20026, code};
	semihost(0x20, args);
	for (;;)
		;
}

static void flush(void)
{
	uint32_t args[3] = {out_handle, OUT_BUFFER, out_at};
	if (out_at && semihost(5, args))
		leave(3);
	out_at = 0;
}

static void copy(volatile uint32_t *to, const volatile uint32_t *from, uint32_t words)
{
	while (words--)
		*to++ = *from++;
}

static void read_words(uint32_t *to, uint32_t words)
{
	while (words) {
		if (in_at == in_end) {
			uint32_t args[3] = {in_handle, IN_BUFFER, IN_BYTES};
			in_at = 0;
			in_end = IN_BYTES - semihost(6, args);
			if (in_end == 0)
				leave(2);
		}
		uint32_t part = (in_end - in_at) / 4;
		if (part > words)
			part = words;
		copy(to, (uint32_t *)(IN_BUFFER + in_at), part);
		to += part;
		words -= part;
		in_at += part * 4;
	}
}

/* A literal that a sequence reads behind its code must not be code of the case before. */
static void wipe_code(uint32_t pc, uint32_t words)
{
	volatile uint32_t *to = (volatile uint32_t *)((pc & ~3u) + CODE_ALIAS);

	while (words--)
		*to++ = CASE_END << 16 | CASE_END;
}

/* MPU_RBAR.AP and XN. */
enum access { PRIVILEGED_RW = 0 << 1 | 1, ANY_RW = 1 << 1 | 1, PRIVILEGED_CODE = 2 << 1, ANY_CODE = 3 << 1 };

static void region(uint32_t number, uint32_t base, uint32_t bytes, enum access access)
{
	MPU_RNR = number;
	MPU_RLAR = 0; /* never both ends of different regions */
	MPU_RBAR = base | access;
	MPU_RLAR = bytes ? (base + bytes - 32) | 1 : 0;
	NS(MPU_RNR) = number;
	NS(MPU_RLAR) = 0;
	NS(MPU_RBAR) = base | access;
	NS(MPU_RLAR) = MPU_RLAR;
}

enum attribution { ATTRIBUTION_SECURE, ATTRIBUTION_NS = 1, ATTRIBUTION_CALLABLE = 3 };

static void attribute(uint32_t number, uint32_t base, uint32_t bytes, enum attribution attribution)
{
	SAU_RNR = number;
	SAU_RLAR = 0;
	SAU_RBAR = base;
	SAU_RLAR = attribution ? (base + bytes - 32) | attribution : 0;
}

/* Sequences run in one state; what they call is always in the other. */
static void set_state(uint32_t nonsecure)
{
	static uint32_t present; /* 1: Secure, 2: Non-secure; there is no initialised data */

	if (nonsecure + 1 == present)
		return;
	present = nonsecure + 1;
	attribute(0, CASE_CODE, CASE_GATES - CASE_CODE, nonsecure ? ATTRIBUTION_NS : ATTRIBUTION_SECURE);
	attribute(1, CASE_MOAT, CASE_MOAT_BYTES, nonsecure ? ATTRIBUTION_NS : ATTRIBUTION_SECURE);
}

static void install_entries(void)
{
	extern const uint32_t gates[], functions[];
	uint32_t *vectors = (uint32_t *)(CASE_VECTORS_NS + CODE_ALIAS);

	copy((uint32_t *)(CASE_GATES + CODE_ALIAS), gates, CASE_GATE_COUNT * CASE_ENTRY_BYTES / 4);
	copy((uint32_t *)(CASE_FUNCTIONS + CODE_ALIAS), functions, CASE_FUNCTION_COUNT * CASE_ENTRY_BYTES / 4);
	for (uint32_t i = 1; i < 32; i++)
		vectors[i] = (CASE_VECTORS_NS + 128) | 1;
	vectors[32] = 0xdf00df00; /* SVC: in a handler of that priority a HardFault */
}

/* The block and what surrounds it, without the 32 bytes at `hole`. */
static void open_moat(uint32_t hole)
{
	static uint32_t present;

	if (hole == present)
		return;
	present = hole;
	region(1, CASE_MOAT, hole ? hole - CASE_MOAT : CASE_MOAT_BYTES, ANY_RW);
	region(2, hole + 32, hole ? CASE_MOAT + CASE_MOAT_BYTES - hole - 32 : 0, ANY_RW);
}

void setup(void)
{
	CPACR = 0xf << 20;
	FPCCR = 0;       /* no automatic, no lazy state preservation */
	SHCSR = 0xf << 16; /* MemManage, BusFault, UsageFault, SecureFault enabled */
	MPU_MAIR0 = 0xff;
	region(0, CASE_CODE, CASE_CODE_BYTES, ANY_CODE);
	region(1, CASE_MOAT, CASE_MOAT_BYTES, ANY_RW);
	region(3, 0, CASE_CODE, PRIVILEGED_CODE);
	region(4, CODE_ALIAS + CASE_CODE, CASE_CODE_BYTES, PRIVILEGED_RW);
	region(5, 0x20000000, CASE_MOAT - 0x20000000, PRIVILEGED_RW);
	region(7, CASE_STACK_NS, CASE_MSP_NS - CASE_STACK_NS, ANY_RW);
	region(6, IN_BUFFER, OUT_BUFFER + OUT_BYTES + CASE_BLOCK_WORDS * 16 - IN_BUFFER, PRIVILEGED_RW);
	wipe_code(CASE_CODE, CASE_CODE_BYTES / 4);
	install_entries();
	attribute(2, CASE_GATES, CASE_FUNCTIONS - CASE_GATES, ATTRIBUTION_CALLABLE);
	attribute(3, CASE_FUNCTIONS, CASE_CODE + CASE_CODE_BYTES - CASE_FUNCTIONS, ATTRIBUTION_NS);
	attribute(4, CASE_STACK_NS, CASE_MSP_NS - CASE_STACK_NS, ATTRIBUTION_NS);
	set_state(0);
	SAU_CTRL = 1;
	NSACR = 3 << 10;
	NS(CPACR) = 0xf << 20;
	NS(FPCCR) = 0;
	NS(CCR) |= CCR_USERSETMPEND;
	NS(SHCSR) = 5 << 16;
	NS(VTOR) = CASE_VECTORS_NS;
	NS(MPU_MAIR0) = 0xff;
	NS(MPU_CTRL) = 1;
	MPU_CTRL = 1; /* on, also for privileged code */
	NVIC_ISER = 1;
	CCR |= CCR_USERSETMPEND;
	__asm__ volatile("dsb; isb" ::: "memory");
	in_handle = open_file("cases.bin", 1);
	out_handle = open_file("results.bin", 5);
	if (in_handle == ~0u || out_handle == ~0u)
		leave(1);
	read_words((uint32_t *)&head, sizeof(head) / 4);
	if (head.magic != CASE_MAGIC)
		leave(1);
	left = head.count;
}

#define MRS(name) ({ uint32_t v_; __asm__ volatile("mrs %0, " #name : "=r"(v_)); v_; })
#define MSR(name, value) __asm__ volatile("msr " #name ", %0" :: "r"(value) : "memory")

/* Reads what a privileged sequence may have set, and sets it back. */
static void take_special(uint32_t *special)
{
	special[SPECIAL_CONTROL] = MRS(control) & 3;
	special[SPECIAL_PRIMASK] = MRS(primask);
	special[SPECIAL_BASEPRI] = MRS(basepri);
	special[SPECIAL_FAULTMASK] = MRS(faultmask);
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
	out->special[SPECIAL_MSP_NS] += BASIC_FRAME_BYTES + (f->xpsr & 1 << 9 ? 4 : 0);
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
	uint32_t bytes = (extended ? sizeof(*f) : BASIC_FRAME_BYTES) + (f->xpsr & 1 << 9 ? 4 : 0);

	copy(out->r, f->r, 4);
	out->r[12] = f->r12;
	out->r[14] = f->lr;
	out->r[13] = sp + bytes;
	out->pc = f->pc;
	out->xpsr = f->xpsr & ~(1u << 9);
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

/* Writes the result; true when the sequence did not reach its end mark. */
static uint32_t finish(uint32_t vector)
{
	struct case_out *out = (struct case_out *)(OUT_BUFFER + out_at);
	uint32_t *pairs = (uint32_t *)(out + 1);
	uint32_t *words = (uint32_t *)out;

	for (uint32_t i = 0; i < sizeof(*out) / 4; i++)
		words[i] = 0;
	out->id = now.id;
	out->vector = vector;
	out->cfsr = CFSR;
	out->hfsr = HFSR;
	out->sfsr = SFSR;
	if (out->cfsr & 0x80)
		out->far = MMFAR;
	if (out->cfsr & 0x8000)
		out->far = BFAR;
	/* Faults of Non-secure code go to Non-secure handlers, which end in a HardFault: that is Secure. */
	uint32_t cfsr_ns = NS(CFSR);
	if (cfsr_ns & 0x80)
		out->far = NS(MMFAR);
	NS(CFSR) = cfsr_ns;
	CFSR = out->cfsr;
	out->cfsr |= cfsr_ns;
	uint32_t now_cfsr = out->cfsr;
	HFSR = out->hfsr;
	SFSR = out->sfsr;
	NVIC_ICPR = 1;
	ICSR = 1 << 25 | 1 << 27; /* SysTick and PendSV no longer pending */
	/* Nor a second fault of the same case: QEMU keeps one pending that we do not raise, and it
	 * would end the next case before its first instruction. */
	SHCSR &= ~(0xfu << 12 | 1u << 20);
	NS(SHCSR) = 5 << 16; /* and the Non-secure handler is not active any more */
	copy(out->r + 4, case_regs.r4_11, 8);
	copy(out->s + 16, case_regs.s16_31, 16);
	out->exc_return = case_regs.exc_return;
	take_special(out->special);
	open_moat(0);
	CCR &= ~CCR_TRAPS;
	NS(CCR) &= ~CCR_TRAPS;
	unwind_handler(out);
	uint32_t sp = stack_of_frame(out);
	out->r[13] = sp;
	if (has_frame(out, sp))
		take_frame(out, sp);
	for (uint32_t i = 0; i < CASE_BLOCK_WORDS; i++) {
		uint32_t value = REG(CASE_BLOCK + i * 4);
		if (value != head.pool[now.pool_offset + i]) {
			*pairs++ = i;
			*pairs++ = value;
			out->changed++;
		}
	}
	out_at = (uint32_t)pairs - OUT_BUFFER;
	if (out_at > OUT_BYTES - sizeof(*out) - CASE_BLOCK_WORDS * 8)
		flush();
	return out->vector != 6 || now_cfsr != 0x10000;
}

static void begin(void)
{
	static uint32_t code[CASE_MAX_CODE_WORDS];
	struct frame *f = (struct frame *)(now.r[13] - sizeof(*f));
	uint32_t align = now.r[13] & 4;

	read_words(code, now.code_words);
	volatile uint16_t *to = (volatile uint16_t *)(now.pc + CODE_ALIAS);
	for (uint32_t i = 0; i < now.code_words; i++) {
		to[2 * i] = (uint16_t)code[i];
		to[2 * i + 1] = (uint16_t)(code[i] >> 16);
	}
	copy(&REG(CASE_BLOCK), head.pool + now.pool_offset, CASE_BLOCK_WORDS);
	/* How much a faulting vector store has written is not compared: forget it. */
	for (uint32_t i = 0; i < CASE_MARGIN_WORDS && clean_margins; i++) {
		REG(CASE_BLOCK - 4 - 4 * i) = 0;
		REG(CASE_BLOCK + CASE_BLOCK_WORDS * 4 + 4 * i) = 0;
	}
	for (uint32_t i = 0; i < CASE_FAR_WORDS && clean_margins; i++)
		REG(CASE_FAR_TOP - 4 - 4 * i) = 0;
	/* The frame overwrites block words below the stack pointer: the sequence sees it on
	 * both sides alike, and it is put back before comparing. */
	f = (struct frame *)((uint32_t)f - align);
	copy(f->r, now.r, 4);
	f->r12 = now.r[12];
	f->lr = now.r[14];
	f->pc = now.pc;
	f->xpsr = now.xpsr | 1 << 24 | 1 << 20 | (align ? 1 << 9 : 0);
	copy(f->s, now.s, 16);
	f->fpscr = now.fpscr;
	f->vpr = now.vpr;
	copy(case_regs.r4_11, now.r + 4, 8);
	copy(case_regs.s16_31, now.s + 16, 16);
	set_state(now.env.nonsecure);
	open_moat(now.env.hole);
	FPCCR = now.env.fpccr;
	NS(FPCCR) = now.env.fpccr;
	uint32_t control = 2 | (now.env.control & 1);
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
	ticks_left = now.env.tick ? 1000 : 0;
	SYST_CSR = 0;
	SYST_RVR = now.env.tick ? now.env.tick : 0x3000;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

void step(uint32_t vector)
{
	SYST_CSR = 0;
	if (vector != 11 || now.code_words) /* not the first one */
		clean_margins = finish(vector) || now.env.tick;
	if (!left--) {
		flush();
		uint32_t handle[1] = {out_handle};
		semihost(2, handle);
		leave(0);
	}
	if (now.code_words)
		wipe_code(now.pc, now.code_words + 1);
	read_words((uint32_t *)&now, sizeof(now) / 4);
	begin();
}
