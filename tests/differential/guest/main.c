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
#define MPU_CTRL REG(0xe000ed94)
#define MPU_RNR REG(0xe000ed98)
#define MPU_RBAR REG(0xe000ed9c)
#define MPU_RLAR REG(0xe000eda0)
#define MPU_MAIR0 REG(0xe000edc0)
#define SFSR REG(0xe000ede4)
#define FPCCR REG(0xe000ef34)
#define FPDSCR REG(0xe000ef3c)
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
struct { uint32_t psp, r4_11[8], exc_return, s16_31[16]; } case_regs;

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

static void region(uint32_t number, uint32_t base, uint32_t bytes, uint32_t access)
{
	MPU_RNR = number;
	MPU_RBAR = base | access;
	MPU_RLAR = (base + bytes - 32) | 1;
}

void setup(void)
{
	CPACR = 0xf << 20;
	FPCCR = 0;       /* no automatic, no lazy state preservation */
	SHCSR = 0xf << 16; /* MemManage, BusFault, UsageFault, SecureFault enabled */
	MPU_MAIR0 = 0xff;
	region(0, CASE_CODE, CASE_CODE_BYTES, 3 << 1);
	region(1, CASE_MOAT, CASE_MOAT_BYTES, 1 << 1 | 1);
	wipe_code(CASE_CODE, CASE_CODE_BYTES / 4);
	MPU_CTRL = 5; /* on; privileged code sees the default map */
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

static void take_frame(struct case_out *out)
{
	struct frame *f = (struct frame *)case_regs.psp;
	uint32_t extended = !(case_regs.exc_return & 0x10);
	uint32_t bytes = (extended ? sizeof(*f) : 32) + (f->xpsr & 1 << 9 ? 4 : 0);

	copy(out->r, f->r, 4);
	out->r[12] = f->r12;
	out->r[14] = f->lr;
	out->r[13] = case_regs.psp + bytes;
	out->pc = f->pc;
	out->xpsr = f->xpsr & ~(1u << 9);
	if (extended) {
		copy(out->s, f->s, 16);
		out->fpscr = f->fpscr;
		out->vpr = f->vpr;
	}
	/* The frame is not the sequence's doing. */
	for (uint32_t a = case_regs.psp; a != case_regs.psp + bytes; a += 4)
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
	uint32_t now_cfsr = out->cfsr;
	CFSR = out->cfsr;
	HFSR = out->hfsr;
	SFSR = out->sfsr;
	ICSR = 1 << 25 | 1 << 27; /* SysTick and PendSV no longer pending */
	/* Nor a second fault of the same case: QEMU keeps one pending that we do not raise, and it
	 * would end the next case before its first instruction. */
	SHCSR &= ~(0xfu << 12 | 1u << 20);
	copy(out->r + 4, case_regs.r4_11, 8);
	copy(out->s + 16, case_regs.s16_31, 16);
	out->r[13] = case_regs.psp;
	if (!(out->cfsr & 0x101010)) /* MSTKERR, STKERR, STKOF: no frame */
		take_frame(out);
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
	return vector != 6 || now_cfsr != 0x10000;
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
	case_regs.psp = (uint32_t)f;
	case_regs.exc_return = 0xffffffed;
	__asm__ volatile("msr control, %0; dsb; isb" :: "r"(2 | (now.control & 1)) : "memory");
	SYST_CSR = 0;
	SYST_RVR = 0x3000;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

void step(uint32_t vector)
{
	SYST_CSR = 0;
	if (vector != 11 || now.code_words) /* not the first one */
		clean_margins = finish(vector);
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
