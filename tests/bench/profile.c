/* SPDX-License-Identifier: Apache-2.0 */
/* Counts which operations follow each other in real programs and prints the list of sequences
 * worth a handler of their own (cpu/engine/fused.def).
 *
 *     profile TRIPLES PAIRS LIMIT program.elf...
 *
 * Each program runs for at most LIMIT instructions and weighs the same. Sequences are taken where
 * addresses follow each other outside IT blocks; the order is by weight, triples first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/insn/insn.h"
#include "sim/machine.h"
#include "sim/run.h"

#define BUCKETS (1u << 18)

struct sequence { u32 key[3]; double weight; u64 count; };

struct profile {
	struct machine *machine;
	struct insn_set *set;
	struct sequence *table[2]; /* pairs, triples */
	u32 last[2];               /* the operations before, 0: none */
	u32 next_pc;
	unsigned it_left;
	u64 executed, limit;
};

/* Operation and length in one number; 0: ends or cannot be fused. */
static u32 key_of(struct profile *p, const struct cpu_trace_record *r)
{
	const struct insn_row *row = insn_find(p->set, r->encoding, r->length, false);

	if (!row || row->op == OP_it || op_infos[row->op].kind == KIND_SYS)
		return 0;
	return (u32)row->op << 3 | r->length;
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

static void count(struct sequence *table, u32 a, u32 b, u32 c)
{
	u32 h = (a * 0x9e3779b1u ^ b * 0x85ebca6bu ^ c * 0xc2b2ae35u) >> 8 & (BUCKETS - 1);

	while (table[h].key[0] && (table[h].key[0] != a || table[h].key[1] != b || table[h].key[2] != c))
		h = (h + 1) & (BUCKETS - 1);
	table[h].key[0] = a;
	table[h].key[1] = b;
	table[h].key[2] = c;
	table[h].count++;
}

static void executed(void *ctx, const struct cpu_trace_record *r)
{
	struct profile *p = ctx;
	u32 key = p->it_left ? 0 : key_of(p, r);

	if (++p->executed == p->limit)
		machine_stop(p->machine, STOP_CYCLE_LIMIT);
	if (r->pc != p->next_pc)
		p->last[0] = p->last[1] = 0;
	p->next_pc = r->pc + r->length;
	p->it_left -= p->it_left != 0;
	if (r->length == 2 && r->encoding >> 8 == 0xbf && r->encoding & 15)
		p->it_left = 4 - (unsigned)__builtin_ctz(r->encoding & 15);
	if (key && p->last[0])
		count(p->table[0], p->last[0], key, 0);
	if (key && p->last[0] && p->last[1])
		count(p->table[1], p->last[1], p->last[0], key);
	p->last[1] = p->last[0];
	p->last[0] = key && may_continue(key) ? key : 0;
	if (!p->last[0])
		p->last[1] = 0;
}

static void weigh(struct profile *p)
{
	for (unsigned t = 0; t < 2; t++)
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
	p->machine = machine_new(&config->machine, NULL, why, sizeof(why));
	if (!p->machine || machine_load_image(p->machine, path, why, sizeof(why))) {
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
	return x < y ? 1 : x > y ? -1 : memcmp(a, b, sizeof(u32) * 3);
}

static void print(struct sequence *table, unsigned length, unsigned most)
{
	qsort(table, BUCKETS, sizeof(*table), heavier);
	for (unsigned i = 0; i < most && table[i].weight > 0; i++) {
		printf("F%u(", length);
		for (unsigned k = 0; k < length; k++)
			printf("%s%s, %u", k ? ", " : "", op_infos[table[i].key[k] >> 3].name, table[i].key[k] & 7);
		printf(") /* %.2f %% */\n", table[i].weight * 100);
	}
}

int main(int argc, char **argv)
{
	struct profile p = { .set = insn_set_new(~0u) };

	p.table[0] = calloc(BUCKETS, sizeof(struct sequence));
	p.table[1] = calloc(BUCKETS, sizeof(struct sequence));
	if (argc < 5 || !p.set || !p.table[0] || !p.table[1])
		return 2;
	p.limit = strtoull(argv[3], NULL, 0);
	for (int i = 4; i < argc; i++)
		if (!run(&p, argv[i]))
			return 1;
	printf("/* SPDX-License-Identifier: Apache-2.0 */\n"
	       "/* Sequences with a handler of their own, made by tests/bench/profile (shares of all\n"
	       " * instructions, in percent, averaged over the programs). Do not edit. */\n");
	print(p.table[1], 3, (unsigned)atoi(argv[1]));
	print(p.table[0], 2, (unsigned)atoi(argv[2]));
	return 0;
}
