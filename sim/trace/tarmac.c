/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/kind.h"
#include "sim/trace/tarmac_text.h"

static void instruction(void *ctx, const struct cpu_record *r)
{
	struct trace *t = ctx;

	if (trace_wants(&t->filter, r->pc, r->cycle, r->secure))
		tarmac_text_instruction(t->state, r, t->file);
}

static void course(void *ctx, const struct cpu_course *c)
{
	struct trace *t = ctx;

	if (c->turn == CPU_TURN_ENTRY && trace_wants(&t->filter, c->to, c->cycle, c->secure))
		tarmac_text_exception(&(struct trace_exception){ c->cycle, c->to, c->exception, c->secure }, t->file);
}

static bool begin(struct trace *t)
{
	t->state = tarmac_text_new();
	return t->state && cpu_observe(t->machine->cpu, &(struct cpu_observer){ .instruction = instruction, .course = course, .ctx = t });
}

static void end(struct trace *t)
{
	cpu_unobserve(t->machine->cpu, t);
	tarmac_text_free(t->state);
}

const struct trace_kind trace_tarmac = { "tarmac", "trace.tarmac", "every instruction as text for Arm's Tarmac tools",
	FILTER_INSTRUCTIONS | FILTER_TIME, begin, end };
