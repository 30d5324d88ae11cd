/* SPDX-License-Identifier: Apache-2.0 */
/* Counts which operations follow each other in real programs and prints the list of sequences
 * worth a handler of their own (cpu/engine/fused.def).
 *
 *     profile TRIPLES PAIRS LIMIT program.elf... > cpu/engine/fused.def
 *     profile it BLOCKS LIMIT program.elf... > cpu/engine/fused_it.def
 *
 * Each program runs for at most LIMIT instructions and weighs the same. Sequences are taken where
 * addresses follow each other outside IT blocks; the order is by weight, triples first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/engine/engine.h"
#include "cpu/insn/insn.h"
#include "sim/machine.h"
#include "sim/run.h"

#define BUCKETS (1u << 18)

struct sequence { u32 key[3]; u32 same; double weight; u64 count; };

/* An executed instruction: operation and length in one number (0: cannot be fused), operands. */
struct past { u32 key; struct slot slot; };

struct profile {
	struct machine *machine;
	struct insn_set *set;
	struct sequence *table[3]; /* pairs, triples, IT blocks of at most two register operations */
	struct past last[2];       /* the instructions before */
	u32 next_pc;
	unsigned it_left, it_state, it_count;
	u32 it_key[2];
	struct past it_first;
	u64 executed, limit;
};

static struct past past_of(struct profile *p, const struct cpu_trace_record *r, bool in_it)
{
	const struct insn_row *row = insn_find(p->set, r->encoding, r->length, in_it);
	struct insn_at at = { r->pc, r->length, in_it };
	struct past x = { 0 };
	struct fields f;

	/* POP with PC needs all host registers by itself: fused it would save some. */
	if (!row || row->op == OP_it || row->op == OP_pop_pc || op_infos[row->op].kind == KIND_SYS)
		return x;
	insn_fields(insn_pattern_of(p->set, row), r->encoding, &f);
	row->form(&x.slot, &f, &at);
	x.key = (u32)row->op << 3 | r->length;
	return x;
}

static u32 same_as(const struct past *earlier, const struct past *now)
{
	if (!(op_infos[earlier->key >> 3].uses & W_A))
		return 0;
	return fused_same(now->key >> 3, &now->slot, earlier->slot.a);
}

static bool may_continue(u32 key)
{
	switch (op_infos[key >> 3].kind) {
	case KIND_ALU: case KIND_ALUA: case KIND_MEM: case KIND_FP: case KIND_FPMEM: case KIND_MVE: case KIND_MVEMEM:
		return true;
	default:
		return false;
	}
}

static void count(struct sequence *table, u32 a, u32 b, u32 c, u32 same)
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

	if (!now.key || n >= 2 || op_infos[now.key >> 3].kind != KIND_ALUA) {
		p->it_count = 9;
		return;
	}
	/* The condition of the second instruction differs from the first in its lowest bit for "else". */
	unsigned otherwise = n && (p->it_state >> 3 & 1) != (p->it_state >> 4 & 1);
	p->it_key[n] = now.key << 1 | otherwise;
	if (p->it_left == 1)
		count(p->table[2], (p->it_state >> 4) + 1, p->it_key[0], n ? p->it_key[1] : 0,
		      n ? same_as(&p->it_first, &now) : 0);
	p->it_first = now;
}

static void executed(void *ctx, const struct cpu_trace_record *r)
{
	struct profile *p = ctx;
	struct past now = { 0 };

	if (!p->it_left)
		now = past_of(p, r, false);

	if (++p->executed == p->limit)
		machine_stop(p->machine, STOP_CYCLE_LIMIT);
	if (r->pc != p->next_pc)
		p->last[0].key = p->last[1].key = 0;
	p->next_pc = r->pc + r->length;
	if (p->it_left)
		in_it_block(p, r);
	p->it_left -= p->it_left != 0;
	if (r->length == 2 && r->encoding >> 8 == 0xbf && r->encoding & 15) {
		p->it_left = 4 - (unsigned)__builtin_ctz(r->encoding & 15);
		p->it_state = r->encoding & 0xff;
		p->it_count = 0;
	}
	if (now.key && p->last[0].key) {
		u32 near = same_as(&p->last[0], &now);
		count(p->table[0], p->last[0].key, now.key, 0, near);
		if (p->last[1].key)
			count(p->table[1], p->last[1].key, p->last[0].key, now.key,
			      same_as(&p->last[1], &p->last[0]) | same_as(&p->last[1], &now) << 3 | near << 6);
	}
	p->last[1] = p->last[0];
	p->last[0] = now;
	if (!now.key || !may_continue(now.key))
		p->last[0].key = p->last[1].key = 0;
}

