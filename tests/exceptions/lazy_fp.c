/* SPDX-License-Identifier: Apache-2.0 */
/* FP context: lazy and eager frames, ownership, creation, clearing, disabled FPU in a handler. */
#include "fp_state.h"

static void fill(u32 base)
{
	bank_fill(base);
	__asm volatile("vmsr fpscr, %0" :: "r"(0x60040010));
}

static u32 fpscr(void)
{
	u32 value;
	__asm volatile("vmrs %0, fpscr" : "=r"(value));
	return value;
}

static volatile u32 use_fp, deeper;

static void irq0(void)
{
	fp_state("in irq0");
	if (use_fp) {
		volatile u32 *frame = (volatile u32 *)FPCAR;
		print_hex("  new fpscr", fpscr());
		fp_state("after use");
		print_hex("  s0", frame[0]);
		print_hex("s15", frame[15]);
		print_hex("fpscr", frame[16]);
		line();
		__asm volatile("vmov s0, %0\n vmov s20, %0" :: "r"(0xDEADBEEF));
	}
	if (deeper) {
		NVIC_ISPR = 2;
		BARRIER();
	}
}

static void irq1(void)
{
	fp_state("in irq1");
	print_hex("  fpscr", fpscr());
	fp_state("irq1 used fp");
}

static void round_trip(const char *name)
{
	print(name);
	line();
	fill(0x40000000);
	NVIC_ISPR = 1;
	BARRIER();
	fp_state("back");
	print_hex("  sum", bank_sum());
	print_hex("fpscr", fpscr());
	line();
}

static void round_trips(void)
{
	round_trip("lazy, unused");
	use_fp = 1;
	round_trip("lazy, used");
	use_fp = 0, deeper = 1;
	round_trip("lazy, used two levels down");
	use_fp = 1;
	round_trip("used at both levels");
	deeper = 0;
	FPCCR &= ~(1u << 30);
	round_trip("eager");
	FPCCR |= 1u << 30;
	FPCCR |= 1u << 26;
	round_trip("callee registers too (TS)");
	FPCCR |= 1u << 28;
	round_trip("clear on return");
	FPCCR = 0xC0000004;
}

static void without_context(void)
{
	print("no context\n");
	MSR(control, 0);
	BARRIER();
	use_fp = 0;
	NVIC_ISPR = 1;
	BARRIER();
	fp_state("back");
	print("aspen off\n");
	FPCCR &= ~(1u << 31);
	print_hex("fpscr", fpscr());
	fp_state("used");
	FPCCR |= 1u << 31;
}

static void without_fpu(void)
{
	print("fpu disabled when the lazy state must go\n");
	SHCSR = SHCSR_ALL;
	fill(0x41000000);
	CPACR = 0;
	BARRIER();
	use_fp = 1;
	handler[16] = 0;
	quiet = 1;
	NVIC_ISPR = 1;
	BARRIER();
	quiet = 0;
	print_hex("lr", last_return);
	print_hex("psr", last_frame[7]);
	line();
	__asm volatile("vmov s0, %0" :: "r"(1));
	CPACR = 0xF << 20;
	BARRIER();
	print_hex("sum", bank_sum());
	line();
}

void scenario(void)
{
	CPACR |= 0xF << 20;
	BARRIER();
	fp_state("before");
	print_hex("fpscr", fpscr());
	fp_state("first use");
	handler[16] = irq0;
	handler[17] = irq1;
	IRQ_PRIO(0) = 0x40;
	IRQ_PRIO(1) = 0x20;
	NVIC_ISER = 3;
	round_trips();
	without_context();
	without_fpu();
}
