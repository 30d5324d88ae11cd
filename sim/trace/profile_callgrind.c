/* SPDX-License-Identifier: Apache-2.0 */
/* Callgrind's format, version 1 (valgrind's manual, "Callgrind Format Specification"), for KCachegrind and
 * callgrind_annotate: costs by line, code inlined from other files under its own file's name, and calls with what
 * they cost inclusively. */
#include "sim/accuracy.h"
#include "sim/trace/profile_places.h"
#include "sim/trace/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct call { u32 caller, site, callee; u64 count; struct profile_cost cost; };

static void print_costs(FILE *f, int line, const struct profile_cost *c)
{
	fprintf(f, "%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", line, c->cycles, c->instructions, c->branches,
		c->stalls, c->npu, c->idle);
}

/* Where a function begins; "???" when unknown. */
static const char *file_of(struct machine *m, u32 function, int *line)
{
	const char *file = "???";

	*line = 0;
	symbols_line(m, function, &file, line);
	return file;
}

static int by_caller(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

/* One entry for each pair of call site and callee, sorted. `inclusive`: by context. */
static u32 calls_of(const struct calls *k, const struct profile_cost *inclusive, struct call *out)
{
	u32 n = 0, merged = 0;

	for (u32 i = 1; i < k->count; i++)
		if (k->context[i].parent)
			out[n++] = (struct call){ k->context[k->context[i].parent].function, k->context[i].site, k->context[i].function,
						  k->context[i].calls, inclusive[i] };
	if (!n)
		return 0;
	qsort(out, n, sizeof *out, by_caller);
	for (u32 i = 1; i < n; i++)
		if (by_caller(&out[merged], &out[i]) == 0) {
			out[merged].count += out[i].count;
			profile_cost_add(&out[merged].cost, &out[i].cost);
		} else {
			out[++merged] = out[i];
		}
	return merged + 1;
}

static void print_calls(struct machine *m, FILE *f, const struct call *c, u32 count, u32 function)
{
	char text[16];
	int line, at;

	for (u32 i = 0; i < count; i++) {
		if (c[i].caller != function)
			continue;
		const char *file = file_of(m, c[i].callee, &line), *from;

		at = 0;
		symbols_line(m, c[i].site, &from, &at);
		fprintf(f, "cfi=%s\ncfn=%s\ncalls=%" PRIu64 " %d\n", file, symbols_name(m, c[i].callee, text, sizeof text), c[i].count, line);
		print_costs(f, at, &c[i].cost);
	}
}

/* The instructions of one function, which lie together; returns the index after them. */
static u32 print_function(struct machine *m, FILE *f, const struct profile_place *place, u32 first, u32 count, const struct call *calls, u32 call_count)
{
	const u32 function = symbols_function(m, place[first].pc);
	struct profile_cost sum = { 0 };
	const char *file, *in, *name;
	char text[16];
	int line, at = -1;
	u32 i = first;

	file = in = file_of(m, function, &line);
	name = symbols_name(m, function, text, sizeof text);
	fprintf(f, "\nfl=%s\nfn=%s\n", file, name);
	for (; i < count && symbols_function(m, place[i].pc) == function; i++) {
		const char *here = file;
		int now = 0;

		symbols_line(m, place[i].pc, &here, &now);
		if (at >= 0 && (now != at || strcmp(here, in) != 0)) {
			print_costs(f, at, &sum);
			sum = (struct profile_cost){ 0 };
		}
		if (strcmp(here, in) != 0)
			fprintf(f, "%s=%s\n", strcmp(here, file) ? "fi" : "fe", here);
		in = here;
		at = now;
		profile_cost_add(&sum, &place[i].cost);
	}
	print_costs(f, at, &sum);
	if (strcmp(in, file) != 0)
		fprintf(f, "fe=%s\n", file);
	print_calls(m, f, calls, call_count, function);
	return i;
}

static void collect(void *ctx, u32 context, u32 pc, const struct profile_cost *c)
{
	profile_cost_add((struct profile_cost *)ctx + context, c);
}

bool profile_write_callgrind(const struct profile *p, FILE *f, char *why, size_t why_size)
{
	const struct calls *k = profile_calls(p);
	struct profile_cost *inclusive = calloc(k->count, sizeof *inclusive), sum = { 0 };
	struct call *calls = calloc(k->count, sizeof *calls);
	struct machine *m = profile_machine(p);
	u32 count, call_count;
	struct profile_place *place = profile_places(p, false, &count);
	const bool ok = inclusive && calls && place;

	if (ok) {
		profile_each(p, collect, inclusive);
		for (u32 i = k->count; i-- > 1;)
			if (k->context[i].parent)
				profile_cost_add(&inclusive[k->context[i].parent], &inclusive[i]);
		call_count = calls_of(k, inclusive, calls);
		for (u32 i = 0; i < count; i++)
			profile_cost_add(&sum, &place[i].cost);
		fprintf(f, "# callgrind format\nversion: 1\ncreator: fvp-sim\ndesc: Cycles: %s\npositions: line\n"
			"events: Cycles Instructions Branches Stalls NpuWait Idle\n"
			"summary: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", accuracy_of_cpu(m->config.cpu.timing),
			sum.cycles, sum.instructions, sum.branches, sum.stalls, sum.npu, sum.idle);
		for (u32 i = 0; i < count;)
			i = print_function(m, f, place, i, count, calls, call_count);
	} else {
		snprintf(why, why_size, "host memory is short");
	}
	free(inclusive);
	free(calls);
	free(place);
	return ok;
}
