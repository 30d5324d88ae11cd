/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/origin_lines.h"
#include "sim/network/npu_names.h"
#include "sim/trace/npu_text.h"

#include <stdio.h>

/* "0x100000a0 in ending+0x4 (fault.c:7)" */
static const char *place(struct machine *m, u32 addr, u32 describe, char *text, size_t size)
{
	char where[160];

	machine_describe(m, describe, where, sizeof where);
	snprintf(text, size, "0x%08x%s%s", addr, *where ? " in " : "", where);
	return text;
}

static void add_backtrace(const struct lines *out, const struct origin *o)
{
	char text[256];

	lines_add(out, "  backtrace:");
	for (unsigned i = 0; i < o->frames; i++) {
		const struct backtrace_frame *f = &o->frame[i];

		lines_add(out, "  #%-2u %s", i, place(o->machine, f->pc, f->place, text, sizeof text));
		if (backtrace_link_text(f, text, sizeof text))
			lines_add(out, "      %s", text);
	}
}

static void add_branch(const struct lines *out, const struct origin *o, const struct trail_branch *b)
{
	const bool maybe_more = o->branches.cut && b == o->branches.branch && o->branches.count <= TRAIL_BRANCHES;
	char from[256], to[256], kind[32], times[48] = "";

	if (b->times > 1)
		snprintf(times, sizeof times, ", %u times%s", b->times, maybe_more ? " or more" : "");
	lines_add(out, "    %s -> %s (%s%s)", place(o->machine, b->from, b->from, from, sizeof from),
		place(o->machine, b->to, b->to, to, sizeof to), trail_branch_kind(b, kind, sizeof kind), times);
}

static void add_branches(const struct lines *out, const struct origin *o, unsigned most)
{
	const struct trail_branch *b;
	const unsigned all = o->branches.count < TRAIL_BRANCHES ? (unsigned)o->branches.count : TRAIL_BRANCHES;

	if (all)
		lines_add(out, "  last branches, the latest at the end:");
	for (unsigned i = all > most ? all - most : 0; (b = trail_branch(&o->branches, i)); i++)
		add_branch(out, o, b);
}

static void add_operations(const struct lines *out, const struct origin *o)
{
	const struct trail_operation *op;
	char text[256];

	for (unsigned i = 0; o->trail && (op = trail_operation(o->trail, i)); i++) {
		if (!i)
			lines_add(out, "  last operations of the NPU, the latest at the end:");
		const char *name = npu_names_find(o->machine->npu_names, op->op.offset);

		npu_text(&op->op, text, sizeof text);
		lines_add(out, "    job %llu, operation %u, at 0x%x: %s%s%s", (unsigned long long)op->job, op->op.index, op->op.offset, text,
			name ? "; " : "", name ? name : "");
	}
}

void origin_add_lines(const struct lines *out, const struct origin *o, unsigned branches)
{
	if (o->frames > 1)
		add_backtrace(out, o);
	add_branches(out, o, branches);
	add_operations(out, o);
}
