/* SPDX-License-Identifier: Apache-2.0 */
/* Backward elimination: begins with all sequences that occur, divides the runs among them as the
 * engine would, and drops the half that saves least, until no more are left than wanted. What a
 * sequence saves depends on the others, which a count of its occurrences does not show. */
#include "sequences.h"

#include <stdlib.h>

#define CANDIDATES_MAX 65000u
#define HASH_SIZE (1u << 20)
/* Instructions (operation and length) that count as frequent enough to meet any other. */
#define COMMON_MAX 160u
#define COMMON_LEAST 0.0003

bool fused_may_continue(unsigned op)
{
	if (op >= OP_COUNT) /* an IT block */
		return true;
	switch (op_infos[op].kind) {
	case KIND_ALU: case KIND_ALUA: case KIND_MEM: case KIND_BR: case KIND_FP: case KIND_FPMEM: case KIND_MVE: case KIND_MVEMEM:
		return true;
	default:
		return false;
	}
}

struct candidates { struct chosen *list; unsigned count; u32 *hash; };

static struct fused sequence_at(const struct fuse_at *at, unsigned n, u64 same)
{
	struct fused x;

	memset(&x, 0, sizeof(x));
	x.count = (u8)n;
	x.same = same;
	for (unsigned k = 0; k < n; k++) {
		x.op[k] = at[k].op;
		x.length[k] = at[k].length;
	}
	return x;
}

static void add(struct candidates *c, const struct fused *x, double gain)
{
	u32 h = 2166136261u;

	for (unsigned k = 0; k < x->count; k++)
		h = (h ^ x->op[k] ^ (u32)x->length[k] << 16) * 16777619u;
	h = (h ^ (u32)x->same ^ (u32)(x->same >> 32)) * 16777619u;
	for (h = h >> 7 & (HASH_SIZE - 1); c->hash[h]; h = (h + 1) & (HASH_SIZE - 1))
		if (!memcmp(&c->list[c->hash[h] - 1].sequence, x, sizeof(*x))) {
			c->list[c->hash[h] - 1].gain += gain;
			return;
		}
	if (c->count == HASH_SIZE / 2)
		return;
	c->list[c->count++] = (struct chosen){ *x, gain };
	c->hash[h] = c->count;
}

/* OP_udf stands for what has no body for sequences. */
static bool may_fuse(const struct fuse_at *at, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (at[k].op == OP_udf)
			return false;
	return true;
}

/* Every window of every run: as it is, and for any operands. */
static void collect(struct candidates *c, const struct straight_run *run)
{
	for (unsigned k = 0; k + 1 < run->n; k++)
		for (unsigned n = 2; n <= FUSED_LEN && k + n <= run->n && may_fuse(&run->at[k], n); n++) {
			struct fused exact = sequence_at(run->at + k, n, fused_same_all(run->at + k, n));
			struct fused any = sequence_at(run->at + k, n, 0);
			add(c, &exact, run->weight * (n - 1));
			if (exact.same)
				add(c, &any, run->weight * (n - 1));
		}
}

struct common { struct fuse_at at; double share; };

static int more_common(const void *a, const void *b)
{
	double x = ((const struct common *)a)->share, y = ((const struct common *)b)->share;
	return x < y ? 1 : x > y ? -1 : 0;
}

/* The most frequent instructions of all runs, their shares summing up to 1 at the most. */
static unsigned commonest(const struct straight_run *runs, unsigned run_count, struct common *common)
{
	static struct common all[OP_COUNT * 2];
	double sum = 0;
	unsigned n = 0;

	for (const struct straight_run *r = runs; r < runs + run_count; r++)
		for (unsigned k = 0; k < r->n; k++) {
			if (r->at[k].op >= OP_COUNT || r->at[k].op == OP_udf)
				continue;
			struct common *x = &all[r->at[k].op * 2u + r->at[k].length / 4u];
			x->at = r->at[k];
			x->share += r->weight;
			sum += r->weight;
		}
	qsort(all, OP_COUNT * 2, sizeof(*all), more_common);
	for (; n < COMMON_MAX && all[n].share > sum * COMMON_LEAST; n++) {
		common[n] = all[n];
		common[n].share /= sum;
	}
	return n;
}

