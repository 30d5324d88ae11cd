/* SPDX-License-Identifier: Apache-2.0 */
/* Line coverage in lcov's tracefile format (geninfo(1)): how often each line of the programs was executed, and each function
 * entered; lines that were not have 0. A line counts as often as its most frequent instruction. */
#include "sim/trace/profile_places.h"
#include "sim/trace/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row { const char *file; int line; u64 count; };
struct rows { struct row *row; u32 count, room; bool failed; };

static void add(struct rows *r, const char *file, int line, u64 count)
{
	if (r->count == r->room) {
		const u32 room = r->room ? 2 * r->room : 4096;
		struct row *more = realloc(r->row, room * sizeof *more);

		if (!more) {
			r->failed = true;
			return;
		}
		r->row = more;
		r->room = room;
	}
	r->row[r->count++] = (struct row){ file, line, count };
}

static void add_line(void *ctx, u32 addr, const char *file, int line)
{
	add(ctx, file, line, 0);
}

static int order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const int file = strcmp(x->file, y->file);

	return file ? file : x->line - y->line;
}

/* Functions of one file: where they begin and how often they were entered. */
static void print_functions(const struct profile *p, FILE *f, const char *file)
{
	struct machine *m = profile_machine(p);
	const struct calls *k = profile_calls(p);
	unsigned found = 0, hit = 0;

	for (unsigned i = 0; i < m->image_count; i++)
		for (unsigned n = 0; n < m->images[i].function_count; n++) {
			const struct image_function *fn = &m->images[i].functions[n];
			const char *in;
			u64 entered = 0;
			int line;

			if (!symbols_line(m, fn->addr, &in, &line) || strcmp(in, file) != 0)
				continue;
			for (u32 c = 1; c < k->count; c++)
				entered += k->context[c].function == fn->addr ? k->context[c].calls : 0;
			fprintf(f, "FN:%d,%s\nFNDA:%" PRIu64 ",%s\n", line, fn->name, entered, fn->name);
			found++;
			hit += entered != 0;
		}
	fprintf(f, "FNF:%u\nFNH:%u\n", found, hit);
}

static u32 print_file(const struct profile *p, FILE *f, const struct rows *r, u32 first)
{
	const char *file = r->row[first].file;
	unsigned found = 0, hit = 0;
	u32 i = first;

	fprintf(f, "TN:\nSF:%s\n", file);
	print_functions(p, f, file);
	while (i < r->count && !strcmp(r->row[i].file, file)) {
		const int line = r->row[i].line;
		u64 most = 0;

		for (; i < r->count && r->row[i].line == line && !strcmp(r->row[i].file, file); i++)
			most = r->row[i].count > most ? r->row[i].count : most;
		fprintf(f, "DA:%d,%" PRIu64 "\n", line, most);
		found++;
		hit += most != 0;
	}
	fprintf(f, "LF:%u\nLH:%u\nend_of_record\n", found, hit);
	return i;
}

bool profile_write_lcov(const struct profile *p, FILE *f, char *why, size_t why_size)
{
	struct machine *m = profile_machine(p);
	struct rows rows = { 0 };
	u32 count;
	struct profile_place *place = profile_places(p, false, &count);

	for (unsigned i = 0; i < m->image_count; i++)
		image_each_line(&m->images[i], add_line, &rows);
	for (u32 i = 0; place && i < count; i++) {
		const char *file;
		int line;

		if (place[i].cost.instructions && symbols_line(m, place[i].pc, &file, &line) && line)
			add(&rows, file, line, place[i].cost.instructions);
	}
	const bool ok = place && !rows.failed;
	if (ok && rows.count)
		qsort(rows.row, rows.count, sizeof *rows.row, order);
	for (u32 i = 0; ok && i < rows.count;)
		i = print_file(p, f, &rows, i);
	if (!ok)
		snprintf(why, why_size, "host memory is short");
	free(place);
	free(rows.row);
	return ok;
}
