/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of machines with caches (-DDATA_WAITS): stencils look whether their lines cost nothing (cpu.lines), and let the cache
 * be asked where one may (go_wait). What an access takes is in r12, cost units << 16, which nothing else uses. Private to stencil/. */
#ifndef CPU_STENCIL_LINES_H
#define CPU_STENCIL_LINES_H

#include "cpu/state.h"

#include <stddef.h>

/* Memory of all kinds: what it takes is known by line. */
#define PAGE_READ (1u | 16u | 32u) /* PERM_READ, PERM_TIMED, PERM_WAIT_READ */
#define PAGE_WRITE (2u | 64u)      /* PERM_WRITE, PERM_WAIT_WRITE */

/* Where no line is ever free, as the data cache is off, the first instruction becomes a jump to what is apart (FILL_SKIP). */
#define LINES_SKIP "1:\t.reloc 1b, R_X86_64_PC16, 8f\n\t"
#define LINES_AT "movq %c[lines](%q[cpu]), %%r13\n\t"
#define LINE_TEST(offset, otherwise) \
	"leal " offset "(%q[at]), %%r12d\n\tshrl $5, %%r12d\n\ttestb %[free], (%%r13, %%r12)\n\tje " otherwise "\n\t"
#define LINES_FREE_AND "xorl %%r12d, %%r12d\n9:\n\t"
/* Apart, for cut-stencils: what it takes is known (cpu/sys/pay.h), or asked, or refused. Of whole words that are aligned, or less. */
#define LINES_ASK ".pushsection .apart%%S, \"ax\", @progbits\n8:\t" \
		  "movl %k[at], %%r13d\n\ttestb %[low], %%r13b\n\tjne 7f\n\t" \
		  "movl %%r13d, %%r12d\n\tshrl $12, %%r12d\n\ttestb $0x60, (%%r15, %%r12)\n\tje 7f\n\tshrl $12, %%r12d\n\t" \
		  "movq %c[words](%q[cpu], %%r12, 8), %%r12\n\tandl $28, %%r13d\n\tmovl %c[units](%%r12, %%r13), %%r12d\n\ttestb $1, %%r12b\n\tjne 7f\n\t" \
		  "jmp 9b\n7:\t" \
		  "movl %k[at], %%r13d\n\tmovl %[size], %%r12d\n\tshll $8, %%r12d\n\tmovb %[free], %%r12b\n\t" \
		  "call go_wait\n\tjs %l[refused]\n\tjmp 9b\n\t.popsection"
#define LINES_OPERANDS(c, addr, bytes, right) \
	[at] "r"(addr), [cpu] "S"(c), [lines] "i"(offsetof(struct cpu, lines)), [size] "i"(bytes), [free] "i"(H_FREE), \
	[low] "i"(((bytes) - 1) & 3), [words] "i"(offsetof(struct cpu, pay.words)), \
	[units] "i"(((right) == PAGE_WRITE) * sizeof(((struct pay_words *)0)->units[0]) + ((bytes) + 3) / 4 * 32)
/* go_wait keeps the registers but for vectors. */
#define LINES_CLOBBER "r13", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", \
		      "xmm12", "xmm13", "xmm14", "xmm15"

/* False: nothing is done yet and the operation must leave. ask: nothing refuses the instruction any more. */
#define LINES_FREE(c, addr, bytes, right, in_one, ask) ({ \
		__label__ refused, done; \
		bool free_ = true; \
		if ((in_one) && (ask)) \
			__asm__ goto(LINES_SKIP LINES_AT LINE_TEST("0", "8f") LINES_FREE_AND LINES_ASK \
				     : : LINES_OPERANDS(c, addr, bytes, right) : LINES_CLOBBER : refused); \
		else if (in_one) \
			__asm__ goto(LINES_AT LINE_TEST("0", "%l[refused]") LINES_FREE_AND \
				     : : LINES_OPERANDS(c, addr, bytes, right) : "r13", "cc" : refused); \
		else if (ask) \
			__asm__ goto(LINES_SKIP LINES_AT LINE_TEST("0", "8f") LINE_TEST("%c[size]-1", "8f") LINES_FREE_AND LINES_ASK \
				     : : LINES_OPERANDS(c, addr, bytes, right) : LINES_CLOBBER : refused); \
		else \
			__asm__ goto(LINES_AT LINE_TEST("0", "%l[refused]") LINE_TEST("%c[size]-1", "%l[refused]") LINES_FREE_AND \
				     : : LINES_OPERANDS(c, addr, bytes, right) : "r13", "cc" : refused); \
		goto done; \
	refused: \
		free_ = false; \
	done: \
		free_; })
/* The same for any number of bytes. */
#define LINES_ALL_FREE(c, addr, bytes) ({ \
		u32 line_ = (addr) / 32, last_ = ((addr) + (bytes) - 1) / 32; \
		while (line_ < last_ && (c)->lines[line_] & NUMBER(H_FREE)) \
			line_++; \
		const bool free_ = (c)->lines[line_] & NUMBER(H_FREE); \
		__asm__ volatile("xorl %%r12d, %%r12d" : : : "cc"); \
		free_; })

#endif
