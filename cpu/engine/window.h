/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores off the same base register that are checked once. Private to engine/. */
#ifndef CPU_ENGINE_WINDOW_H
#define CPU_ENGINE_WINDOW_H

#include "memory/types.h"

#define WINDOW_ACCESSES 16u

/* Bytes around the base that several steps of a piece access, from the first to the last of them. All of them lie in one page with the
 * base. */
struct window {
	u16 first, last;
	i16 low, high;     /* from the base; the base is one of the bytes */
	u8 base;
	u8 align;          /* which low bits of the base must be 0 */
	struct window_access { i16 at; u8 bytes; bool loads; } access[WINDOW_ACCESSES]; /* in their order */
	u8 reads, writes;  /* how many; at most WINDOW_ACCESSES in all */
	bool posted[2];    /* reads, writes: one beat most likely takes no time */
	u8 words;          /* read by instructions for which a word of the ITCM takes a cycle */
	bool pairs;        /* must be aligned */
	u8 cost;           /* enum direct_cost: COST_NOTHING also where memory that takes time is unlikely, which it refuses */
};
#define WINDOWS 192u /* of a piece */

#endif
