/* SPDX-License-Identifier: Apache-2.0 */
/* Counts which operations follow each other in real programs and writes the lists of sequences
 * worth a handler of their own: FUSED (cpu/engine/fused.def) and IT (fused_it.def).
 *
 *     profile SEQUENCES IT_BLOCKS LIMIT FUSED IT program.elf[,FILE@ADDRESS]...
 *
 * Each program runs for at most LIMIT instructions and weighs the same. Programs behind "--" are
 * not learnt from, only measured: how many instructions a handler executes on average. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sequences.h"
#include "sim/machine.h"
#include "sim/run.h"

#define BUCKETS (1u << 16)
#define RUNS_MAX (1u << 18)
/* Weight of code that no program here has, beside the weight of those that are here. */
#define UNSEEN 0.5

struct it_sequence { u32 key[3], same; double weight; u64 count; };

/* An executed instruction; op OP_udf: cannot be part of a sequence. */
struct past { struct fuse_at at; struct slot slot; };

struct profile {
	struct machine *machine;
	struct insn_set *set;
	GHashTable *by_place; /* of this program: start and length of a run -> its number + 1 */
	struct straight_run *runs;
	u32 run_count, program_first;
	struct past run[RUN_MOST];
	u32 run_start, run_length, next_pc;
	struct it_sequence *it_blocks;
	unsigned it_left, it_state, it_count;
	u32 it_key[2];
	struct past it_first;
	u64 executed, limit;
};

static struct past past_of(struct profile *p, const struct cpu_trace_record *r, bool in_it)
{
	const struct insn_row *row = insn_find(p->set, r->encoding, r->length, in_it);
	struct insn_at at = { r->pc, r->length, in_it };
	struct past x = { .at = { .op = OP_udf } };
	struct fields f;

	/* POP with PC needs all host registers by itself: fused it would save some. */
	if (!row || row->op == OP_it || row->op == OP_pop_pc || op_infos[row->op].kind == KIND_SYS)
		return x;
	insn_fields(insn_pattern_of(p->set, row), r->encoding, &f);
	row->form(&x.slot, &f, &at);
	x.at.op = row->op;
	x.at.length = r->length;
	return x;
}

static void count_it(struct it_sequence *table, u32 a, u32 b, u32 c, u32 same)
{
	u32 h = (a * 0x9e3779b1u ^ b * 0x85ebca6bu ^ c * 0xc2b2ae35u ^ same * 0x27d4eb2fu) >> 8 & (BUCKETS - 1);

	while (table[h].key[0] && (table[h].key[0] != a || table[h].key[1] != b || table[h].key[2] != c ||
				   table[h].same != same))
		h = (h + 1) & (BUCKETS - 1);
	table[h].key[0] = a;
	table[h].key[1] = b;
	table[h].key[2] = c;
	table[h].same = same;
	table[h].count++;
}

/* Follows an IT block: counts it when it is short and all its operations have a masked form. */
static void in_it_block(struct profile *p, const struct cpu_trace_record *r)
{
	struct past now = past_of(p, r, true);
	unsigned n = p->it_count++;

	if (n >= 2 || op_infos[now.at.op].kind != KIND_ALUA) {
		p->it_count = 9;
		return;
	}
	/* The condition of the second instruction differs from the first in its lowest bit for "else". */
	unsigned otherwise = n && (p->it_state >> 3 & 1) != (p->it_state >> 4 & 1);
	p->it_key[n] = (u32)now.at.op << 4 | (u32)now.at.length << 1 | otherwise;
	if (p->it_left == 1)
		count_it(p->it_blocks, (p->it_state >> 4) + 1, p->it_key[0], n ? p->it_key[1] : 0,
			 n && op_infos[p->it_first.at.op].uses & W_A ? fused_same(now.at.op, &now.slot, p->it_first.slot.a) : 0);
	p->it_first = now;
}

