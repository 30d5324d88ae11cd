/* SPDX-License-Identifier: Apache-2.0 */
/* Random instruction sequences on our core and on QEMU mps3-an547, compared in every register,
 * flag, FP status, VPR, fault status and memory word; and on all our engines.
 *
 *   differential --elf GUEST.elf --image GUEST.bin [--seed N] [--insns N] [--row ID] [--units N]
 *                [--reports N] [--engines] [--no-qemu] [--counts FILE]
 * Exit: 0 equal, 1 differences, 2 usage, 77 no QEMU to compare with. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/differential/report.h"

#define BATCH_CASES 4000

enum { DIFFERENCES = 1, USAGE = 2, NO_QEMU = 77 };

struct run {
	struct gen g;
	struct compare c;
	struct buffer image;
	u64 insns, made, done; /* wanted; in cases made; in cases that have run */
	bool engines, no_qemu;
	const char *counts;
};

/* The same batch on another engine must leave the same bytes after as many cycles. */
static void check_engine(struct run *r, const struct buffer *batch, const struct board_result *first,
			 const char *name, struct board_options options)
{
	struct board_result other;

	board_run(r->image.data, r->image.bytes, batch->data, batch->bytes, &options, &other);
	if (other.problem || other.bytes != first->bytes || memcmp(other.data, first->data, other.bytes) ||
	    other.cycles != first->cycles || other.insns != first->insns) {
		u64 at = 0, at_other = 0;
		const struct case_out *a, *b = NULL;
		r->c.bad++;
		printf("--- engine %s: %s; cycles %llu and %llu, instructions %llu and %llu\n", name,
		       other.problem ? other.problem : "not as the first",
		       (unsigned long long)other.cycles, (unsigned long long)first->cycles,
		       (unsigned long long)other.insns, (unsigned long long)first->insns);
		while ((a = result_next(first->data, first->bytes, &at)) &&
		       (b = result_next(other.data, other.bytes, &at_other)) && result_equal(a, b))
			;
		if (a && b)
			printf("    first at case %u\n", a->id);
	}
	free(other.data);
}

static void check_engines(struct run *r, const struct buffer *batch, const struct board_result *first)
{
	struct board_options o = r->c.options;

	o.engine = CPU_ENGINE_SWITCH;
	check_engine(r, batch, first, "switch", o);
	o.engine = CPU_ENGINE_STEP;
	check_engine(r, batch, first, "step", o);
	o.engine = CPU_ENGINE_TAIL;
	o.traced = true;
	check_engine(r, batch, first, "tail, traced", o);
	o.traced = false;
	o.slice = 6000 * 37;
	check_engine(r, batch, first, "tail, in slices", o);
}

static void compare_results(struct run *r, const struct board_result *ours, const struct buffer *theirs)
{
	u64 at_ours = 0, at_theirs = 0;
	struct difference cases[BATCH_CASES];
	u32 bad = 0;

	for (;;) {
		const struct case_out *a = result_next(ours->data, ours->bytes, &at_ours);
		const struct case_out *b = result_next(theirs->data, theirs->bytes, &at_theirs);
		if (!a != !b) {
			printf("--- one side has fewer results\n");
			r->c.bad++;
		}
		if (!a || !b)
			break;
		if (!result_equal(a, b))
			cases[bad++] = (struct difference){a, b};
	}
	if (bad)
		report_differences(&r->c, cases, bad);
}

/* The cases of a seed, as long as instructions are wanted; none: an empty buffer. */
static struct buffer make_batch(struct run *r, u64 seed)
{
	struct buffer batch = {0};
	struct gen_case *g = malloc(sizeof(*g));

	if (r->made < r->insns)
		batch_begin(&batch, seed);
	for (u32 id = 0; id < BATCH_CASES && r->made < r->insns; id++) {
		gen_make(&r->g, seed, id, g);
		batch_add(&batch, g, g->units);
		gen_count(&r->g, g);
		r->made += g->insns;
	}
	free(g);
	return batch;
}

/* Runs a batch on both sides and returns the next one, which is made meanwhile. */
static struct buffer one_batch(struct run *r, const struct buffer *batch, u64 seed)
{
	const u64 insns = r->made;
	struct buffer theirs = {0}, next;
	struct board_result ours;
	struct qemu *q = NULL;

	r->c.seed = seed;
	if (!r->no_qemu)
		q = qemu_start(r->c.elf, batch);
	board_run(r->image.data, r->image.bytes, batch->data, batch->bytes, &r->c.options, &ours);
	next = make_batch(r, seed + 1);
	if (ours.problem) {
		printf("--- our side, seed %llu: %s\n", (unsigned long long)seed, ours.problem);
		r->c.bad++;
	}
	if (!r->no_qemu && (!q || !qemu_finish(q, &theirs))) {
		printf("--- QEMU failed, seed %llu\n", (unsigned long long)seed);
		r->c.bad++;
	} else if (q) {
		compare_results(r, &ours, &theirs);
	}
	if (r->engines)
		check_engines(r, batch, &ours);
	r->done = insns;
	free(ours.data);
	buffer_free(&theirs);
	return next;
}

