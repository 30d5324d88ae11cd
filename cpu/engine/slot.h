/* SPDX-License-Identifier: Apache-2.0 */
/* A decoded instruction: one slot per halfword of code, so that any address is a legal entry.
 * Sizes matter: see docs/design/cpu-engine.md. Private to cpu/. */
#ifndef CPU_ENGINE_SLOT_H
#define CPU_ENGINE_SLOT_H

#include "memory/types.h"

/* Handlers and slots are named by their distance from one place in the program, which leaves room for an exact
 * cost in 16 bytes and lets the program lie anywhere: it is linked within 2 GiB, and slots are put near it. */
extern const char slot_base[] __attribute__((visibility("hidden")));
typedef i32 slot_handler;

/* In `d` of a move of vector lanes: with the beat of its first lane, for resumed execution. */
#define SLOT_LANE_MOVE 4u

struct slot {
	slot_handler handler;
	u32 imm; /* immediate; branches: the target slot (slot_link); slots that lead to another page: the address */
	union {
		struct { u8 a, b, c, d; }; /* register numbers and small constants, by the op */
		u32 abcd;
	};
	u32 cost; /* from here to the block's end: cost units << 16 | instructions; below 1 << 31 */
};

/* How a slot is named in another one, and back. */
ALWAYS_INLINE u32 slot_link(const struct slot *to)
{
	return (u32)((uintptr_t)to - (uintptr_t)slot_base);
}
ALWAYS_INLINE const struct slot *slot_linked(u32 link)
{
	return (const struct slot *)((uintptr_t)slot_base + (uintptr_t)(i32)link);
}

#endif
