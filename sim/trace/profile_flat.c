/* SPDX-License-Identifier: Apache-2.0 */
/* The table for the terminal: a line a function. */
#include "sim/accuracy.h"
#include "sim/params/message.h"
#include "sim/trace/profile_functions.h"
#include "sim/trace/symbols.h"

#include <inttypes.h>
#include <stdio.h>

enum { LINES = 40, LONGEST_NAME = 1024 };

static void print(const struct machine *m, const struct profile_functions *t, FILE *f)
{
	const u64 sum = profile_cost_all(&t->sum);
	char text[16], shown[LONGEST_NAME];

	fprintf(f, "%16s %6s %6s %16s %12s %12s %14s %10s  %s\n", "cycles", "self", "all", "instructions", "branches", "stalls", "NPU wait", "calls",
		"function");
	for (u32 i = 0; i < t->count && i < LINES; i++) {
		const struct profile_function *r = &t->list[i];
		const double self = sum ? 100.0 * (double)profile_cost_all(&r->self) / (double)sum : 0, all = sum ? 100.0 * (double)r->all / (double)sum : 0;

		message_escape(shown, sizeof shown, symbols_name(m, r->function, text, sizeof text));
		fprintf(f, "%16" PRIu64 " %5.1f%% %5.1f%% %16" PRIu64 " %12" PRIu64 " %12" PRIu64 " %14" PRIu64 " %10" PRIu64 "  %s\n",
			profile_cost_all(&r->self), self, all, r->self.instructions, r->self.branches, r->self.stalls, r->self.npu, r->calls, shown);
	}
	if (t->count > LINES)
		fprintf(f, "%16s and %u functions more\n", "", t->count - LINES);
	fprintf(f, "%16" PRIu64 " %13s %16" PRIu64 " %12" PRIu64 " %12" PRIu64 " %14" PRIu64 " %10s  all; %" PRIu64 " cycles asleep without the NPU; %s\n", sum, "",
		t->sum.instructions, t->sum.branches, t->sum.stalls, t->sum.npu, "", t->sum.idle, accuracy_of_cpu(m->config.cpu.timing));
}

bool profile_write_flat(const struct profile *p, FILE *f, char *why, size_t why_size)
{
	struct profile_functions functions;

	if (!profile_functions_of(p, &functions, why, why_size))
		return false;
	print(profile_machine(p), &functions, f);
	profile_functions_free(&functions);
	return true;
}
