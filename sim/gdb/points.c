/* SPDX-License-Identifier: Apache-2.0 */
/* Packets Z and z. Breakpoints of software and hardware are the same here: no instruction is replaced. Watchpoints: watch.c. */
#include "sim/gdb/session.h"

#include <stdlib.h>

/* TYPE,ADDR,KIND */
static bool parse(const char *rest, unsigned *type, u32 *addr, u32 *kind)
{
	u64 t, a, k;

	if (!hex_number(&rest, &t) || *rest++ != ',' || !hex_number(&rest, &a) || *rest++ != ',' || !hex_number(&rest, &k) ||
	    t > UINT32_MAX || a > UINT32_MAX || k > UINT32_MAX)
		return false;
	*type = (unsigned)t;
	*addr = (u32)a;
	*kind = (u32)k;
	return true;
}

/* gdb's manual, "Packets": to a type that is not known the answer is that to a packet that is not. */
static bool is_known(unsigned type) { return type <= POINT_ACCESS; }

/* Index of that point; point_count: there is none. */
static unsigned find(const struct gdb *g, unsigned type, u32 addr, u32 bytes)
{
	unsigned i = 0;

	while (i < g->point_count && (g->points[i].type != type || g->points[i].addr != addr ||
				      (type > POINT_HARDWARE && g->points[i].bytes != bytes)))
		i++;
	return i;
}

void points_insert(struct gdb *g, const char *rest)
{
	unsigned type;
	u32 addr, kind;

	if (!parse(rest, &type, &addr, &kind)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	if (!is_known(type))
		return;
	if (find(g, type, addr, kind) < g->point_count) {
		answer_ok(g);
		return;
	}
	struct point p = { .addr = addr, .bytes = kind, .type = (u8)type };
	void *more = realloc(g->points, (g->point_count + 1) * sizeof *g->points);
	if (more)
		g->points = more;
	if (!more || !(type > POINT_HARDWARE ? points_watch(g, &p) : cpu_add_breakpoint(g->machine->cpu, addr & ~1u))) {
		answer_error(g, ERROR_NO_ROOM);
		return;
	}
	g->points[g->point_count++] = p;
	answer_ok(g);
}

const struct point *points_breakpoint(const struct gdb *g, u32 addr)
{
	for (unsigned i = 0; i < g->point_count; i++)
		if (g->points[i].type <= POINT_HARDWARE && (g->points[i].addr & ~1u) == (addr & ~1u))
			return &g->points[i];
	return NULL;
}

static void drop(struct gdb *g, unsigned i)
{
	struct point gone = g->points[i];

	g->points[i] = g->points[--g->point_count];
	if (gone.type > POINT_HARDWARE)
		points_unwatch(g, &gone);
	else if (!points_breakpoint(g, gone.addr))
		cpu_remove_breakpoint(g->machine->cpu, gone.addr & ~1u);
}

void points_remove(struct gdb *g, const char *rest)
{
	unsigned type;
	u32 addr, kind;

	if (!parse(rest, &type, &addr, &kind)) {
		answer_error(g, ERROR_WRONG);
		return;
	}
	if (!is_known(type))
		return;
	const unsigned i = find(g, type, addr, kind);
	if (i < g->point_count)
		drop(g, i);
	answer_ok(g);
}

void points_clear(struct gdb *g)
{
	while (g->point_count)
		drop(g, g->point_count - 1);
	free(g->points);
	g->points = NULL;
}
