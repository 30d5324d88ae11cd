/* SPDX-License-Identifier: Apache-2.0 */
/* Counts which operations follow each other in real programs and writes the lists of sequences
 * worth a handler of their own: FUSED (cpu/engine/fused.def) and IT (fused_it.def).
 *
 *     profile [--add] SEQUENCES IT_BLOCKS LIMIT FUSED IT [BOARD:]program.elf[,FILE@ADDRESS]...
 *
 * BOARD is corstone-300 where none is named; its accelerator is the board's usual one.
 * Each program runs for at most LIMIT instructions and weighs the same. Programs behind "--" are
 * not learnt from, only measured: how many instructions a handler executes on average.
 * With --add the lists that FUSED and IT hold stay as they are and get what they do not have: IT_BLOCKS at most,
 * and those of the best SEQUENCES of these programs that save a share worth a handler. */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "sim/machine.h"
#include "sim/run.h"

#define RUNS_MAX (1u << 18)
/* Weight of code that no program here has, beside the weight of those that are here. */
#define UNSEEN 0.5
/* Least gain of a sequence that is added to a list, summed over the programs as the list has it. */
#define WORTH 0.004

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
	struct lists lists;
	struct fused_it it; /* the IT block being executed */
	unsigned it_left, it_state;
	bool it_valid;
	struct past it_past[FUSED_IT_LEN];
	struct fuse_at it_at[FUSED_IT_LEN];
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

/* An IT: collects what follows. */
static void begin_it_block(struct profile *p, const struct cpu_trace_record *r)
{
	p->it_left = 4 - (unsigned)__builtin_ctz(r->encoding & 15);
	p->it_state = r->encoding & 0xff;
	p->it_valid = true;
	memset(&p->it, 0, sizeof(p->it));
	p->it.cond = (u8)(p->it_state >> 4);
	if (!p->run_length)
		p->run_start = r->pc;
}

/* Follows an IT block: at its end it is part of the run when all its operations have a masked form. */
static void in_it_block(struct profile *p, const struct cpu_trace_record *r)
{
	unsigned n = p->it.count++;
	struct past *now = &p->it_past[n];

	*now = past_of(p, r, true);
	p->it_at[n] = now->at;
	p->it_at[n].slot = &now->slot;
	p->it.op[n] = now->at.op;
	p->it.length[n] = r->length;
	/* The condition of a later instruction differs from the first in its lowest bit for "else". */
	p->it.otherwise[n] = n && (p->it_state >> (4 - n) & 1) != (p->it_state >> 4 & 1);
	p->it_valid &= op_infos[now->at.op].kind == KIND_ALUA;
	if (--p->it_left)
		return;
	if (!p->it_valid) {
		end_run(p);
		return;
	}
	p->it.same = fused_same_all(p->it_at, p->it.count);
	u32 number = lists_it_number(p->lists.table, &p->it);
	p->lists.table[number].count++;
	p->run[p->run_length++] = (struct past){
		.at = { .op = (u16)(OP_COUNT + number), .length = (u8)fused_it_length(&p->it) } };
}

