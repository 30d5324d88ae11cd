/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions and IT blocks that lie across a 4 KiB boundary, each halfword of the code in turn, and
 * the part behind the boundary changed in between. Not a speed test: the same code, never moved, is
 * the reference. */
#include "bench.h"

/* A boundary in SSE-300 SRAM, and the same cells' Non-secure alias. */
#define BOUNDARY 0x11002000u
#define ALIAS(address) ((address) - 0x10000000u)

typedef unsigned code_fn(unsigned a, const unsigned *word);

__attribute__((naked)) static unsigned code(__attribute__((unused)) unsigned a, __attribute__((unused)) const unsigned *word)
{
	__asm__ volatile(
		".syntax unified\n"
		"movw r2, #1234\n" /* code[0..1]: its immediate is changed */
		"cmp r0, #3\n"
		"itete lt\n" /* registers only */
		"addlt.w r2, r2, r0, lsl #3\n"
		"eorge.w r2, r2, r0\n"
		"movlt.w r3, #0x1000\n"
		"movge r3, #7\n"
		"cmp r0, #5\n"
		"itt eq\n" /* one condition, memory */
		"ldreq.w r12, [r1, r0, lsl #2]\n"
		"addeq.w r2, r2, r12\n"
		"ite hi\n" /* both, memory */
		"ldrhi r12, [r1, #4]\n"
		"ldrls.w r12, [r1, #8]\n"
		"add r2, r12\n"
		"ittee ne\n" /* flags change inside */
		"addne r2, #1\n"
		"cmpne.w r0, #6\n"
		"eoreq.w r2, r2, #0x80\n"
		"subeq r2, #5\n"
		"cmp r0, #2\n"
		"itt eq\n" /* ends with a branch */
		"addeq.w r0, r2, r3\n"
		"bxeq lr\n"
		"add.w r0, r3, r2, ror #5\n"
		"bx lr\n");
}
#define HALFWORDS 38

static void synchronise(void)
{
	__asm__ volatile("dsb\n isb" ::: "memory");
}

/* The immediate of MOVW, in its second halfword: bits 7:0. */
static unsigned changed(unsigned halfword, unsigned value)
{
	return (halfword & 0xff00) | (value & 0xff);
}

unsigned bench(void)
{
	static const unsigned word[8] = { 3, 141, 59, 265, 35, 8979, 323, 846 };
	const volatile unsigned short *from = (const volatile unsigned short *)((unsigned)code & ~1u);
	unsigned sum = 0, wrong = 0;

	for (unsigned before = 0; before <= HALFWORDS; before++) {
		unsigned at = BOUNDARY - 2 * before;
		volatile unsigned short *to = (volatile unsigned short *)at;
		volatile unsigned short *alias = (volatile unsigned short *)ALIAS(at);
		code_fn *moved = (code_fn *)(at | 1);
		for (unsigned k = 0; k < HALFWORDS; k++)
			to[k] = from[k];
		synchronise();
		for (unsigned a = 0; a < 8; a++) {
			unsigned value = moved(a, word);
			wrong += value != code(a, word);
			sum = sum * 3 + value;
		}
		volatile unsigned short *change = before & 1 ? to : alias;
		change[1] = (unsigned short)changed(from[1], before);
		synchronise();
		for (unsigned a = 0; a < 8; a++)
			sum = sum * 5 + moved(a, word);
	}
	return wrong ? wrong : sum;
}
