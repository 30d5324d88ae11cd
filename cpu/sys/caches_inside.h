/* SPDX-License-Identifier: Apache-2.0 */
/* A cache, and the bus behind it: what caches.c (data), caches_code.c and pay.c share. Private to those. */
#ifndef CPU_SYS_CACHES_INSIDE_H
#define CPU_SYS_CACHES_INSIDE_H

#include "cpu/sys/caches.h"
#include "cpu/sys/pmu.h"
#include "cpu/sys/protect.h"
#include "cpu/sys/scs.h"

#include <string.h>

enum { BEAT = 8, LINE_BEATS = CACHE_LINE / BEAT, FREE_DATA = FREE_READ | FREE_WRITE };

/* The memory with wait states at addr; NULL: none. */
const struct cpu_memory *caches_memory(const struct cpu *c, u32 addr);

/* Beats of others between those of the processor: they take turns. */
static inline u32 beats_between(const struct cpu *c, const struct cpu_memory *m, u32 addr, u32 beats)
{
	return c->config.taken ? (beats * m->beat * c->config.taken(c->config.taken_ctx, addr) + 128) / 256 : 0;
}

/* On the bus: only where somebody wants to know, as translated code does not count them. */
static inline void count_beats(struct cpu *c, u32 beats)
{
	c->sys->count[COUNT_BUS_ACCESS] += c->sys->count_wanted & COUNT_BIT(BUS_ACCESS) ? beats : 0;
}

/* What `beats` from addr on take beyond the instruction's own cycle. */
static inline u32 transfer_cost(const struct cpu *c, const struct cpu_memory *m, u32 addr, u32 beats, bool write)
{
	return (write ? beats * m->beat - 1 : m->latency + (beats - 1) * m->beat) + beats_between(c, m, addr, beats);
}

static inline unsigned sets_of(unsigned bytes, unsigned ways) { return bytes / (CACHE_LINE * ways); }

static inline u32 *find(struct cache *k, u32 addr, unsigned sets, unsigned ways)
{
	u32 *line = &k->line[(addr / CACHE_LINE & (sets - 1)) * ways];

	for (unsigned w = 0; w < ways; w++)
		if ((line[w] ^ addr) < CACHE_LINE && line[w] & LINE_VALID)
			return &line[w];
	return NULL;
}

/* `line` goes, or may: nobody may rely any more on what was free there. */
static inline void leaves(struct cpu *c, u32 line, unsigned what)
{
	if (line & LINE_VALID)
		c->lines[line / CACHE_LINE] &= (u8)~what;
}

static inline void all_leave(struct cpu *c, const struct cache *k, unsigned what)
{
	for (unsigned i = 0; i < CACHE_LINES_MAX; i++)
		leaves(c, k->line[i], what);
}

/* The place for a new line: an empty one, or the next in turn. */
static inline u32 *place(struct cache *k, u32 addr, unsigned sets, unsigned ways)
{
	const u32 set = addr / CACHE_LINE & (sets - 1);
	u32 *line = &k->line[set * ways];

	for (unsigned w = 0; w < ways; w++)
		if (!(line[w] & LINE_VALID))
			return &line[w];
	const u8 way = k->next[set];
	k->next[set] = (u8)((way + 1) % ways);
	return &line[way];
}

static inline bool crosses(u32 addr, u32 bytes) { return addr / CACHE_LINE != (addr + bytes - 1) / CACHE_LINE; }

#endif
