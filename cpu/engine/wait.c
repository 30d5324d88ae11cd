/* SPDX-License-Identifier: Apache-2.0 */
/* What translated code calls where an access or a line of code takes time: tables know most of it (cpu/sys/pay.h), caches the rest. Each keeps
 * all registers of the host but those that it answers in, and vectors; c is in rsi. */
#include "cpu/engine/registers.h"

#include "cpu/engine/waits.h"

#include <stddef.h>

#ifdef ENGINE_PINNED

#define SAVE_FOR_CALL \
	"pushq %%rbp\n\tmovq %%rsp, %%rbp\n\tandq $-16, %%rsp\n\t" \
	"pushq %%rax\n\tpushq %%rcx\n\tpushq %%rdx\n\tpushq %%rsi\n\tpushq %%rdi\n\tpushq %%r8\n\tpushq %%r9\n\tpushq %%r10\n\tpushq %%r11\n\tsubq $8, %%rsp\n\t"
#define AFTER_CALL \
	"addq $8, %%rsp\n\tpopq %%r11\n\tpopq %%r10\n\tpopq %%r9\n\tpopq %%r8\n\tpopq %%rdi\n\tpopq %%rsi\n\tpopq %%rdx\n\tpopq %%rcx\n\tpopq %%rax\n\t" \
	"movq %%rbp, %%rsp\n\tpopq %%rbp\n\t"
#define PAY(field) (offsetof(struct cpu, pay) + offsetof(struct pay, field))

_Static_assert(sizeof(((struct pay *)NULL)->access[0]) == 128 && FREE_WRITE << 5 == sizeof(((struct pay *)NULL)->access[0][0]) && CACHE_LINE == 32 &&
		       PAY_SHIFT == 24, "as the code below has it");

/* The data access at r13d, with r12d as caches_access wants it. The answer in r12d, and the host's sign flag. */
__attribute__((naked)) void go_wait(void)
{
	__asm__("pushq %%rax\n\tpushq %%rcx\n\t"
		"movl %%r13d, %%eax\n\tshrl $12, %%eax\n\ttestb %[waiting], (%%r15, %%rax)\n\tje 2f\n\t"
		"shrl $12, %%eax\n\tmovzbl %c[memory](%%rsi, %%rax), %%eax\n\tshll $7, %%eax\n\tje 2f\n\t"
		"leaq %c[access]-128(%%rsi, %%rax), %%rcx\n\t"
		"movl %%r12d, %%eax\n\tandl %[write], %%eax\n\tshll $5, %%eax\n\taddq %%rax, %%rcx\n\t"
		/* beats: eax is the first, r12d the last, from the line's first one on */
		"movl %%r13d, %%eax\n\tandl $31, %%eax\n\tshrl $8, %%r12d\n\tleal -1(%%r12, %%rax), %%r12d\n\tshrl $3, %%eax\n\tshrl $3, %%r12d\n\t"
		"cmpl $4, %%r12d\n\tjae 1f\n\t"
		"subl %%eax, %%r12d\n\tmovq (%%rcx, %%r12, 8), %%rax\n"
		"0:\tmovl %%eax, %%r12d\n\tshrq $32, %%rax\n\taddq %%rax, %c[beats](%%rsi)\n\tpopq %%rcx\n\tpopq %%rax\n\ttestl %%r12d, %%r12d\n\tret\n"
		/* two lines are two accesses */
		"1:\tnegq %%rax\n\tmovq 24(%%rcx, %%rax, 8), %%rax\n\taddq -32(%%rcx, %%r12, 8), %%rax\n\tjmp 0b\n"
		"2:\tpopq %%rcx\n\tpopq %%rax\n\t" SAVE_FOR_CALL
		"movq %%rsi, %%rdi\n\tmovl %%r13d, %%esi\n\tmovl %%r12d, %%edx\n\tcall caches_access\n\tmovl %%eax, %%r12d\n\t" AFTER_CALL
		"testl %%r12d, %%r12d\n\tret"
		: : [memory] "i"(PAY(memory)), [access] "i"(PAY(access)), [beats] "i"(PAY(beats)), [waiting] "i"(PERM_WAIT_READ | PERM_WAIT_WRITE),
		    [write] "i"(FREE_WRITE));
}

/* The same with what caches_access wants on the stack, from where it is taken. What it takes is paid. Sign: nothing is done, the
 * instruction must leave. */
__attribute__((naked)) void go_ask(void)
{
	__asm__("cmpl %c[most](%%rsi), %%edx\n\tjl 1f\n\t"
		"pushq %%r12\n\tmovl 16(%%rsp), %%r12d\n\tcall go_wait\n\tjs 0f\n\tsubl %%r12d, %%edx\n"
		"0:\tpopq %%r12\n"
		"1:\tret $8"
		: : [most] "i"(PAY(most)));
}

/* Line r13d is not known to be there: the cache is asked. What it takes is paid. Sign: nothing is done, as it does not fit the budget.
 * go_line_behind: the instruction begins in the line before, which stays. */
#define LINE(behind) \
	__asm__(SAVE_FOR_CALL \
		"movl %%edx, %%ecx\n\tshrl $16, %%ecx\n\tmovl $" #behind ", %%edx\n\tmovq %%rsi, %%rdi\n\tmovl %%r13d, %%esi\n\tcall caches_fetch_line\n\t" \
		"movl %%eax, %%r13d\n\t" AFTER_CALL \
		"testl %%r13d, %%r13d\n\tjs 0f\n\tsubl %%r13d, %%edx\n0:\tret" : : )
__attribute__((naked)) void go_line(void) { LINE(0); }
__attribute__((naked)) void go_line_behind(void) { LINE(1); }

#endif
