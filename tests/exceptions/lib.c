/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up, vectors and the describing handler of the scenario programs. */
#include "lib.h"

void (*volatile handler[48])(void);
volatile u32 resume_pc, quiet, *last_frame, *main_frame;
u32 last_return, last_pc;

static u32 semihost(u32 call, const void *arg)
{
	register u32 r0 __asm("r0") = call;
	register const void *r1 __asm("r1") = arg;
	__asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

/* Text waits in memory while the code is unprivileged: QEMU refuses its semihosting calls. */
static char text_log[4096];
static u32 text_length;

void print(const char *text)
{
	while (*text && text_length < sizeof(text_log) - 1)
		text_log[text_length++] = *text++;
	text_log[text_length] = 0;
	if (MRS(ipsr) || !(MRS(control) & 1)) {
		semihost(4, text_log);
		text_length = 0;
	}
}

void line(void) { print("\n"); }

void print_hex(const char *name, u32 value)
{
	char text[12] = "=";
	for (int i = 0; i < 8; i++)
		text[1 + i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
	text[9] = ' ';
	text[10] = 0;
	print(name);
	print(text);
}

void finish(void)
{
	semihost(0x18, (void *)0x20026);
	for (;;)
		;
}

void mpu_region(u32 n, u32 base, u32 last, u32 ap, u32 xn)
{
	MPU_RNR = n;
	MPU_RBAR = base | ap << 1 | xn;
	MPU_RLAR = (last & ~31u) | 1;
}

static const char *exception_name(u32 num)
{
	static const char *const names[16] = {
		"thread", "reset", "NMI", "HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault",
		"8", "9", "10", "SVCall", "DebugMon", "13", "PendSV", "SysTick",
	};
	return num < 16 ? names[num] : "irq";
}

static void describe(u32 num, u32 exc_return, volatile u32 *frame)
{
	static u32 described;
	if (++described > 200) {
		print("too many exceptions\n");
		finish();
	}
	print("  [");
	print(exception_name(num));
	print("] ");
	print_hex("lr", exc_return);
	print_hex("frame", (u32)frame);
	print_hex("pc", frame[6]);
	print_hex("psr", frame[7]);
	print_hex("cfsr", CFSR);
	print_hex("hfsr", HFSR);
	if (CFSR & 0x80)
		print_hex("mmfar", MMFAR);
	if (CFSR & 0x8000)
		print_hex("bfar", BFAR);
	if (SFSR)
		print_hex("sfsr", SFSR & ~0x40u); /* QEMU never sets SFARVALID */
	line();
}

/* Called by the trampoline with EXC_RETURN and both stack pointers. */
__attribute__((used)) static void on_exception(u32 exc_return, volatile u32 *msp, volatile u32 *psp)
{
	u32 num = MRS(ipsr);
	int process = (exc_return & 0xC) == 0xC;
	volatile u32 *frame = process ? psp : msp;
	if (!(exc_return & 0x40)) /* the frame is on a Non-secure stack */
		frame = (volatile u32 *)((exc_return & 8) && (MRS(control_ns) & 2) ? MRS(psp_ns) : MRS(msp_ns));
	main_frame = msp;
	if (num < 48 && handler[num]) {
		handler[num]();
		return;
	}
	last_frame = frame;
	last_return = exc_return;
	last_pc = frame[6];
	if (!quiet)
		describe(num, exc_return, frame);
	CFSR = 0xFFFFFFFF;
	HFSR = 0xFFFFFFFF;
	SFSR = 0xFFFFFFFF;
	if (resume_pc)
		frame[6] = resume_pc & ~1u, frame[7] = (frame[7] | 0x01000000) & ~0x0620FC00u; /* IT and B */
	else if (num >= 3 && num <= 7)
		frame[6] += *(volatile uint16_t *)frame[6] >> 11 >= 0x1D ? 4 : 2;
	resume_pc = 0;
}

__attribute__((naked)) static void trampoline(void)
{
	__asm("mov r0, lr\n mrs r1, msp\n mrs r2, psp\n push {r3, lr}\n bl on_exception\n pop {r3, pc}");
}

__attribute__((naked, used)) void reset_handler(void)
{
	__asm("ldr r0, =stack_top\n mov sp, r0\n bl start\n");
}

__attribute__((used)) static void start(void)
{
	print("begin\n");
	scenario();
	print("end\n");
	finish();
}

__attribute__((section(".vectors"), used)) static const struct {
	void *stack;
	void (*vector[63])(void);
} vectors = { stack_top, { reset_handler, [1 ... 62] = trampoline } };
