/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/origin_print.h"
#include "sim/network/npu_names.h"
#include "sim/params/message.h"
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

static void print_backtrace(const struct origin *o)
{
	char text[256];

	message("fvp-sim:   backtrace:\n");
	for (unsigned i = 0; i < o->frames; i++) {
		const struct backtrace_frame *f = &o->frame[i];

		message("fvp-sim:   #%-2u %s\n", i, place(o->machine, f->pc, f->place, text, sizeof text));
		if (backtrace_link_text(f, text, sizeof text))
			message("fvp-sim:       %s\n", text);
	}
}

static void print_branch(const struct origin *o, const struct trail_branch *b)
{
	const bool maybe_more = o->branches.cut && b == o->branches.branch && o->branches.count <= TRAIL_BRANCHES;
	char from[256], to[256], kind[32], times[48] = "";

	if (b->times > 1)
		snprintf(times, sizeof times, ", %u times%s", b->times, maybe_more ? " or more" : "");
	message("fvp-sim:     %s -> %s (%s%s)\n", place(o->machine, b->from, b->from, from, sizeof from),
		place(o->machine, b->to, b->to, to, sizeof to), trail_branch_kind(b, kind, sizeof kind), times);
}

static void print_branches(const struct origin *o, unsigned most)
{
	const struct trail_branch *b;
	const unsigned all = o->branches.count < TRAIL_BRANCHES ? (unsigned)o->branches.count : TRAIL_BRANCHES;

	if (all)
		message("fvp-sim:   last branches, the latest at the end:\n");
	for (unsigned i = all > most ? all - most : 0; (b = trail_branch(&o->branches, i)); i++)
		print_branch(o, b);
}

static void print_operations(const struct origin *o)
{
	const struct trail_operation *op;
	char text[256];

	for (unsigned i = 0; o->trail && (op = trail_operation(o->trail, i)); i++) {
		if (!i)
			message("fvp-sim:   last operations of the NPU, the latest at the end:\n");
		const char *name = npu_names_find(o->machine->npu_names, op->op.offset);

		npu_text(&op->op, text, sizeof text);
		message("fvp-sim:     job %llu, operation %u, at 0x%x: %s%s%s\n", (unsigned long long)op->job, op->op.index, op->op.offset, text,
			name ? "; " : "", name ? name : "");
	}
}

void origin_print(const struct origin *o, unsigned branches)
{
	if (o->frames > 1)
		print_backtrace(o);
	print_branches(o, branches);
	print_operations(o);
}