/* Batches of rising seeds until as many instructions as wanted have run. */
static void run_batches(struct run *r, u64 seed)
{
	struct buffer batch = make_batch(r, seed);

	for (unsigned batches = 1; batch.bytes; batches++) {
		struct buffer next = one_batch(r, &batch, seed++);
		buffer_free(&batch);
		batch = next;
		if (batches % 100 == 0)
			printf("next seed %llu: %llu instructions, %llu cases differ\n", (unsigned long long)seed,
			       (unsigned long long)r->done, (unsigned long long)r->c.bad);
		fflush(stdout);
	}
}

static int usage(void)
{
	fprintf(stderr, "differential --elf F --image F [--seed N] [--insns N] [--row ID] [--units N] "
			"[--reports N] [--engines] [--no-qemu] [--counts F]\n");
	return USAGE;
}

static bool choose_row(struct run *r, const char *id)
{
	for (unsigned i = 0; i < insn_row_count; i++)
		if (!strcmp(insn_rows[i].id, id))
			r->g.only = &insn_rows[i];
	return r->g.only != NULL;
}

/* Rows never generated, rows with differences, and a file with all counts. */
static void print_counts(struct run *r)
{
	unsigned missing = 0;
	FILE *f = r->counts ? fopen(r->counts, "w") : NULL;

	for (unsigned i = 0; i < insn_row_count; i++) {
		const struct insn_row *row = &insn_rows[i];
		if (f)
			fprintf(f, "%s %llu\n", row->id, (unsigned long long)r->g.row_count[i]);
		if (r->c.row_bad[i])
			printf("%-24s %llu cases differ\n", row->id, (unsigned long long)r->c.row_bad[i]);
		if (!r->g.row_count[i] && !gen_excluded(row) && row->feature != FEAT_PACBTI && !r->g.only) {
			printf("%-24s never generated\n", row->id);
			missing++;
		}
	}
	if (f)
		fclose(f);
	if (missing && r->insns >= 1000000)
		r->c.bad += missing;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"elf", 1, 0, 'e'}, {"image", 1, 0, 'i'}, {"seed", 1, 0, 's'}, {"insns", 1, 0, 'n'},
		{"row", 1, 0, 'r'}, {"units", 1, 0, 'u'}, {"reports", 1, 0, 'p'}, {"engines", 0, 0, 'g'},
		{"no-qemu", 0, 0, 'q'}, {"counts", 1, 0, 'c'}, {0},
	};
	struct run r = {.insns = 100000, .g.units = 20, .c = {.max_reports = 20}};
	const char *row = NULL, *image = NULL;
	u64 seed = 1;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (opt) {
		case 'e': r.c.elf = optarg; break;
		case 'i': image = optarg; break;
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'n': r.insns = strtoull(optarg, NULL, 0); break;
		case 'r': row = optarg; break;
		case 'u': r.g.units = (unsigned)atoi(optarg); break;
		case 'p': r.c.max_reports = (unsigned)atoi(optarg); break;
		case 'g': r.engines = true; break;
		case 'q': r.no_qemu = true; break;
		case 'c': r.counts = optarg; break;
		default: return usage();
		}
	}
	if (!image || !r.c.elf || !buffer_load(&r.image, image) || !gen_init(&r.g))
		return usage();
	if (row && !choose_row(&r, row))
		return usage();
	if (!r.no_qemu && system("qemu-system-arm --version >/dev/null 2>&1") != 0) {
		printf("there is no qemu-system-arm to compare with\n");
		return NO_QEMU;
	}
	r.c.g = &r.g;
	r.c.image = r.image.data;
	r.c.image_bytes = r.image.bytes;
	r.c.row_bad = calloc(insn_row_count, sizeof(u64));
	run_batches(&r, seed);
	print_counts(&r);
	for (const struct deviation_count *d = r.c.reasons; d < r.c.reasons + MAX_REASONS && d->reason; d++)
		printf("%8llu cases: %s\n", (unsigned long long)d->cases, d->reason);
	printf("%llu instructions in sequences%s, %llu cases differ, %llu by known deviations of QEMU\n",
	       (unsigned long long)r.done, r.no_qemu ? " (no QEMU)" : "", (unsigned long long)r.c.bad,
	       (unsigned long long)r.c.deviations);
	gen_free(&r.g);
	free(r.c.row_bad);
	buffer_free(&r.image);
	return r.c.bad ? DIFFERENCES : 0;
}
