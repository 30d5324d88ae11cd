/* SPDX-License-Identifier: Apache-2.0 */
/* Memory with wait states in the tail-call engine: code that is not known to be there, and data that stencils access. */
#include "cpu/engine/registers.h"

#include "cpu/engine/handler.h"
#include "cpu/engine/waits.h"

void go_fetch(HANDLER_ARGS)
{
	const struct code_page *p = page_of(s);
	const unsigned i = slot_index(p, s);
	const u32 pc = p->addr + i * 2, bytes = p->info[i] & INFO_WIDE ? 4 : 2;

	if (UNLIKELY(!caches_fetched(c, pc, bytes))) {
		const i32 waits = caches_fetch_within(c, pc, bytes, (u32)left >> 16);

		if (waits < 0) /* it does not fit the budget: the stepping engine fetches and executes the instruction, as the others do */
			TAIL(go_horizon);
		left -= waits << 16;
	}
	TAIL(handler_of(p->behind[i]));
}

/* Called by stencils (cpu/stencil/lines.h): the data access at r13d, with r12d as caches_access wants it; c in rsi. The answer in r12d, and the
 * host's sign flag; all other registers stay, but for vectors. */
#ifdef ENGINE_PINNED
__attribute__((naked)) void go_wait(void)
{
	__asm__("pushq %rbp\n\tmovq %rsp, %rbp\n\tandq $-16, %rsp\n\t"
		"pushq %rax\n\tpushq %rcx\n\tpushq %rdx\n\tpushq %rsi\n\tpushq %rdi\n\tpushq %r8\n\tpushq %r9\n\tpushq %r10\n\tpushq %r11\n\t"
		"subq $8, %rsp\n\t"
		"movq %rsi, %rdi\n\tmovl %r13d, %esi\n\tmovl %r12d, %edx\n\tcall caches_access\n\tmovl %eax, %r12d\n\t"
		"addq $8, %rsp\n\t"
		"popq %r11\n\tpopq %r10\n\tpopq %r9\n\tpopq %r8\n\tpopq %rdi\n\tpopq %rsi\n\tpopq %rdx\n\tpopq %rcx\n\tpopq %rax\n\t"
		"movq %rbp, %rsp\n\tpopq %rbp\n\ttestl %r12d, %r12d\n\tret");
}
#endif
