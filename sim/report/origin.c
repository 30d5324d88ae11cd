/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/origin.h"
#include "sim/network/npu_names.h"
#include "sim/trace/npu_text.h"

#include <stdio.h>

bool origin_is_own_end(const struct machine *m)
{
	return m->stop == STOP_EXIT || m->stop == STOP_EOT || m->stop == STOP_TAG;
}

bool origin_is_wanted(const struct machine *m)
{
	struct cpu_fault_info fault;

	cpu_fault_info(m->cpu, &fault);
	return !origin_is_own_end(m) || (fault.valid && m->guest_status);
}

void origin_find(struct origin *o, struct machine *m, struct trail *trail)
{
	*o = (struct origin){ .machine = m, .trail = trail };
	o->frames = backtrace(m, o->frame, BACKTRACE_MOST);
	if (trail && trail->kept)
		trail_last_branches(&trail->history, &o->branches);
}

static void report_place(struct json *j, const char *key, struct machine *m, u32 addr)
{
	char where[160];

	machine_describe(m, addr, where, sizeof where);
	json_string(j, key, where);
}

static void report_frame(struct json *j, struct machine *m, const struct backtrace_frame *f)
{
	char text[64];

	json_object(j, NULL);
	json_u64(j, "pc", f->pc);
	report_place(j, "place", m, f->place);
	json_string(j, "state", f->secure ? "secure" : "nonsecure");
	if (f->exception)
		json_string(j, "exception", backtrace_exception(f->exception, text, sizeof text));
	if (backtrace_link_text(f, text, sizeof text))
		json_string(j, "then", text);
	json_close(j, '}');
}

static void report_branch(struct json *j, struct machine *m, const struct trail_branch *b)
{
	char kind[32];

	json_object(j, NULL);
	json_string(j, "kind", trail_branch_kind(b, kind, sizeof kind));
	json_u64(j, "from", b->from);
	report_place(j, "from_place", m, b->from);
	json_u64(j, "to", b->to);
	report_place(j, "to_place", m, b->to);
	json_string(j, "state", b->secure ? "secure" : "nonsecure");
	json_u64(j, "times", b->times);
	json_close(j, '}');
}

static void report_operation(struct json *j, const struct trail_operation *op, const struct npu_names *names)
{
	const char *name = npu_names_find(names, op->op.offset);
	char text[256];

	npu_text(&op->op, text, sizeof text);
	json_object(j, NULL);
	json_u64(j, "job", op->job);
	json_u64(j, "operation", op->op.index);
	json_u64(j, "offset", op->op.offset);
	json_string(j, "text", text);
	if (name)
		json_string(j, "source", name);
	json_u64(j, "cycles", op->cost.cycles);
	json_close(j, '}');
}

void origin_report(const struct origin *o, struct json *j)
{
	const struct trail_operation *op;
	const struct trail_branch *b;

	json_array(j, "backtrace");
	for (unsigned i = 0; i < o->frames; i++)
		report_frame(j, o->machine, &o->frame[i]);
	json_close(j, ']');
	json_array(j, "branches");
	for (unsigned i = 0; (b = trail_branch(&o->branches, i)); i++)
		report_branch(j, o->machine, b);
	json_close(j, ']');
	json_array(j, "npu_operations");
	for (unsigned i = 0; o->trail && (op = trail_operation(o->trail, i)); i++)
		report_operation(j, op, o->machine->npu_names);
	json_close(j, ']');
}