/* The run so far has ended: counts it. */
static void end_run(struct profile *p)
{
	gpointer place = GSIZE_TO_POINTER((gsize)p->run_start << 6 ^ p->run_length);
	u32 n = p->run_length, known = GPOINTER_TO_UINT(g_hash_table_lookup(p->by_place, place));

	p->run_length = 0;
	if (!n || (!known && p->run_count == RUNS_MAX))
		return;
	if (!known) {
		struct straight_run *x = &p->runs[p->run_count++];
		x->n = n;
		for (u32 k = 0; k < n; k++) {
			x->at[k] = p->run[k].at;
			x->at[k].slot = g_memdup2(&p->run[k].slot, sizeof(struct slot)); /* for the process's life */
		}
		known = p->run_count;
		g_hash_table_insert(p->by_place, place, GUINT_TO_POINTER(known));
	}
	p->runs[known - 1].weight++;
}

static void executed(void *ctx, const struct cpu_trace_record *r)
{
	struct profile *p = ctx;

	if (++p->executed == p->limit)
		machine_stop(p->machine, STOP_CYCLE_LIMIT);
	if (r->pc != p->next_pc || p->run_length == RUN_MOST)
		end_run(p);
	p->next_pc = r->pc + r->length;
	if (p->it_left) {
		in_it_block(p, r);
		p->it_left--;
		return;
	}
	if (r->length == 2 && r->encoding >> 8 == 0xbf && r->encoding & 15) {
		p->it_left = 4 - (unsigned)__builtin_ctz(r->encoding & 15);
		p->it_state = r->encoding & 0xff;
		p->it_count = 0;
	}
	struct past now = past_of(p, r, false);
	if (now.at.op == OP_udf) {
		end_run(p);
		return;
	}
	if (!p->run_length)
		p->run_start = r->pc;
	p->run[p->run_length++] = now;
	if (!fused_may_continue(now.at.op))
		end_run(p);
}

static void weigh(struct profile *p)
{
	double all = p->executed ? (double)p->executed : 1;

	end_run(p);
	for (u32 i = p->program_first; i < p->run_count; i++)
		p->runs[i].weight /= all;
	for (u32 i = 0; i < BUCKETS; i++) {
		p->it_blocks[i].weight += (double)p->it_blocks[i].count / all;
		p->it_blocks[i].count = 0;
	}
}

/* Loads "program.elf,FILE@ADDRESS,...". */
static bool load_program(struct machine *m, const char *what, char *why, size_t why_size)
{
	g_auto(GStrv) part = g_strsplit(what, ",", -1);

	for (unsigned i = 1; part[i]; i++) {
		char *at = strrchr(part[i], '@');
		g_autofree char *bytes = NULL;
		gsize size;
		if (!at)
			return false;
		*at = 0;
		if (!g_file_get_contents(part[i], &bytes, &size, NULL) ||
		    !machine_load_data(m, part[i], (u32)strtoul(at + 1, NULL, 0), bytes, size, why, why_size))
			return false;
	}
	return !machine_load_image(m, part[0], why, why_size);
}

static bool run(struct profile *p, const char *program)
{
	g_autofree struct run_config *config = g_new0(struct run_config, 1);
	char why[512] = "cannot be loaded";

	machine_config_init(&config->machine, board_find("corstone-300"));
	config->machine.semihosting.enable = true;
	if (machine_new(&p->machine, &config->machine, NULL, why, sizeof(why)) || !load_program(p->machine, program, why, sizeof(why))) {
		fprintf(stderr, "%s: %s\n", program, why);
		return false;
	}
	machine_start(p->machine);
	cpu_set_trace(p->machine->cpu, executed, p);
	p->executed = 0;
	p->program_first = p->run_count;
	p->by_place = g_hash_table_new(NULL, NULL);
	machine_run(p->machine, &config->limits, false);
	weigh(p);
	g_hash_table_destroy(p->by_place);
	machine_free(p->machine);
	return true;
}

static void print_sequences(FILE *to, const struct chosen *chosen, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct fused *x = &chosen[i].sequence;
		fprintf(to, "F%u(", x->count);
		for (unsigned k = 0; k < x->count; k++)
			fprintf(to, "%s, %u, ", op_infos[x->op[k]].name, x->length[k]);
		fprintf(to, "%u) /* %.2f %% */\n", x->same, chosen[i].gain * 100);
	}
}

