/* SPDX-License-Identifier: Apache-2.0 */
/* What accesses cost that no cache holds, ready for translated code to take off its budget: a memory's latency and beats are the same for each
 * of them, as long as caches stay off and nobody else takes more or less of the memory. By blocks of 16 MiB, as far as one memory alone lies
 * in a block; filled when it is asked for; of one beat also by page (pay_pages.h). It is no state: PAY_ASK is always right. Beats on the bus are not counted here: the other engines run
 * while somebody wants them. Private to cpu/. */
#ifndef CPU_SYS_PAY_H
#define CPU_SYS_PAY_H

#include "memory/types.h"

#define PAY_SHIFT 24
#define PAY_BLOCKS 256u
#define PAY_MEMORIES 16u
#define PAY_LINE 32u  /* bytes: CACHE_LINE */
#define PAY_WORDS 16u /* in three lines at most */
#define PAY_MAX 1000u /* cost units of an access to one line; what takes more is asked for. Sixteen to two lines fit a word */

struct cpu;
struct cpu_memory;

/* Cost units << 16, beyond the instruction's own cycle. Nothing else has bit 0, and no budget is as large. */
#define PAY_ASK 0x7fff0001u

/* What an access that lies in a page takes, by direction (0 reads, 1 writes): by the words that it reaches into, and the first of them in its line; by its
 * size (1, 2, 4, 8 bytes), and its first byte there. */
struct pay_words { u32 units[2][PAY_WORDS + 1][8], bytes[2][4][PAY_LINE]; };

struct pay {
	u32 fetch[PAY_BLOCKS];                     /* of a line of code that comes past the cache */
	const struct pay_words *words[PAY_BLOCKS]; /* never NULL */
	struct pay_words of[PAY_MEMORIES], ask;
	i32 most; /* a budget that reaches for whatever an access to two lines may take */
	/* What others take of the memory, for which all this holds; where it was asked for. */
	u32 taken[PAY_MEMORIES], taken_at[PAY_MEMORIES], used;
};

/* Forgets all costs: caches were turned on or off. */
void pay_forget(struct cpu *c);
/* The core begins, with the costs of its memories. */
void pay_reset(struct cpu *c);
/* Others may take more or less of memories than before. */
void pay_look_again(struct cpu *c);
/* Fills in what accesses and fetches past the caches cost at addr, in memory m. */
void pay_data(struct cpu *c, const struct cpu_memory *m, u32 addr);
void pay_code(struct cpu *c, const struct cpu_memory *m, u32 addr);
#endif
