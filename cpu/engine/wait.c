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

/* The data access at r13d, with r12d as caches_access wants it. The answer in r12d, and the host's sign flag. What reaches into some words of pages
 * that wait is looked for in a table first, what lies in two lines at most among those that are known to be free; a word read from the
 * ITCM is a cycle (timing_waits_of) for who asks for no other reads. */
_Static_assert(sizeof(((struct pay *)NULL)->ask.units[0][0]) == 32 && FREE_WRITE == 2 &&
		       PAY_SHIFT == 24, "as the code below has it");
__attribute__((naked)) void go_wait(void)
{
	__asm__("pushq %%r12\n\tpushq %%rax\n\tpushq %%rcx\n\t"
		"movl %%r13d, %%eax\n\tshrl $12, %%eax\n\ttestb %[waiting], (%%r15, %%rax)\n\tje 2f\n\t"
		"shrl $12, %%eax\n\tmovq %c[words](%%rsi, %%rax, 8), %%rcx\n\t"
		"testb %[write], %%r12b\n\tje 1f\n\taddq %[writes], %%rcx\n"
		"1:\tmovl %%r13d, %%eax\n\tandl $3, %%eax\n\tshrl $8, %%r12d\n\tleal 3(%%r12, %%rax), %%eax\n\tshrl $2, %%eax\n\tcmpl %[most], %%eax\n\tja 2f\n\t"
		"shll $5, %%eax\n\taddq %%rax, %%rcx\n\tmovl %%r13d, %%eax\n\tandl $28, %%eax\n\tmovl (%%rcx, %%rax), %%ecx\n\ttestb $1, %%cl\n\tjne 2f\n\t"
		"movl %%ecx, %%r12d\n\tpopq %%rcx\n\tpopq %%rax\n\tleaq 8(%%rsp), %%rsp\n\ttestl %%r12d, %%r12d\n\tret\n"
		"2:\tmovq 16(%%rsp), %%r12\n\tmovl %%r12d, %%eax\n\tshrl $8, %%eax\n\tcmpl $%c[two_lines], %%eax\n\tja 3f\n\t"
		"leal -1(%%r13, %%rax), %%eax\n\tshrl $5, %%eax\n\tmovq %c[lines](%%rsi), %%rcx\n\ttestb %%r12b, (%%rcx, %%rax)\n\tje 3f\n\t"
		"movl %%r13d, %%eax\n\tshrl $5, %%eax\n\ttestb %%r12b, (%%rcx, %%rax)\n\tje 3f\n\t"
		"popq %%rcx\n\tpopq %%rax\n\tpopq %%r12\n\txorl %%r12d, %%r12d\n\tret\n"
		"3:\tcmpb %[read], %%r12b\n\tjne 4f\n\tmovl %%r13d, %%eax\n\tshrl $12, %%eax\n\ttestb %[timed], (%%r15, %%rax)\n\tje 4f\n\t"
		"shrl $8, %%r12d\n\taddl $3, %%r12d\n\tshrl $2, %%r12d\n\tshll $16, %%r12d\n\t"
		"popq %%rcx\n\tpopq %%rax\n\tleaq 8(%%rsp), %%rsp\n\ttestl %%r12d, %%r12d\n\tret\n"
		"4:\tpopq %%rcx\n\tpopq %%rax\n\tpopq %%r12\n\t" SAVE_FOR_CALL
		"movq %%rsi, %%rdi\n\tmovl %%r13d, %%esi\n\tmovl %%r12d, %%edx\n\tcall caches_access\n\tmovl %%eax, %%r12d\n\t" AFTER_CALL
		"testl %%r12d, %%r12d\n\tret"
		: : [words] "i"(PAY(words)), [waiting] "i"(PERM_WAIT_READ | PERM_WAIT_WRITE), [write] "i"(FREE_WRITE), [read] "i"(FREE_READ), [timed] "i"(PERM_TIMED),
		    [most] "i"(PAY_WORDS), [two_lines] "i"(CACHE_LINE + 1), [lines] "i"(offsetof(struct cpu, lines)), [writes] "i"(sizeof(((struct pay *)NULL)->ask.units[0])));
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

/* Line r13d is not known to be there: the cache is asked. What it takes is paid. Sign: nothing is done, as it does not fit the budget. */
__attribute__((naked)) void go_line(void)
{
	__asm__(SAVE_FOR_CALL
		"shrl $16, %%edx\n\tmovq %%rsi, %%rdi\n\tmovl %%r13d, %%esi\n\tcall caches_fetch_line\n\t"
		"movl %%eax, %%r13d\n\t" AFTER_CALL
		"testl %%r13d, %%r13d\n\tjs 0f\n\tsubl %%r13d, %%edx\n0:\tret" : : );
}

#endif
