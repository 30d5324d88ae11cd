/* SPDX-License-Identifier: Apache-2.0 */
/* See gang.h. */
#include "npu/gang.h"

#include <stdlib.h>

#include "npu/link.h"
#include "npu/unread.h"

#define LOOKS (UINT32_C(1) << 16) /* at operations behind copies, of one plan */

static const struct npu_move *move_of(const struct step *s)
{
	return s->fixed && s->again ? s->again->move : NULL;
}

/* NULL: memory is short. */
static struct npu_gang *gang_of(const struct step *s, u32 steps)
{
	struct npu_gang *all = malloc(sizeof(*all) + steps * sizeof(all->move[0]));

	if (!all)
		return NULL;
	all->steps = steps;
	all->work = 0;
	all->unread = false;
	all->chain = NULL;
	all->batches = NULL;
	for (u32 i = 0; i < steps; i++) {
		all->move[i] = *move_of(&s[i]);
		all->work += s[i].work;
	}
	all->moves = (u32)npu_moves_join(all->move, steps);

	struct npu_gang *g = realloc(all, sizeof(*all) + all->moves * sizeof(all->move[0]));
	return g ? g : all;
}

/* Its memory counts as the plan's, or no longer. */
static void count_bytes(struct npu *n, struct npu_plan *p, const struct npu_gang *g, bool held)
{
	const u64 bytes = sizeof(*g) + g->steps * sizeof(*g->count) + g->moves * sizeof(g->move[0]) + (g->chain ? g->chain->bytes : 0) + (g->batches ? g->batches->bytes : 0);

	p->bytes += held ? bytes : -bytes;
	n->replay.kept += held ? bytes : -bytes;
}

static void free_gang(struct npu_gang *g)
{
	npu85_chain_free(g->chain);
	npu_batches_free(g->batches);
	free(g->count);
	free(g);
}

/* It begins with step `first`. NULL: there is none. */
static void keep(struct npu *n, struct npu_plan *p, u32 first, struct npu_gang *g)
{
	if (!g)
		return;
	g->count = malloc(g->steps * sizeof(*g->count));
	if (!g->count) {
		free_gang(g);
		return;
	}
	for (u32 i = 0; i < g->steps; i++) {
		const struct step *const s = &p->step[first + i];
		g->count[i] = (struct npu_gang_count){ s->decoded.cost.cycles, s->work, s->next };
	}
	p->step[first].gang = g;
	count_bytes(n, p, g, true);
}

/* What counts of a copy, as moves; NULL: memory is short. */
static struct npu_gang *gang_unread(const struct step *s, const struct npu_unread_ranges *counting)
{
	const struct npu_view *view = &s->again->view;
	struct npu_gang *g = malloc(sizeof(*g) + counting->n * sizeof(g->move[0]));

	if (!g)
		return NULL;
	*g = (struct npu_gang){ .steps = 1, .moves = counting->n, .work = s->work, .unread = true };
	for (unsigned i = 0; i < counting->n; i++) {
		const uintptr_t to = counting->of[i].first;
		g->move[i] = (struct npu_move){ .to = (u8 *)to, .from = view->dma_src + (to - (uintptr_t)view->dma_dst), .view = view };
		npu_copy_plan(&g->move[i].plan, &(struct npu_copy_dim){ counting->of[i].end - to, 1, 1 }, 1, 1);
	}
	return g;
}

static void find_unread(struct npu *n, struct npu_plan *p)
{
	u32 looks = LOOKS;
	struct npu_unread_ranges counting;

	for (u32 i = 0; i < p->count; i++)
		p->step[i].alone = !p->step[i].fixed || !p->step[i].again || !p->step[i].again->run;
	for (u32 i = 1; i < p->count && n->replay.kept < NPU_PLANS_MOST; i++)
		if (npu_unread_find(n, p, i, &looks, &counting))
			keep(n, p, i, gang_unread(&p->step[i], &counting));
}

/* Behind the others: copies within a chain may be gangs. */
static void find_chains(struct npu *n, struct npu_plan *p)
{
	for (u32 i = 0, end; i < p->count && n->replay.kept < NPU_PLANS_MOST; i = end) {
		u32 first = i;
		struct npu_gang *const g = npu_link(n, p, &first, &end);
		keep(n, p, first, g);
	}
}

/* Nothing is done ahead of a job's first operation. */
static void find_products(struct npu *n, struct npu_plan *p)
{
	for (u32 i = 1, end; i < p->count && n->replay.kept < NPU_PLANS_MOST; i = end) {
		struct npu_gang *const g = npu_link_products(p, i, &end);
		keep(n, p, i, g);
	}
}

void npu_gangs_find(struct npu *n, struct npu_plan *p)
{
	find_unread(n, p);
	/* nothing is done ahead of a job's first operation */
	for (u32 i = 1, steps; i < p->count && n->replay.kept < NPU_PLANS_MOST; i += steps ? steps : 1) {
		for (steps = 0; i + steps < p->count && !p->step[i + steps].gang && move_of(&p->step[i + steps]); steps++)
			;
		if (steps < 2)
			continue;
		keep(n, p, i, gang_of(&p->step[i], steps));
	}
	find_chains(n, p);
	find_products(n, p);
}

void npu_gangs_forget(struct npu *n, struct npu_plan *p)
{
	for (u32 i = 0; i < p->count; i++) {
		struct npu_gang *const g = p->step[i].gang;
		if (!g)
			continue;
		count_bytes(n, p, g, false);
		free_gang(g);
		p->step[i].gang = NULL;
	}
}
