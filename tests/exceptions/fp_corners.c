/* SPDX-License-Identifier: Apache-2.0 */
/* Exception entry and return with an FP context where something else goes wrong: no room for the frame, a
 * lazy context that should not be there, no permission; and what a handler finds in its registers. Vector
 * comparisons with NaNs. */
#include "fp_state.h"
#include "tz_table.h"

static u32 table[64] __attribute__((aligned(256)));
static volatile u32 seen[6];
static u32 stack_a[128] __attribute__((aligned(64)));
static u32 code_after;

__attribute__((naked)) static void log_registers(void)
{
	__asm("push {r4}\n ldr r4, =seen\n stmia r4!, {r0-r3, r12}\n mrs r0, apsr\n str r0, [r4]\n pop {r4}\n bx lr");
}

static void use_own_table(void)
{
	for (u32 i = 0; i < 64; i++)
		table[i] = ((volatile u32 *)VTOR)[i];
	table[16] = (u32)log_registers;
	VTOR = (u32)table;
	BARRIER();
}

static void fill(void)
{
	__asm volatile("vmov s0, %0\n vmov s15, %0\n vmov s16, %0" :: "r"(0x3F800000));
}

static void registers_at_entry(void)
{
	print("registers at entry\n");
	__asm volatile("ldr r0, =0xE000E200\n mov r1, #1\n mov r2, #2\n mov r3, #3\n mov r12, #12\n"
		       "cmp r1, r1\n str r1, [r0]\n dsb\n isb" ::: "r0", "r1", "r2", "r3", "r12", "cc", "memory");
	for (u32 i = 0; i < 6; i++)
		print_hex("", seen[i]);
	line();
}

/* The handler of the derived fault goes on behind the code that was interrupted. */
static void stacking_fault(void)
{
	fp_state("fault");
	print_hex("  ipsr", MRS(ipsr));
	print_hex("cfsr", CFSR);
	print_hex("sfsr", SFSR & ~0x40u);
	print_hex("psp", MRS(psp));
	line();
	CFSR = 0xFFFFFFFF;
	SFSR = 0xFFFFFFFF;
	MSR(psplim, 0);
	MPU_CTRL = 0;
	BARRIER();
	u32 s15;
	__asm volatile("vmov %0, s15" : "=r"(s15));
	print_hex("  s15", s15);
	fp_state("after use");
	FPCCR &= ~1u;
	u32 *frame = (u32 *)MRS(psp);
	frame[6] = code_after;
	frame[7] = 0x01000000;
	for (u32 i = 8; i < 26; i++)
		frame[i] = i == 24 ? 0x40000 : 0;
}