static void executed(void *ctx, const struct cpu_trace_record *r)
{
	struct profile *p = ctx;

	if (++p->executed == p->limit)
		machine_stop(p->machine, STOP_CYCLE_LIMIT);
	if (r->pc != p->next_pc || (p->run_length == RUN_MOST && !p->it_left)) {
		end_run(p);
		p->it_left = 0;
	}
	p->next_pc = r->pc + r->length;
	if (p->it_left) {
		in_it_block(p, r);
		return;
	}
	if (r->length == 2 && r->encoding >> 8 == 0xbf && r->encoding & 15) {
		begin_it_block(p, r);
		return;
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
		p->lists.table[i].weight += (double)p->lists.table[i].count / all;
		p->lists.table[i].count = 0;
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

/* The board that `*program` names, which then is what stands behind the name. */
static const struct board *board_named(const char **program)
{
	const char *colon = strchr(*program, ':');
	g_autofree char *name = colon ? g_strndup(*program, (gsize)(colon - *program)) : NULL;
	const struct board *board = name ? board_find(name) : NULL;

	if (board)
		*program = colon + 1;
	return board ? board : board_find("corstone-300");
}

static bool run(struct profile *p, const char *program)
{
	g_autofree struct run_config *config = g_new0(struct run_config, 1);
	char why[512] = "cannot be loaded";

	machine_config_init(&config->machine, board_named(&program));
	config->machine.semihosting.enable = true;
	config->machine.uart[0].shutdown_on_eot = true;
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

/* The `most` IT blocks of most weight, best first, by number; returns how many there are. */
static unsigned choose_it(const struct it_sequence *table, unsigned most, u32 *chosen)
{
	unsigned count = 0;

	for (u32 i = 0; i < BUCKETS; i++) {
		if (!(table[i].weight > 0))
			continue;
		unsigned k = count < most ? count++ : most;
		for (; k > 0 && table[i].weight > table[chosen[k - 1]].weight; k--)
			if (k < most)
				chosen[k] = chosen[k - 1];
		if (k < most)
			chosen[k] = i;
	}
	return count;
}

/* IT blocks without a handler cannot be part of a sequence. */
static void drop_it(struct profile *p)
{
	g_autofree bool *kept = g_new0(bool, BUCKETS);

	for (unsigned i = 0; i < p->lists.it->len; i++)
		kept[g_array_index(p->lists.it, struct listed_it, i).number] = true;
	for (u32 i = 0; i < p->run_count; i++)
		for (unsigned k = 0; k < p->runs[i].n; k++) {
			struct fuse_at *at = &p->runs[i].at[k];
			if (at->op >= OP_COUNT && !kept[at->op - OP_COUNT])
				at->op = OP_udf;
		}
}

/* The `most` best IT blocks join the list where it has not got them. */
static void list_it(struct lists *l, unsigned most)
{
	g_autofree u32 *best = g_new0(u32, most + 1);
	unsigned count = choose_it(l->table, most, best);

	for (unsigned i = 0; i < count; i++) {
		struct listed_it it = { best[i], l->table[best[i]].weight };
		if (!lists_have_it(l, best[i]))
			g_array_append_val(l->it, it);
	}
}

/* The `most` best sequences join the list where it has not got them and they save `least`. */
static void list_sequences(struct profile *p, unsigned most, double programs, double least)
{
	u32 with_unseen = add_unseen_pairs(p->runs, p->run_count, RUNS_MAX, programs * UNSEEN);
	struct chosen *best;
	unsigned count = choose_sequences(p->runs, with_unseen, most, &best);

	for (unsigned i = 0; i < count; i++)
		if (best[i].gain >= least && !lists_have(&p->lists, &best[i].sequence))
			g_array_append_val(p->lists.sequences, best[i]);
	free(best);
}

static char *head(unsigned programs, const char *share_of)
{
	return g_strdup_printf("/* SPDX-License-Identifier: Apache-2.0 */\n"
			       "/* Sequences with a handler of their own, made by tests/bench/profile (%s,\n"
			       " * in percent, summed over %u programs). Do not edit. */\n", share_of, programs);
}

/* Prints how many instructions a handler executes with the listed sequences, by program. */
static void print_density(const struct profile *p, const char *name, u32 first)
{
	unsigned count = p->lists.sequences->len;
	g_autofree struct fused *list = g_new0(struct fused, count + 1);

	for (unsigned i = 0; i < count; i++)
		list[i] = g_array_index(p->lists.sequences, struct chosen, i).sequence;
	double insns = 0, handlers = handlers_needed(p->runs + first, p->run_count - first, list, count);

	for (u32 i = first; i < p->run_count; i++)
		for (unsigned k = 0; k < p->runs[i].n; k++) {
			unsigned op = p->runs[i].at[k].op;
			insns += p->runs[i].weight * (op < OP_COUNT ? 1 : 1 + p->lists.table[op - OP_COUNT].it.count);
		}
	printf("%-60s %.2f instructions a handler\n", name, insns / handlers);
}

/* Runs programs; first[i]: where the runs of program i begin. */
static bool run_all(struct profile *p, char **program, int count, u32 *first)
{
	for (int i = 0; i < count; i++) {
		first[i] = p->run_count;
		if (!run(p, program[i]))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	static struct profile p; /* with all that it holds, for the process's life */
	const bool add = argc > 1 && !strcmp(argv[1], "--add");
	char **arg = argv + 1 + add, **program = arg + 5;
	int count = argc - 6 - add, learnt = 0, measured;
	u32 first[256] = { 0 };

	p.set = insn_set_new(~0u);
	if (count < !add || count > 250 || !p.set)
		return 2;
	lists_init(&p.lists);
	p.runs = g_new0(struct straight_run, RUNS_MAX);
	p.limit = strtoull(arg[2], NULL, 0);
	if (add && !lists_read(&p.lists, arg[3], arg[4]))
		return 1;
	while (learnt < count && strcmp(program[learnt], "--") != 0)
		learnt++;
	if (!run_all(&p, program, learnt, first))
		return 1;
	if (!add) {
		p.lists.head = head((unsigned)learnt, "handlers saved, of all instructions");
		p.lists.it_head = head((unsigned)learnt, "shares of all instructions");
	}
	list_it(&p.lists, (unsigned)atoi(arg[1]));
	drop_it(&p);
	list_sequences(&p, (unsigned)atoi(arg[0]), learnt, add ? WORTH : 0);
	if (!lists_write(&p.lists, arg[3], arg[4]))
		return 1;
	measured = learnt < count ? count - learnt - 1 : 0;
	if (!run_all(&p, program + learnt + 1, measured, first + learnt))
		return 1;
	drop_it(&p);
	for (int i = learnt + measured - 1; i >= 0; i--) {
		print_density(&p, program[i < learnt ? i : i + 1], first[i]);
		p.run_count = first[i];
	}
	return 0;
}
