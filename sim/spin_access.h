/* SPDX-License-Identifier: Apache-2.0 */
/* What the next instruction would do to memory. Private to sim/spin.c and its test. */
#ifndef SIM_SPIN_ACCESS_H
#define SIM_SPIN_ACCESS_H

#include "cpu/cpu.h"

enum access_kind {
	ACCESS_NONE,  /* registers only */
	ACCESS_READ,
	ACCESS_WRITE,
	ACCESS_OTHER, /* not looked into: exclusives, vector memory accesses, calls to the host */
};

enum { ACCESS_MAX_BYTES = 64 };

struct access {
	enum access_kind kind;
	u32 addr, bytes; /* READ, WRITE; bytes <= ACCESS_MAX_BYTES */
};

/* Looks at the instruction at pc with the registers as they are. Conditions are ignored: a
 * predicated access counts as made. Integer loads and stores are known exactly (Armv8-M ARM
 * C2.3.5, C2.3.6 encodings), everything else with an effect beyond registers is OTHER. */
struct access access_next(struct cpu *c);

#endif
