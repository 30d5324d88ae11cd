/* SPDX-License-Identifier: Apache-2.0 */
/* Tables among the code: loads of every size from ITCM, whose time depends on where they read (docs/evidence/timing-cpu.md). The
 * same sums over a copy in DTCM, so that both kinds of memory are read by the same instructions. */
#include "bench.h"

#define ROUNDS 400
#define WORDS 64

static const unsigned table[WORDS] __attribute__((aligned(16))) = {
#define FOUR(i) (i) * 2654435761u, (i) * 40503u + 7, (i) ^ 0x5a5a1234u, 0x80000000u >> ((i) & 31)
#define SIXTEEN(i) FOUR(i), FOUR(i + 1), FOUR(i + 2), FOUR(i + 3)
	SIXTEEN(1), SIXTEEN(5), SIXTEEN(9), SIXTEEN(13)
};
static unsigned copy[WORDS] __attribute__((aligned(16)));

/* Words, pairs, lists and unaligned halfwords, by instructions of 16 and 32 bits. */
static unsigned scalar(const unsigned *from, unsigned sum)
{
	const unsigned *end = from + WORDS;
	unsigned a, b, c, d;

	while (from < end) {
		__asm__ volatile("ldr %0, [%4]\n\tldr.w %1, [%4, #4]\n\tldrd %2, %3, [%4, #8]" : "=&l"(a), "=&l"(b), "=&r"(c), "=&r"(d) : "l"(from));
		sum = (sum << 1 | sum >> 31) ^ (a + b * 3 + c * 5 + d * 7);
		__asm__ volatile("ldrh.w %0, [%2, #1]\n\tldrb.w %1, [%2, #7]" : "=&r"(a), "=r"(b) : "r"(from));
		sum += a - b;
		__asm__ volatile("ldmia.w %1!, {r4-r7}\n\teor %0, r4, r5, lsl #1\n\teor %0, %0, r6\n\tadd %0, r7" : "=&r"(a), "+r"(from) : : "r4", "r5", "r6", "r7");
		sum ^= a;
	}
	return sum;
}

/* Vectors: contiguous, gathered, interleaved, and with some lanes inactive. */
static unsigned vector(const unsigned *from, unsigned sum)
{
	const unsigned *end = from + WORDS;
	unsigned a = 0;

	while (from < end) {
		__asm__ volatile("vldrw.u32 q0, [%1]\n\tmovs r4, #0\n\tmovs r5, #8\n\tvidup.u32 q1, r4, #4\n\tvldrw.u32 q2, [%1, q1]\n\t"
				 "vadd.i32 q0, q0, q2\n\tvctp.32 r5\n\tvpst\n\tvldrwt.u32 q2, [%1, #16]\n\tveor q0, q0, q2\n\t"
				 "vld20.32 {q2, q3}, [%1]\n\tvld21.32 {q2, q3}, [%1]\n\tvadd.i32 q0, q0, q3\n\tvldr s8, [%1, #20]\n\t"
				 "vadd.i32 q0, q0, q2\n\tvaddv.u32 %0, q0" : "=Te"(a) : "r"(from) : "r4", "r5", "q0", "q1", "q2", "q3", "memory");
		sum = (sum << 3 | sum >> 29) + a;
		from += 8;
	}
	return sum;
}

unsigned bench(void)
{
	unsigned sum = 1;

	for (int i = 0; i < WORDS; i++)
		copy[i] = table[i];
	for (int i = 0; i < ROUNDS; i++) {
		sum = scalar(i & 1 ? copy : table, sum);
		sum = vector(i & 2 ? copy : table, sum);
	}
	return sum;
}
