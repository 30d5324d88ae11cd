/* SPDX-License-Identifier: Apache-2.0 */
/* A decoded instruction: one slot per halfword of code, so that any address is a legal entry.
 * Sizes matter: see docs/cpu-engine.md. Private to cpu/. */
#ifndef CPU_ENGINE_SLOT_H
#define CPU_ENGINE_SLOT_H

#include "memory/types.h"

/* Handlers are 32-bit addresses where the program is linked below 4 GiB (no PIE), which leaves
 * room for an exact cost in 16 bytes. Slots are put there, too, so that a branch's target is one load. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__PIE__) && !defined(__PIC__)
#define SLOTS_BELOW_4G 1
typedef u32 slot_handler;
#else
#define SLOTS_BELOW_4G 0
typedef uintptr_t slot_handler;
#endif

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

/* How slot `from` names slot `to` of its page, and back. With an address, what follows waits 4 cycles of the host
 * for the target, with a distance 7: an eighth of a short loop's time. */
ALWAYS_INLINE u32 slot_link(const struct slot *from, const struct slot *to)
{
	return SLOTS_BELOW_4G ? (u32)(uintptr_t)to : (u32)((const char *)to - (const char *)from);
}
ALWAYS_INLINE const struct slot *slot_linked(const struct slot *from, u32 link)
{
	return SLOTS_BELOW_4G ? (const struct slot *)(uintptr_t)link : (const struct slot *)((const char *)from + (i32)link);
}

#endif
