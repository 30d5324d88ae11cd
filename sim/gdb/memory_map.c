/* SPDX-License-Identifier: Apache-2.0 */
/* The memory map: what is RAM and what is flash (gdb's manual, "Memory Map Format"). Everything else may be accessed
 * as well: gdb only takes other ways into flash. */
#include "sim/gdb/session.h"

#include <string.h>

static bool is_flash(const struct board_memory *r)
{
	return !strcmp(r->name, "QSPI");
}

static void add(struct text *out, const struct board_memory *r, u32 base, u32 bytes)
{
	text_add(out, "<memory type=\"%s\" start=\"0x%x\" length=\"0x%x\"", is_flash(r) ? "flash" : "ram", base, bytes);
	if (is_flash(r))
		text_add(out, "><property name=\"blocksize\">0x%x</property></memory>", BUS_PAGE_SIZE);
	else
		text_add(out, "/>");
}

/* All other addresses are RAM to gdb, which may write there without asking: registers, memory of a future board. */
static void add_gap(struct text *out, u64 from, u64 to)
{
	if (from < to)
		text_add(out, "<memory type=\"ram\" start=\"0x%llx\" length=\"0x%llx\"/>", (unsigned long long)from,
			 (unsigned long long)(to - from));
}

void memory_map_xml(const struct machine *m, struct text *out)
{
	const struct board *board = m->config.board;
	u64 at = 0;

	text_add(out, "<?xml version=\"1.0\"?><!DOCTYPE memory-map PUBLIC \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" "
		      "\"http://sourceware.org/gdb/gdb-memory-map.dtd\"><memory-map>");
	for (;;) { /* the memory that begins next, by any of its addresses */
		const struct board_memory *next = NULL;
		u64 base = UINT64_C(1) << 32;
		u32 bytes = 0;

		for (unsigned i = 0; i < board->memory_count; i++) {
			const struct board_memory *r = &board->memories[i];

			for (unsigned secure = 0; secure < 1u + r->alias; secure++) {
				const u32 own = secure ? r->s_base : r->ns_base;

				if (own >= at && own < base) {
					next = r;
					base = own;
					bytes = m->config.memory_bytes[i];
				}
			}
		}
		add_gap(out, at, base);
		if (!next)
			break;
		add(out, next, (u32)base, bytes);
		at = base + bytes;
	}
	text_add(out, "</memory-map>");
}
