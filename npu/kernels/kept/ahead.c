/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding ahead; see ahead.h. */
#include "npu/kernels/kept/ahead.h"

#include <stdlib.h>

#include "npu/kernels/kept/packed_fill.h"

struct expected {
	struct npu_packed *set;
	struct npu_op op;
	const int *stop;
};

struct npu_ahead {
	struct npu_packer *packer;
	struct npu_team *team;
	u64 worth;
	struct expected *entry;
	u32 count, room;
	u32 next;  /* nobody has looked at this one yet; atomic once begun */
	u64 bytes; /* of all streams */
};

struct npu_ahead *npu_ahead_new(struct npu_packer *p, struct npu_team *team, u64 worth)
{
	struct npu_ahead *a = calloc(1, sizeof(*a));

	if (a)
		*a = (struct npu_ahead){ .packer = p, .team = team, .worth = worth };
	return a;
}

void npu_ahead_free(struct npu_ahead *a)
{
	if (a)
		free(a->entry);
	free(a);
}

void npu_ahead_add(struct npu_ahead *a, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	if (a->count == a->room) {
		const u32 room = a->room ? 2 * a->room : 64;
		struct expected *more = realloc(a->entry, room * sizeof(*more));
		if (!more)
			return;
		a->entry = more;
		a->room = room;
	}
	a->entry[a->count++] = (struct expected){ s, *op, view->stop };
	for (unsigned i = 0; i < s->key.cores; i++)
		a->bytes += s->key.length[i];
}

static enum npu_packed_state state_of(const struct npu_packed *s)
{
	return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
}

static bool claim(struct npu_packed *s)
{
	u32 waiting = NPU_PACKED_WAITING;

	return __atomic_compare_exchange_n(&s->state, &waiting, NPU_PACKED_CLAIMED, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
}

/* The set is claimed. False: it waits again. */
static bool fill(struct npu_packer *p, unsigned place, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	const bool ok = npu_packed_fill(&p->tools[place], s, op, view);

	__atomic_store_n(&s->state, ok ? NPU_PACKED_READY : NPU_PACKED_WAITING, __ATOMIC_RELEASE);
	return ok;
}

/* One set that nobody has begun with; false: there is none. */
static bool fill_next(void *ctx, unsigned place)
{
	struct npu_ahead *a = ctx;

	for (u32 i; (i = __atomic_fetch_add(&a->next, 1, __ATOMIC_RELAXED)) < a->count;) {
		const struct expected *e = &a->entry[i];
		const struct npu_view view = { .stop = e->stop };
		if (!claim(e->set))
			continue;
		(void)fill(a->packer, place, e->set, &e->op, &view);
		return true;
	}
	__atomic_store_n(&a->next, a->count, __ATOMIC_RELAXED);
	return false;
}

void npu_ahead_begin(struct npu_ahead *a)
{
	if (a->bytes >= a->worth)
		npu_team_later(a->team, fill_next, a);
}

void npu_ahead_end(struct npu_ahead *a)
{
	if (!a)
		return;
	npu_team_later(a->team, NULL, NULL);
	a->count = a->next = 0;
	a->bytes = 0;
}

static bool is_claimed(void *ctx)
{
	return state_of(ctx) == NPU_PACKED_CLAIMED;
}

bool npu_ahead_settle(struct npu_packer *p, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	while (state_of(s) != NPU_PACKED_READY) {
		if (claim(s))
			return fill(p, 0, s, op, view);
		if (!fill_next(p->ahead, 0))
			npu_team_wait(p->ahead->team, is_claimed, s);
	}
	return true;
}
