/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for translated code, and stencils into it. No page is ever writable and executable: the memory is a file
 * that is mapped twice. Private to engine/. */
#ifndef CPU_ENGINE_EMIT_H
#define CPU_ENGINE_EMIT_H

#include "cpu/engine/engine.h"
#include "cpu/engine/jump.h"
#include "cpu/engine/links.h"
#include "cpu/stencil/table.h"

#define EMIT_CHUNK ((u32)1 << 20) /* bytes that are mapped together */
#define EMIT_ALIGN 32u             /* of code that nothing runs into */
#define EMIT_CHUNKS 32u           /* then all code is dropped */

struct emit_memory {
	struct { u8 *run, *write; } chunk[EMIT_CHUNKS];
	u32 chunks, now; /* mapped; in use */
	u32 hot, cold;   /* free in the chunk in use: from here to there */
	int file;
	bool off;        /* the host refuses: handlers only */
	bool full;       /* nothing is translated before all is dropped */
	struct links links;
	struct jump *jumps; /* the core's, or NULL: a test of the host */
};

/* Values of holes, HOLE_A to HOLE_SLOT as they are written, exits as addresses. skips: no line is free, which nobody needs to look for. */
struct emit_values { uintptr_t value[HOLE_HOT]; bool skips; };

struct emit_memory *emit_new(struct jump *jumps); /* NULL: no host memory */
/* NULL is allowed. */
void emit_free(struct emit_memory *m);
/* Room for `bytes` in one chunk; false: all code must be dropped, or (off) there is none at all. */
bool emit_room(struct emit_memory *m, u32 bytes);
/* True when emit_room will find so much, at most EMIT_CHUNK, in this chunk or, in all, in the next one. */
bool emit_reserve(struct emit_memory *m, u32 bytes);
/* Indirect jumps find their targets again. */
void emit_forget_jumps(struct emit_memory *m);
/* Forgets all code. */
void emit_drop_all(struct emit_memory *m);
bool emit_contains(const struct emit_memory *m, const void *code);

/* Lays a stencil behind the last one, so that what is laid next follows it, or apart, in one piece; returns where its
 * parts run. Its exits lead to value[HOLE_GO] and so on. */
struct emit_place { u8 *hot, *cold; };
struct emit_place emit_stencil(struct emit_memory *m, u16 number, const struct emit_values *v);
u8 *emit_apart(struct emit_memory *m, u16 number, const struct emit_values *v, const u8 *next);
/* Overwrites what begins at `code` by a stencil that is not longer. */
void emit_over(struct emit_memory *m, u8 *code, u16 number, const struct emit_values *v, const u8 *next);
/* What is laid next begins where the host fetches best: nothing flows into it. */
void emit_align(struct emit_memory *m);
/* Where the next stencil will run. */
u8 *emit_here(const struct emit_memory *m);
/* Room for code of other origin, in order and apart; emit_room said that there is some. Its bytes, where it runs. */
struct emit_place emit_take(struct emit_memory *m, u32 hot, u32 cold);
void emit_bytes(struct emit_memory *m, const u8 *run, const u8 *bytes, u32 n);
/* Sends the exits of a stencil that lead to `symbol` (HOLE_TAKEN, HOLE_GO) elsewhere. */
void emit_exits(struct emit_memory *m, struct emit_place at, u16 number, unsigned symbol, const u8 *target);
/* Bytes of a stencil; of its part that is laid in order. */
u32 emit_size(u16 number);
u32 emit_hot_size(u16 number);

#endif
