/* SPDX-License-Identifier: Apache-2.0 */
/* What memories behind the core's bus cost: wait states, and the instruction and data caches that hide them. Only with an
 * estimated timing (m55, m85) and where the configuration names memories (cpu_config.memories); else there are none of
 * these (c->caches is NULL) and nothing here is asked. Private to cpu/.
 *
 * Caches hold tags only: memory is one and always up to date. Lines of 32 bytes; instructions 2 ways, data 4 ways, as CCSIDR
 * says. The way to be replaced goes round, so that hits change nothing, whoever makes them. */
#ifndef CPU_SYS_CACHES_H
#define CPU_SYS_CACHES_H

#include "cpu/state.h"

#define CACHE_LINE 32u
#define CACHE_LINES_MAX 2048u /* 64 KiB */
#define CACHE_RUNS 32u        /* of adjacent accesses, by one instruction or exception */
#define CACHE_WAITS_MAX 12000u /* cycles that one instruction may wait: four lines at most come and go */
#define CACHE_LINES_ALL ((size_t)1 << 27) /* lines of all addresses */

enum cache_line_bits { LINE_VALID = 1, LINE_DIRTY = 2, LINE_BACK = 4 /* written back, not through */ };

struct cache {
	u32 line[CACHE_LINES_MAX];   /* set * ways + way: address | enum cache_line_bits */
	u8 next[CACHE_LINES_MAX / 2]; /* by set: the way that is replaced next */
};

/* A line in such a place, which is neither changed nor written back. */
static inline u32 cache_word(u32 line) { return line * CACHE_LINE | LINE_VALID; }

/* State of the machine. */
struct caches_state {
	struct cache data, code;
};
/* cpu.fetched: lines in the fetch buffer, which are none of the cache: address | LINE_VALID, one of an even and one of an odd number, so that
 * both lines of an instruction across two have their place. State, too; it lies where translated code finds it. */
#define FETCHED 2u
static inline u32 *fetched_at(struct cpu *c, u32 line) { return &c->fetched[line % FETCHED]; }
static inline bool fetched_is(const struct cpu *c, u32 line) { return c->fetched[line % FETCHED] == cache_word(line); }

/* Of a line of the address space, in cpu.lines: what is known to cost nothing there, in the current state. What is not known must be looked
 * for (caches_fetch, caches_access). */
enum line_free {
	FREE_READ = 1,
	FREE_WRITE = 2,
	FREE_FETCH = 4, /* in the cache; struct caches_state says what else is there */
	FREE_BESIDE = 8, /* data is read for nothing by instructions that lie elsewhere (tcm_read_waits) */
};

struct cache_run { u32 addr; u16 bytes; bool write, secure; };

struct caches {
	struct caches_state state;
	/* Of the instruction being executed; empty between instructions. */
	struct cache_run run[CACHE_RUNS];
	u32 runs, maintenance; /* cycles */
	u32 last_memory; /* of cpu_config.memories */
	u32 enabled; /* CCR.IC and CCR.DC of the current Security state, when cpu.lines was last looked through */
};

/* NULL caches where nothing is timed; false: no host memory. */
bool caches_new(struct cpu *c);
void caches_free(struct cpu *c);
void caches_reset(struct cpu *c);
/* Another state was put in place of the caches'. */
void caches_restored(struct cpu *c);

/* True when the memory at addr takes time of its own. */
bool caches_time(const struct cpu *c, u32 addr);
/* True when it does, but not now for one beat past the cache. */
bool caches_beat_free(const struct cpu *c, u32 addr, bool write);
/* The instruction being executed accesses these bytes. Nothing happens before caches_waits. */
void caches_note(struct cpu *c, u32 addr, unsigned bytes, bool write, bool secure);
/* What was noted did not happen: the instruction begins again. */
static inline void caches_forget(struct cpu *c)
{
	if (c->caches)
		c->caches->runs = c->caches->maintenance = 0;
}
/* Makes the accesses that were noted; returns the cycles that they take beyond the instruction's own. */
u32 caches_waits(struct cpu *c);

/* Brings the lines of the instruction of that many bytes at pc: the cycles that it takes, 0 where they are there. -1: it would take more than
 * `most`, and nothing is done. */
i32 caches_fetch_within(struct cpu *c, u32 pc, unsigned bytes, u32 most);
/* True where nothing has to be looked for. */
ALWAYS_INLINE bool caches_fetched(const struct cpu *c, u32 pc, unsigned bytes)
{
	return c->lines[pc / CACHE_LINE] & c->lines[(pc + bytes - 1) / CACHE_LINE] & FREE_FETCH;
}
ALWAYS_INLINE u32 caches_fetch(struct cpu *c, u32 pc, unsigned bytes)
{
	return caches_fetched(c, pc, bytes) ? 0 : (u32)caches_fetch_within(c, pc, bytes, INT32_MAX);
}
/* The same for a line that is not known to be there. Cost units << 16. */
i32 caches_fetch_line(struct cpu *c, u32 line, u32 most);
/* What costs nothing depends on the Security state and CCR, which may have changed. */
void caches_look_again(struct cpu *c);

/* The data access that is about to be made: `what` is its bytes << 8 and which of FREE_READ, FREE_WRITE and FREE_BESIDE would make it
 * free. Cost units << 16 that it takes beyond the instruction's own; below 0: nothing is done, it must be noted. */
i32 caches_access(struct cpu *c, u32 addr, u32 what);

/* True while no instructions are cached in the current state: all lines come past the cache. */
bool caches_code_off(const struct cpu *c);
/* True while no data are cached in the current state: each access goes to its memory. */
bool caches_data_off(const struct cpu *c);

/* Maintenance: all instructions; the line of an address; a line of the data cache by set and way, as DCISW has them. */
enum cache_work { CACHE_CLEAN = 1, CACHE_INVALIDATE = 2 };
void caches_drop_code(struct cpu *c);
void caches_drop_code_line(struct cpu *c, u32 addr);
void caches_maintain(struct cpu *c, u32 addr, unsigned work);
void caches_maintain_way(struct cpu *c, u32 set_way, unsigned work);

#endif