#define WITH_BAD_STACK(sp, instruction) \
	__asm volatile("adr.w r4, 1f\n orr r4, r4, #1\n str r4, %0\n mrs r4, psp\n mov r6, %1\n msr psp, r6\n" \
		       " isb\n mov r6, r4\n" instruction "\n nop\n .align 2\n1: msr psp, r6\n isb" \
		       : "=m"(code_after) : "r"(sp) \
		       : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r12", "lr", "cc", "memory")

static void frame_below_limit(const char *name, u32 fpccr)
{
	for (u32 sp = 0xA0; sp <= 0xE8; sp += 0x48) {
		print(name);
		print_hex(" frame below the limit, room", sp);
		line();
		FPCCR = fpccr;
		fill();
		MSR(psplim, (u32)stack_a + 0x90);
		WITH_BAD_STACK((u32)stack_a + sp, "svc 9");
	}
	FPCCR = 0xC0000004;
}

static void frame_on_read_only_memory(const char *name, u32 fpccr)
{
	print(name);
	print(" frame on read-only memory\n");
	MPU_MAIR0 = 0xFF;
	mpu_region(0, (u32)stack_a, (u32)stack_a + 255, 2, 1);
	FPCCR = fpccr;
	fill();
	MPU_CTRL = 5;
	BARRIER();
	WITH_BAD_STACK((u32)stack_a + 256, "svc 9");
	FPCCR = 0xC0000004;
}

static void two_contexts(void)
{
	print("lazy context while another is active\n");
	fill();
	FPCAR = (u32)stack_a;
	FPCCR |= 1;
	WITH_BAD_STACK((u32)stack_a + 0x180, "svc 9");
}

/* The MPU is off in a HardFault handler, but not for the state of the code that it interrupted. */
static void use_fp_in_hardfault(void)
{
	volatile u32 *frame = (volatile u32 *)MRS(psp);
	print_hex("  hfsr", HFSR);
	print_hex("cfsr", CFSR);
	line();
	HFSR = CFSR = 0xFFFFFFFF;
	if (!code_after)
		return;
	code_after = 0;
	frame[6] += 2;
	mpu_region(0, (u32)stack_a, (u32)stack_a + 511, 2, 1);
	MPU_CTRL = 5;
	BARRIER();
	frame[8] = 0x1234;
	u32 s0;
	__asm volatile("vmov %0, s0" : "=r"(s0));
	print_hex("  s0", s0);
	print_hex("in the frame", frame[8]);
	print_hex("cfsr", CFSR);
	fp_state("after use");
	MPU_CTRL = 0;
	BARRIER();
	frame[24] = 0x00040000;
	frame[25] = 0;
}

static void lazy_state_in_hardfault(void)
{
	print("lazy state in a HardFault handler\n");
	SHCSR = 0;
	handler[3] = use_fp_in_hardfault;
	fill();
	code_after = 1;
	__asm volatile("mrs r4, psp\n msr psp, %0\n isb\n udf #1\n msr psp, r4\n isb" :: "r"((u32)stack_a + 512) : "r4", "memory");
	CFSR = 0xFFFFFFFF;
	SHCSR = SHCSR_ALL;
	FPCCR = 0xC0000004;
}

static void disable_fpu(void)
{
	u32 s0;
	__asm volatile("vmov %0, s0" : "=r"(s0));
	print_hex("  s0", s0);
	CPACR = 0;
	BARRIER();
}

static void enable_fpu(void)
{
	print_hex("  fault", MRS(ipsr));
	print_hex("cfsr", CFSR);
	print_hex("active", SHCSR);
	line();
	CFSR = 0xFFFFFFFF;
	CPACR = 0xF << 20;
	BARRIER();
}

static void clearing_without_permission(void)
{
	print("clear on return without permission\n");
	handler[6] = enable_fpu;
	handler[11] = disable_fpu;
	FPCCR |= 1u << 28;
	fill();
	__asm volatile("svc 3" ::: "memory");
	fp_state("back");
	FPCCR = 0xC0000004;
}

/* The context is there, Secure code takes the permission away, then an interrupt comes. */
NS_NAKED static void ns_pend(void)
{
	__asm("ldr r2, =0xe000e200\n mov r1, #0x20\n str r1, [r2]\n dsb\n isb\n bx lr\n .ltorg");
}
NS_NAKED static void ns_fp(void) { __asm("vmov s0, r0\n bx lr"); }

/* There is no way back: EXC_RETURN speaks of an FP frame, and none was pushed. */
static void refused(void)
{
	volatile u32 *frame = (volatile u32 *)MRS(msp_ns);
	print_hex("  fault", MRS(ipsr));
	print_hex("cfsr", CFSR);
	print_hex("ns", NS_ALIAS(CFSR));
	print_hex("waiting", NVIC_ISPR);
	print_hex("msp_ns", (u32)frame);
	print_hex("psr", frame[7]);
	line();
	finish();
}

static void without_nsacr(void)
{
	print("non-secure context without permission\n");
	handler[6] = refused;
	use_table(ns_handler);
	call_ns(ns_fp, 1, 0);
	NSACR = 0;
	BARRIER();
	call_ns(ns_pend, 0, 0);
	show("  seen by ns");
}

#define COMPARED(type, cond) do { \
		u32 fpscr; \
		__asm volatile("vmsr fpscr, %1\n vdup.32 q0, %2\n vcmp." type " " cond ", q0, q0\n vmrs %0, fpscr" \
			       : "=r"(fpscr) : "r"(0x40000), "r"(nan) : "d0", "d1"); \
		print_hex(" " cond, fpscr); \
	} while (0)
#define COMPARED_ALL(type) do { \
		print("  " type); \
		COMPARED(type, "eq"); \
		COMPARED(type, "ne"); \
		COMPARED(type, "ge"); \
		COMPARED(type, "lt"); \
		COMPARED(type, "gt"); \
		COMPARED(type, "le"); \
		line(); \
	} while (0)

static void compare_with_nans(void)
{
	static const u32 nans[] = { 0x7FC00000, 0x7F800001, 0x7E007E00, 0x7C017C01 };

	for (u32 i = 0; i < sizeof(nans) / 4; i++) {
		const u32 nan = nans[i];
		print_hex("vector comparison of", nan);
		line();
		COMPARED_ALL("f32");
		COMPARED_ALL("f16");
	}
}

void scenario(void)
{
	SHCSR = SHCSR_ALL;
	CPACR = 0xF << 20;
	sau_on();
	NS_ALIAS(CPACR) = 0xF << 20;
	NSACR = 3 << 10;
	NVIC_ITNS = 1 << 5;
	NVIC_ISER = 1 << 5 | 1;
	BARRIER();
	use_own_table();
	registers_at_entry();
	compare_with_nans();
	MSR(psp, (u32)process_top);
	MSR(control, 2);
	BARRIER();
	handler[6] = handler[4] = handler[7] = stacking_fault;
	frame_below_limit("lazy", 0xC0000004);
	frame_below_limit("eager", 0x80000004);
	frame_below_limit("lazy with callee registers", 0xC4000004);
	frame_on_read_only_memory("lazy", 0xC0000004);
	frame_on_read_only_memory("eager", 0x80000004);
	two_contexts();
	lazy_state_in_hardfault();
	clearing_without_permission();
	without_nsacr();
	(void)gate_print;
	(void)gate_double;
}