unsigned add_unseen_pairs(struct straight_run *runs, unsigned run_count, unsigned run_most, double weight)
{
	static const struct slot first = { .a = 0xf0, .b = 0xf1, .c = 0xf2 }, second = { .a = 0xf3, .b = 0xf4, .c = 0xf5 };
	struct common common[COMMON_MAX];
	unsigned n = commonest(runs, run_count, common);

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; fused_may_continue(common[i].at.op) && j < n && run_count < run_most; j++) {
			struct straight_run *r = &runs[run_count++];
			r->n = 2;
			r->weight = weight * common[i].share * common[j].share;
			r->at[0] = (struct fuse_at){ &first, common[i].at.op, common[i].at.length };
			r->at[1] = (struct fuse_at){ &second, common[j].at.op, common[j].at.length };
		}
	return run_count;
}

static int better(const void *a, const void *b)
{
	const struct chosen *x = a, *y = b;
	return x->gain < y->gain ? 1 : x->gain > y->gain ? -1 : memcmp(&x->sequence, &y->sequence, sizeof(x->sequence));
}

/* Divides all runs; adds to gain[i] what sequence i saves. Returns the handlers needed. */
static double divide(const struct straight_run *runs, unsigned run_count, const struct fused *list, unsigned count,
		     double *gain)
{
	struct fused_index *index = fused_index_new(list, count);
	double handlers = 0;
	u16 chosen[RUN_MOST];

	if (!index)
		abort();
	for (const struct straight_run *r = runs; r < runs + run_count; r++) {
		fused_divide(index, r->at, r->n, chosen);
		for (unsigned k = 0; k < r->n; k += chosen[k] ? list[chosen[k] - 1].count : 1) {
			handlers += r->weight;
			if (chosen[k] && gain)
				gain[chosen[k] - 1] += r->weight * (list[chosen[k] - 1].count - 1 +
								    0.05 * __builtin_popcountll(list[chosen[k] - 1].same));
		}
	}
	fused_index_free(index);
	return handlers;
}

double handlers_needed(const struct straight_run *runs, unsigned run_count, const struct fused *list, unsigned count)
{
	return divide(runs, run_count, list, count, NULL);
}

unsigned choose_sequences(const struct straight_run *runs, unsigned run_count, unsigned most, struct chosen **chosen)
{
	struct candidates c = { calloc(HASH_SIZE / 2, sizeof(struct chosen)), 0, calloc(HASH_SIZE, sizeof(u32)) };
	struct fused *list = calloc(CANDIDATES_MAX, sizeof(*list));
	double *gain = calloc(CANDIDATES_MAX, sizeof(*gain));

	if (!c.list || !c.hash || !list || !gain)
		abort();
	for (unsigned i = 0; i < run_count; i++)
		collect(&c, &runs[i]);
	qsort(c.list, c.count, sizeof(*c.list), better);
	c.count = c.count < CANDIDATES_MAX ? c.count : CANDIDATES_MAX;
	for (bool last = false; !last;) {
		last = c.count <= most;
		for (unsigned i = 0; i < c.count; i++) {
			list[i] = c.list[i].sequence;
			gain[i] = 0;
		}
		divide(runs, run_count, list, c.count, gain);
		for (unsigned i = 0; i < c.count; i++)
			c.list[i].gain = gain[i];
		qsort(c.list, c.count, sizeof(*c.list), better);
		while (c.count && c.list[c.count - 1].gain <= 0)
			c.count--;
		unsigned keep = c.count - c.count / 4;
		if (c.count > most)
			c.count = keep > most ? keep : most;
	}
	free(c.hash);
	free(list);
	free(gain);
	*chosen = c.list;
	return c.count;
}
