/* SPDX-License-Identifier: Apache-2.0 */
/* Where indirect jumps of translated code (returns, calls of what a register holds) found code: by address, for the address alone. It is no
 * state: an entry that is not there is found again. Private to engine/. */
#ifndef CPU_ENGINE_JUMP_H
#define CPU_ENGINE_JUMP_H

#include "memory/types.h"

#include <string.h>

#define JUMPS 2048u /* one for each halfword of a page: addresses that lie so in several pages take turns */

/* to: with bit 0 set, below what jumps may mean otherwise; else none that a jump to this entry has. cost: of the block there. Valid as long as
 * links are (links.h). */
struct jump { u32 to, cost; const u8 *code; };

static inline u32 jump_index(u32 to) { return to >> 1 & (JUMPS - 1); }
/* All of them: 0 leads to the first entry. */
static inline void jumps_forget(struct jump *x)
{
	memset(x, 0, JUMPS * sizeof(*x));
	x[0].to = 2;
}

#endif
