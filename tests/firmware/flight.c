/* SPDX-License-Identifier: Apache-2.0 */
/* Much that is half done at any moment: vector instructions with some beats executed, IT blocks and exclusive accesses,
 * all interrupted by SysTick every few dozen cycles, a timer armed, and a DMA transfer on the way where the board
 * has a DMA-350. */
#include "tests/firmware/firmware.h"

#include <arm_mve.h>
#include <stdio.h>

enum { ELEMENTS = 203, ROUNDS = 12, PERIOD = 61, MOVED = 48000 };

static int16_t a[ELEMENTS], b[ELEMENTS];
static volatile u32 ticks, counter;

void SysTick_Handler(void)
{
	ticks++;
}

/* A loop with tail predication: an interrupt may come between the beats of overlapping instructions. */
static int32_t dot_vector(void)
{
	int32_t sum = 0;

	for (int i = 0, left = ELEMENTS; left > 0; i += 8, left -= 8) {
		const mve_pred16_t p = vctp16q((u32)left);

		sum = vmladavaq_p_s16(sum, vldrhq_z_s16(a + i, p), vldrhq_z_s16(b + i, p), p);
	}
	return sum;
}

static int32_t dot_scalar(void)
{
	int32_t sum = 0;

	for (volatile int i = 0; i < ELEMENTS; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Four instructions under IT, in every combination of conditions. */
static u32 choose(u32 n)
{
	u32 result = 0;

	__asm volatile("cmp %1, #5\n\t"
		       "itete lt\n\t"
		       "addlt %0, %1, #1\n\t"
		       "subge %0, %1, #1\n\t"
		       "lsllt %0, %0, #2\n\t"
		       "lslge %0, %0, #3" : "+r"(result) : "r"(n) : "cc");
	return result;
}

static void add_exclusively(volatile u32 *word, u32 n)
{
	u32 value, failed;

	do {
		__asm volatile("ldrex %0, [%1]" : "=r"(value) : "r"(word));
		value += n;
		__asm volatile("strex %0, %1, [%2]" : "=&r"(failed) : "r"(value), "r"(word) : "memory");
	} while (failed);
}

#ifdef DMA350
static uint8_t from[MOVED], to[MOVED];

#define DMA_CMD R32(DMA350 + 0x1000)
#define DMA_STATUS R32(DMA350 + 0x1004)

static uint8_t from[MOVED], to[MOVED];

static void start_transfer(void)
{
	for (u32 i = 0; i < MOVED; i++)
		from[i] = (uint8_t)(i * 7 + i / 256);
	R32(DMA350 + 0x100c) = 0x00200200; /* bytes, one line, status at the end */
	R32(DMA350 + 0x1010) = (u32)from;
	R32(DMA350 + 0x1018) = (u32)to;
	R32(DMA350 + 0x1020) = MOVED << 16 | MOVED;
	R32(DMA350 + 0x1030) = 1 << 16 | 1;
	DMA_CMD = 1;
}

static u32 transferred(void)
{
	u32 wrong = 0;

	while (!(DMA_STATUS & 1u << 16) && !(DMA_STATUS & 1u << 17))
		add_exclusively(&counter, 0);
	for (u32 i = 0; i < MOVED; i++)
		wrong += from[i] != to[i];
	return wrong;
}
#else
static void start_transfer(void) {}
static u32 transferred(void) { return 0; }
#endif

int main(void)
{
	u32 chosen = 0, wrong = 0;

	for (int i = 0; i < ELEMENTS; i++) {
		a[i] = (int16_t)(i * 37 - 3000);
		b[i] = (int16_t)(5000 - i * 53);
	}
	SYST_RVR = PERIOD - 1;
	SYST_CVR = 0;
	SYST_CSR = TIMERS_ENABLE_IRQ;
	start_transfer();
	for (u32 i = 0; i < ROUNDS; i++) {
		wrong += dot_vector() != dot_scalar();
		chosen += choose(i);
		add_exclusively(&counter, i);
	}
	wrong += transferred();
	SYST_CSR = 0;
	printf("chosen %lu, counted %lu, wrong %lu, %s\n", (unsigned long)chosen, (unsigned long)counter, (unsigned long)wrong,
	       ticks > ROUNDS ? "interrupted" : "never interrupted");
	return 0;
}
