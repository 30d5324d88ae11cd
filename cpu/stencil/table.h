/* SPDX-License-Identifier: Apache-2.0 */
/* The stencils as a table, which cpu/stencil/cut.c makes: code with holes, by operation and variant. Private to
 * cpu/. */
#ifndef CPU_STENCIL_TABLE_H
#define CPU_STENCIL_TABLE_H

#include "cpu/exec/ops.h"
#include "memory/types.h"

/* Variants of an operation: SP as base; in an IT block for the first condition and the other; loads that may take time of
 * their own (PERM_TIMED); loads and stores where there are caches (cpu/stencil/lines.h). */
#define STENCIL_VARIANTS(V) V(plain) V(sp) V(then) V(otherwise) V(timed) V(waits) V(waits_sp)

enum stencil_variant {
#define V(name) V_##name,
	STENCIL_VARIANTS(V)
#undef V
	V_COUNT
};
enum stencil_part {
#define PART(name) PART_##name,
#include "cpu/stencil/parts.def"
#undef PART
	PART_COUNT
};

/* What is written into a hole. */
enum stencil_symbol {
#define HOLE(name) HOLE_##name,
#define EXIT(name) HOLE_##name,
#include "cpu/stencil/holes.def"
#undef HOLE
#undef EXIT
	HOLE_HOT, HOLE_COLD,  /* the stencil's own parts */
	HOLE_EXTERN           /* and those after it: stencil_externs */
};
/* 4 bytes; 4 bytes from the hole's own place; 1 byte; the distance of a jump that is written over what is there, if it is wanted (emit_values.skips). */
enum stencil_hole_kind { FILL_WORD, FILL_DISTANCE, FILL_BYTE, FILL_SKIP };
struct stencil_hole {
	u16 at; /* in the hot part, then the cold one */
	u8 kind, symbol;
	i32 add;
};

/* Code that runs, and code apart that runs seldom; in stencil_code one behind the other. */
struct stencil {
	u32 code, holes; /* the first */
	u16 hot, cold;   /* bytes */
	u16 hole_count;
};

extern const struct stencil stencils[]; /* the first is none */
extern const u8 stencil_code[];
extern const struct stencil_hole stencil_holes[];
extern const void *const stencil_externs[];
/* Number of a stencil, 0: there is none. */
extern const u16 stencil_of[V_COUNT][OP_COUNT], stencil_part[PART_COUNT];

#endif
