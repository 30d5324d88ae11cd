/* SPDX-License-Identifier: Apache-2.0 */
/* What the sessions of gdb step through: a loop of LE, an IT block, MVE, sleep, a function that calls itself, an
 * exception, a fault. One round after the other, three in all. Corstone-300, Secure addresses. */
#include <arm_mve.h>
#include <stdint.h>

#define R32(addr) (*(volatile uint32_t *)(addr))
#define SYST_CSR R32(0xe000e010u)
#define SYST_RVR R32(0xe000e014u)
#define SYST_CVR R32(0xe000e018u)
#define CPACR R32(0xe000ed88u)
#define CCR R32(0xe000ed14u)
#define DIV_0_TRP 0x10u

extern uint32_t _stack[];
void Reset_Handler(void);

/* In the program's file, where nothing sets it at a start. */
__attribute__((section(".starts"))) volatile uint32_t starts = 1;
volatile uint32_t ticks, shared, rounds, deepest;
int32_t squares[8];

static void semihosting(uint32_t number, const void *block)
{
	register uint32_t r0 __asm__("r0") = number;
	register const void *r1 __asm__("r1") = block;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void SysTick_Handler(void)
{
	ticks++;
	SYST_CSR = 0;
}

__attribute__((noinline)) uint32_t sum_loop(uint32_t n)
{
	uint32_t sum = 0;

	__asm__ volatile("dls lr, %1\n1: adds %0, #3\n le lr, 1b" : "+l"(sum) : "r"(n) : "lr", "cc");
	return sum;
}

__attribute__((noinline)) uint32_t choose(uint32_t a)
{
	uint32_t r;

	__asm__ volatile("cmp %1, #5\n itete gt\n movgt %0, #1\n movle %0, #2\n addgt %0, #16\n addle %0, #32" : "=&l"(r) : "l"(a) : "cc");
	return r;
}

__attribute__((noinline)) void square_all(const int32_t *from)
{
	int32x4_t a = vldrwq_s32(from), b = vldrwq_s32(from + 4);

	vstrwq_s32(squares, vmulq_s32(a, a));
	vstrwq_s32(squares + 4, vmulq_s32(b, b));
}

__attribute__((noinline)) void write_shared(uint32_t value)
{
	shared = value;
}

__attribute__((noinline)) uint32_t deep(uint32_t n)
{
	if (n == 0) {
		deepest++;
		return 1;
	}
	return n * deep(n - 1);
}

__attribute__((noinline)) void sleep_once(void)
{
	SYST_RVR = 50000;
	SYST_CVR = 0;
	SYST_CSR = 7;
	__asm__ volatile("wfi");
}

__attribute__((noinline)) uint32_t divide(uint32_t a, uint32_t b)
{
	uint32_t q;

	__asm__ volatile("udiv %0, %1, %2" : "=r"(q) : "r"(a), "r"(b));
	return q;
}

/* The NPU copies 16 bytes: registers of npu/register.def, commands of npu/cmd.def. */
#define NPU_BASE 0x58102000u
#define NPU(offset) R32(NPU_BASE + (offset))
#define COPY_STREAM 0x31000100u
#define COPY_FROM 0x31000200u
#define COPY_TO 0x31000300u

__attribute__((noinline)) void npu_copy(uint32_t first)
{
	const uint32_t words[] = { 0x0130, 0x0131, 0x4030, 0, 0x4031, COPY_TO - COPY_FROM, 0x4032, 16, 0x0010, 0xffff0000 };

	for (uint32_t i = 0; i < sizeof words / 4; i++)
		R32(COPY_STREAM + 4 * i) = words[i];
	for (uint32_t i = 0; i < 4; i++)
		R32(COPY_FROM + 4 * i) = first + i;
	NPU(0x10) = COPY_STREAM;
	NPU(0x14) = 0;
	NPU(0x20) = sizeof words;
	NPU(0x80) = COPY_FROM;
	NPU(0x84) = 0;
	NPU(0x08) = 1;
	while (NPU(0x04) & 1)
		;
	NPU(0x08) = 2;
}

static void print(const char *text)
{
	semihosting(4, text);
}

int main(void)
{
	static const int32_t numbers[8] = { 1, -2, 3, -4, 5, -6, 7, -8 };
	uint32_t end[2] = { 0x20026, 0 };

	semihosting(0x99, 0); /* there is none such: a message, once */
	for (rounds = 1; rounds <= 3; rounds++) {
		print("round\n");
		sum_loop(10 * rounds);
		choose(4 + rounds);
		square_all(numbers);
		write_shared(100 + rounds);
		deep(4);
		npu_copy(1000 * rounds);
		sleep_once();
	}
	end[1] = ticks == 3 && R32(COPY_TO + 12) == 3003 ? 0 : 9;
	semihosting(0x20, end);
	for (;;)
		;
}

void Reset_Handler(void)
{
	for (volatile uint32_t *p = &ticks; p; p = 0)
		*p = 0;
	shared = rounds = deepest = 0;
	starts++;
	CPACR |= 0xf00000;
	__asm__ volatile("dsb\nisb");
	CCR |= DIV_0_TRP;
	main();
}

void HardFault_Handler(void)
{
	uint32_t end[2] = { 0x20026, 3 };

	semihosting(0x20, end);
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
	_stack, Reset_Handler, 0, HardFault_Handler, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SysTick_Handler,
};
