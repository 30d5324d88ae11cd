/* SPDX-License-Identifier: Apache-2.0 */
/* A decoded instruction: one slot per halfword of code, so that any address is a legal entry.
 * Sizes matter: see docs/cpu-engine.md. Private to cpu/. */
#ifndef CPU_ENGINE_SLOT_H
#define CPU_ENGINE_SLOT_H

#include "memory/types.h"

/* Handlers are 32-bit addresses where the program is linked below 4 GiB (no PIE), which leaves
 * room for an exact cost in 16 bytes. */
#if defined(__x86_64__) && !defined(__PIE__) && !defined(__PIC__)
typedef u32 slot_handler;
#else
typedef uintptr_t slot_handler;
#endif

/* In `d` of a move of vector lanes: with the beat of its first lane, for resumed execution. */
#define SLOT_LANE_MOVE 4u

struct slot {
	slot_handler handler;
	u32 imm; /* immediate; branches: distance to the target slot in bytes, or its address */
	union {
		struct { u8 a, b, c, d; }; /* register numbers and small constants, by the op */
		u32 abcd;
	};
	u32 cost; /* from here to the block's end: cost units << 16 | instructions; below 1 << 31 */
};

#endif
