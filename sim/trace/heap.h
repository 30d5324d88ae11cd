/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes a program holds of its heap: calls of its allocation functions, which are known by their names. */
#ifndef SIM_TRACE_HEAP_H
#define SIM_TRACE_HEAP_H

#include "cpu/observe.h"
#include "sim/machine.h"

enum { HEAP_FUNCTIONS = 24 };

/* An allocation function of an image: the registers with the bytes asked for, with a number of such pieces, and with the block that is
 * given back; HEAP_NONE: it has no such argument. */
#define HEAP_NONE (-1)
struct heap_function { u32 addr; i8 bytes, pieces, old; };
struct heap_block { u32 addr, bytes; }; /* addr 0: a free place; bytes 0: given back */

struct heap {
	struct cpu *cpu;
	struct heap_function function[HEAP_FUNCTIONS];
	unsigned functions;
	/* The call that has not returned; calls inside it are its own. back 0: there is none. */
	struct { const struct heap_function *function; u32 back, sp, bytes, old; } call;
	struct heap_block *block; /* by address, open addressing */
	u32 used, room;           /* places, a power of two; blocks that were given back count as used */
	u64 held;                 /* bytes asked for and not given back, without what the functions need for themselves */
};

/* Looks for the functions in the machine's images. */
void heap_init(struct heap *h, const struct machine *m);
/* Follows the program's course. Where host memory is short, later blocks do not count. */
void heap_follow(struct heap *h, const struct cpu_course *t);
void heap_free(struct heap *h);

#endif