static void weigh(struct profile *p)
{
	for (unsigned t = 0; t < 3; t++)
		for (u32 i = 0; i < BUCKETS; i++) {
			p->table[t][i].weight += (double)p->table[t][i].count / (double)(p->executed ? p->executed : 1);
			p->table[t][i].count = 0;
		}
}

static bool run(struct profile *p, const char *path)
{
	struct run_config *config = calloc(1, sizeof(*config));
	char why[512];

	if (!config)
		return false;
	machine_config_init(&config->machine, board_find("corstone-300"));
	config->machine.semihosting.enable = true;
	if (machine_new(&p->machine, &config->machine, NULL, why, sizeof(why)) || machine_load_image(p->machine, path, why, sizeof(why))) {
		fprintf(stderr, "%s\n", why);
		return false;
	}
	machine_start(p->machine);
	cpu_set_trace(p->machine->cpu, executed, p);
	p->executed = 0;
	machine_run(p->machine, &config->limits, false);
	weigh(p);
	machine_free(p->machine);
	free(config);
	return true;
}

static int heavier(const void *a, const void *b)
{
	double x = ((const struct sequence *)a)->weight, y = ((const struct sequence *)b)->weight;
	return x < y ? 1 : x > y ? -1 : memcmp(a, b, sizeof(u32) * 4);
}

/* Same operations together, in the order of their first; more equal operands before fewer. */
static void print_one(const struct sequence *x, unsigned length, u32 same)
{
	printf("F%u(", length);
	for (unsigned k = 0; k < length; k++)
		printf("%s, %u, ", op_infos[x->key[k] >> 3].name, x->key[k] & 7);
	printf("%u) /* %.2f %% */\n", same, x->weight * 100);
}

static void print(struct sequence *table, unsigned length, unsigned most)
{
	qsort(table, BUCKETS, sizeof(*table), heavier);
	for (unsigned i = 0; i < most && table[i].weight > 0; i++) {
		bool done = false;
		for (unsigned j = 0; j < i && !done; j++)
			done = !memcmp(table[j].key, table[i].key, sizeof(table[j].key));
		for (int bits = 9; bits >= 0 && !done; bits--)
			for (unsigned j = i; j < most && table[j].weight > 0; j++)
				if (__builtin_popcount(table[j].same) == bits &&
				    !memcmp(table[j].key, table[i].key, sizeof(table[j].key)))
					print_one(&table[j], length, table[j].same);
		bool plain = done;
		for (unsigned j = i; j < most && !plain; j++)
			plain = !table[j].same && !memcmp(table[j].key, table[i].key, sizeof(table[j].key));
		if (!plain)
			print_one(&table[i], length, 0);
	}
}

static void print_it(struct sequence *table, unsigned most)
{
	qsort(table, BUCKETS, sizeof(*table), heavier);
	for (unsigned i = 0; i < most && table[i].weight > 0; i++) {
		const u32 *key = table[i].key;
		printf("IT%u(%u", key[2] ? 2 : 1, key[0] - 1);
		for (unsigned k = 1; k < 3 && key[k]; k++)
			printf(", %s, %u, %u", op_infos[key[k] >> 4].name, key[k] >> 1 & 7, key[k] & 1);
		if (key[2])
			printf(", %u", table[i].same);
		printf(") /* %.2f %% */\n", table[i].weight * 100);
	}
}

int main(int argc, char **argv)
{
	struct profile p = { .set = insn_set_new(~0u) };

	p.table[0] = calloc(BUCKETS, sizeof(struct sequence));
	p.table[1] = calloc(BUCKETS, sizeof(struct sequence));
	p.table[2] = calloc(BUCKETS, sizeof(struct sequence));
	if (argc < 5 || !p.set || !p.table[0] || !p.table[1] || !p.table[2])
		return 2;
	p.limit = strtoull(argv[3], NULL, 0);
	for (int i = 4; i < argc; i++)
		if (!run(&p, argv[i]))
			return 1;
	printf("/* SPDX-License-Identifier: Apache-2.0 */\n"
	       "/* Sequences with a handler of their own, made by tests/bench/profile (shares of all\n"
	       " * instructions, in percent, averaged over the programs). Do not edit. */\n");
	if (!strcmp(argv[1], "it")) {
		print_it(p.table[2], (unsigned)atoi(argv[2]));
		return 0;
	}
	print(p.table[1], 3, (unsigned)atoi(argv[1]));
	print(p.table[0], 2, (unsigned)atoi(argv[2]));
	return 0;
}
