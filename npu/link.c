/* SPDX-License-Identifier: Apache-2.0 */
/* See link.h. */
#include "npu/link.h"

#include <stdlib.h>

struct link {
	struct npu85_job *job[NPU85_CHAIN_TAPS];
	u32 taps;
	u32 second, end; /* steps: of the second tap, and behind the last one */
	struct npu_fm_box inputs; /* what lies between them */
};

static struct npu85_job *job_of(const struct step *s)
{
	return s->fixed && s->again && s->again->run ? s->again->job : NULL;
}

static bool is_copy(const struct step *s)
{
	return s->fixed && s->again && s->again->run && s->again->move && s->decoded.op.kind == NPU_DMA && s->again->view.dma_dst;
}

/* Whether it may write what one of the taps before it reads. */
static bool is_in_the_way(const struct link *l, const struct step *s)
{
	const uintptr_t to = (uintptr_t)s->again->view.dma_dst;

	return to < l->inputs.end && l->inputs.first < to + s->decoded.op.dma.length;
}

static void add(struct link *l, struct npu85_job *j)
{
	l->job[l->taps++] = j;
	npu85_chain_reaches(j, &l->inputs);
}

static void collect(const struct npu_plan *p, u32 first, struct link *l)
{
	bool stores = false;

	*l = (struct link){ .end = first + 1, .inputs = { UINTPTR_MAX, 0 } };
	add(l, job_of(&p->step[first]));
	for (u32 i = first + 1; i < p->count && l->taps < NPU85_CHAIN_TAPS && !stores; i++) {
		struct npu85_job *const j = job_of(&p->step[i]);
		if (is_copy(&p->step[i]) && !is_in_the_way(l, &p->step[i]))
			continue;
		if (!j || !npu85_chain_follows(l->job[0], j))
			return;
		l->second = l->taps == 1 ? i : l->second;
		add(l, j);
		l->end = i + 1;
		stores = !j->op.u85.acc_output_off;
	}
}

/* The moves of steps up to `end`, and how many; `to`: NULL, or where they go. */
static u32 moves_of(const struct npu_plan *p, u32 first, u32 end, struct npu_move *to)
{
	u32 moves = 0;

	for (u32 i = first, steps; i < end; i += steps) {
		const struct npu_gang *g = p->step[i].gang;
		const u32 more = g ? g->moves : is_copy(&p->step[i]);
		if (to && more)
			memcpy(to + moves, g ? g->move : p->step[i].again->move, more * sizeof(*to));
		moves += more;
		steps = g ? g->steps : 1;
	}
	return moves;
}

static struct npu_gang *gang_of(const struct npu_plan *p, u32 first, u32 end)
{
	const u32 moves = moves_of(p, first, end, NULL);
	struct npu_gang *const g = malloc(sizeof(*g) + moves * sizeof(g->move[0]));

	if (!g)
		return NULL;
	*g = (struct npu_gang){ .steps = end - first, .moves = moves };
	moves_of(p, first, end, g->move);
	for (u32 i = first; i < end; i++)
		g->work += p->step[i].work;
	return g;
}

struct npu_gang *npu_link(struct npu *n, const struct npu_plan *p, u32 *first, u32 *end)
{
	const u32 done = *first == 0;
	struct npu85_job *const j = job_of(&p->step[*first]);
	struct link l;

	*end = *first + 1;
	if (!j || !npu85_chain_begins(j))
		return NULL;
	collect(p, *first, &l);
	if (l.taps < 2 + done)
		return NULL;
	*end = l.end;
	*first = done ? l.second : *first;
	struct npu_gang *const g = gang_of(p, *first, l.end);
	if (!g)
		return NULL;
	g->chain = npu85_chain_new(n->kernels, l.job, l.taps, done);
	if (g->chain)
		return g;
	free(g);
	return NULL;
}

/* ---- products and their sums ---- */

struct turns {
	const struct npu_plan *plan;
	u32 at;
};

static const struct npu_again *lone(const struct step *s)
{
	return s->fixed && !s->gang && s->again && s->again->run ? s->again : NULL;
}

static bool next_product(void *ctx, const struct npu_again **product, const struct npu_again **sum)
{
	struct turns *const t = ctx;

	if (t->at + 1 >= t->plan->count)
		return false;
	*product = lone(&t->plan->step[t->at]);
	*sum = lone(&t->plan->step[t->at + 1]);
	t->at += 2;
	return *product && (*product)->product && *sum && (*sum)->sum;
}

struct npu_gang *npu_link_products(const struct npu_plan *p, u32 first, u32 *end)
{
	struct turns t = { p, first };
	const struct npu_again *const product = lone(&p->step[first]);
	struct npu_batches *const b = product && product->product ? npu_batches_new(next_product, &t) : NULL;
	struct npu_gang *const g = b ? gang_of(p, first, first + 2 * b->products) : NULL;

	*end = first + (b ? 2 * b->products : 1);
	if (g)
		g->batches = b;
	else
		npu_batches_free(b);
	return g;
}