static int heavier(const void *a, const void *b)
{
	double x = ((const struct it_sequence *)a)->weight, y = ((const struct it_sequence *)b)->weight;
	return x < y ? 1 : x > y ? -1 : memcmp(a, b, sizeof(u32) * 4);
}

static void print_it(FILE *to, struct it_sequence *table, unsigned most)
{
	qsort(table, BUCKETS, sizeof(*table), heavier);
	for (unsigned i = 0; i < most && table[i].weight > 0; i++) {
		const u32 *key = table[i].key;
		fprintf(to, "IT%d(%u", key[2] ? 2 : 1, key[0] - 1);
		for (unsigned k = 1; k < 3 && key[k]; k++)
			fprintf(to, ", %s, %u, %u", op_infos[key[k] >> 4].name, key[k] >> 1 & 7, key[k] & 1);
		if (key[2])
			fprintf(to, ", %u", table[i].same);
		fprintf(to, ") /* %.2f %% */\n", table[i].weight * 100);
	}
}

static FILE *list_file(const char *path, unsigned programs, const char *share_of)
{
	FILE *f = fopen(path, "w");

	if (f)
		fprintf(f, "/* SPDX-License-Identifier: Apache-2.0 */\n"
			   "/* Sequences with a handler of their own, made by tests/bench/profile (%s,\n"
			   " * in percent, summed over %u programs). Do not edit. */\n", share_of, programs);
	else
		perror(path);
	return f;
}

/* Prints how many instructions a handler executes with the chosen sequences, by program. */
static void print_density(const struct profile *p, const char *name, u32 first, const struct fused *list, unsigned count)
{
	double insns = 0, handlers = handlers_needed(p->runs + first, p->run_count - first, list, count);

	for (u32 i = first; i < p->run_count; i++)
		insns += p->runs[i].weight * p->runs[i].n;
	printf("%-60s %.2f instructions a handler\n", name, insns / handlers);
}

int main(int argc, char **argv)
{
	struct profile p = { .set = insn_set_new(~0u) };
	struct chosen *chosen;
	int learnt = 6;
	u32 first[256] = { 0 };

	p.it_blocks = g_new0(struct it_sequence, BUCKETS);
	p.runs = g_new0(struct straight_run, RUNS_MAX);
	if (argc < 7 || argc > 250 || !p.set)
		return 2;
	p.limit = strtoull(argv[3], NULL, 0);
	for (; learnt < argc && strcmp(argv[learnt], "--") != 0; learnt++) {
		first[learnt] = p.run_count;
		if (!run(&p, argv[learnt]))
			return 1;
	}
	double programs = learnt - 6;
	u32 with_unseen = add_unseen_pairs(p.runs, p.run_count, RUNS_MAX, programs * UNSEEN);
	unsigned count = choose_sequences(p.runs, with_unseen, (unsigned)atoi(argv[1]), &chosen);
	struct fused *list = g_new0(struct fused, count);
	for (unsigned i = 0; i < count; i++)
		list[i] = chosen[i].sequence;
	FILE *fused_file = list_file(argv[4], (unsigned)learnt - 6, "handlers saved, of all instructions");
	FILE *it_file = list_file(argv[5], (unsigned)learnt - 6, "shares of all instructions");
	if (!fused_file || !it_file)
		return 1;
	print_sequences(fused_file, chosen, count);
	print_it(it_file, p.it_blocks, (unsigned)atoi(argv[2]));
	if (fclose(fused_file) || fclose(it_file))
		return 1;
	for (int i = learnt + 1; i < argc; i++) {
		first[i] = p.run_count;
		if (!run(&p, argv[i]))
			return 1;
	}
	for (int i = argc - 1; i >= 6; i--)
		if (i != learnt) {
			print_density(&p, argv[i], first[i], list, count);
			p.run_count = first[i];
		}
	return 0;
}
