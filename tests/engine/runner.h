/* SPDX-License-Identifier: Apache-2.0 */
/* Runs short code from a drawn state on two engines and compares what each leaves. */
#ifndef TESTS_ENGINE_RUNNER_H
#define TESTS_ENGINE_RUNNER_H

#include "cpu/insn/encode.h"
#include "tests/cpu-sys/rig.h"
#include "tests/engine/draw.h"
#include "tests/engine/registers.h"

#define DATA 0x30004000u /* what sequences read and write lies around here */
#define DATA_BYTES 0x2000u
#define NOWHERE 0x30fff800u /* accesses fault, and their exception keeps the flags */
#define CODE (RIG_PC & 0xffff0000) /* sequences, and the vectors in front of them */
#define CODE_BYTES 0x10000u
#define NOP 0xbf00

/* What a sequence begins with. core.ccr 0: as after a reset. */
struct start { struct registers_start core; u32 memory[DATA_BYTES / 4]; };
/* What it leaves. */
struct end { struct registers_state core; u32 memory[DATA_BYTES / 4]; };

/* A core with one engine, and its code as it was before sequences wrote to it. */
struct runner { struct rig *rig; u8 *code, pristine[CODE_BYTES]; };

void runner_init(struct runner *x, enum cpu_engine engine);
/* The same with a core of that configuration. */
void runner_init_of(struct runner *x, const struct cpu_config *config);
/* One with translated code and one that steps, on cores of the same drawn memories (draw_waits). */
void runner_init_waiting(struct insn_random *r, struct runner *tail, struct runner *step);
void runner_free(struct runner *x);
/* A state whose kind is one of six: addresses in the data, small numbers, anything. */
void runner_draw(struct insn_random *r, unsigned state, struct start *x);
/* Runs code that lies at `at` from pc: `cycles` from the start and then 24 more: a little way behind the sequence, or wherever a fault or branch led.
 * end[0] and end[1] are what is there then. */
void runner_run(struct runner *x, u32 at, u32 pc, const struct drawn *code, const struct start *start, u64 cycles, struct end end[2]);
/* Prints what translated code left that the instructions one by one do not. */
void runner_print(const struct end *got, const struct end *end);

#endif
