/* SPDX-License-Identifier: Apache-2.0 */
/* The programs' bytes as they were when the run began, for gdb's "run": data that a program has changed come back, also where no start-up
 * code copies them. What the client writes there ("load") belongs to them from then on. */
#include "sim/gdb/session.h"

#include <stdlib.h>
#include <string.h>

/* Both Security states' addresses of a byte of memory differ in this bit (Corstone SSE-300 TRM, memory map). */
enum { ALIAS = 0x10000000 };

static void keep(struct gdb *g, const struct image_segment *s)
{
	const u8 *there = s->file_size ? bus_span(g->machine->bus, BUS_CPU, s->paddr, s->file_size) : NULL;
	u8 *copy = there ? malloc(s->file_size) : NULL;

	if (copy)
		g->program.part[g->program.count++] = (struct program_part){ s->paddr, s->file_size, memcpy(copy, there, s->file_size) };
}

void program_begin(struct gdb *g)
{
	const struct machine *m = g->machine;
	unsigned segments = 0;

	if (cpu_instructions(m->cpu))
		return;
	for (unsigned i = 0; i < m->image_count; i++)
		segments += m->images[i].segment_count;
	g->program.part = calloc(segments ? segments : 1, sizeof *g->program.part);
	for (unsigned i = 0; g->program.part && i < m->image_count; i++)
		for (unsigned k = 0; k < m->images[i].segment_count; k++)
			keep(g, &m->images[i].segments[k]);
}

void program_end(struct gdb *g)
{
	for (unsigned i = 0; i < g->program.count; i++)
		free(g->program.part[i].data);
	free(g->program.part);
}

void program_note(struct gdb *g, u32 addr, const u8 *from, u32 bytes)
{
	const u64 first = addr & ~(u32)ALIAS, end = first + bytes;

	for (unsigned i = 0; i < g->program.count; i++) {
		const struct program_part *p = &g->program.part[i];
		const u64 base = p->addr & ~(u32)ALIAS, last = base + p->bytes, low = first > base ? first : base, high = end < last ? end : last;

		if (low < high)
			memcpy(p->data + (low - base), from + (low - first), (size_t)(high - low));
	}
}

void program_load(struct gdb *g)
{
	char why[256];

	for (unsigned i = 0; i < g->program.count; i++) {
		const struct program_part *p = &g->program.part[i];

		machine_load_data(g->machine, "the program", p->addr, p->data, p->bytes, why, sizeof why);
	}
}
