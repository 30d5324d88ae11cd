/* SPDX-License-Identifier: Apache-2.0 */
/* A client's watchpoints. */
#include "sim/gdb/session.h"

/* A debugger is told one address, and takes all watchpoints that hold it to be hit: where they overlap it is one of all of them. */
static void note_hit(struct gdb *g, const struct point *p)
{
	const u64 end = (u64)p->addr + p->bytes;

	if (!g->hit_made) {
		g->hit_made = true;
		g->hit.addr = g->hit.told = p->addr;
		g->hit.end = end;
		g->hit.type = p->type;
		g->hit.by_event = watch_halt(g->machine);
	} else if (p->addr < g->hit.end && g->hit.told < end) {
		g->hit.told = p->addr > g->hit.told ? p->addr : g->hit.told;
		g->hit.end = end < g->hit.end ? end : g->hit.end;
	}
}

static void accessed(void *ctx, u32 addr, u64 size, enum bus_access access)
{
	struct gdb *g = ctx;

	for (unsigned i = 0; i < g->point_count && g->running; i++) {
		struct point *p = &g->points[i];

		if (p->type > POINT_HARDWARE && watch_counts(g->machine, &p->watch, addr, size, access))
			note_hit(g, p);
	}
}

void points_listen(struct gdb *g)
{
	bus_public(g->machine->bus)->watched = accessed;
	bus_public(g->machine->bus)->watched_ctx = g;
}

void points_unlisten(struct gdb *g)
{
	bus_public(g->machine->bus)->watched = NULL;
	bus_public(g->machine->bus)->watched_ctx = NULL;
}

bool points_watch(struct gdb *g, struct point *p)
{
	p->watch = (struct watch){
		.addr = p->addr, .bytes = p->bytes,
		.accesses = (p->type != POINT_READ ? WATCH_WRITES : 0) | (p->type != POINT_WRITE ? WATCH_READS : 0),
	};
	return watch_start(g->machine, &p->watch);
}

void points_unwatch(struct gdb *g, struct point *p)
{
	watch_stop(g->machine, &p->watch);
	for (unsigned i = 0; i < g->point_count; i++)
		if (g->points[i].type > POINT_HARDWARE)
			watch_flag(g->machine, &g->points[i].watch);
}
