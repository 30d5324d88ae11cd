/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of streams (replay.c) are followed; see replay.h. */
#include "npu/job.h"
#include "npu/gang.h"
#include "npu/plan.h"
#include "npu/unread.h"

static bool within_limit(const struct npu *n, u64 work)
{
	const u64 limit = n->options.work_limit ? n->options.work_limit : NPU_DEFAULT_WORK;

	return work <= limit - n->s.work;
}

/* Whether all that the step depends on is as it was. In a job that is done at once nothing changes after its first step. */
static bool follows(const struct npu *n, const struct npu_plan *p, const struct step *s)
{
	const bool goes_on = !n->options.sched && n->replay.at;

	if (n->s.qread != s->begin || !within_limit(n, s->work))
		return false;
	if (!goes_on && (!npu_plan_fits(n, p) || memcmp(&s->before, &n->s.timing, sizeof(s->before)) != 0))
		return false;
	if (s->fixed)
		return true;
	const u8 *words = npu_plan_words(n, s->begin, s->next);
	return words && memcmp(words, s->words, s->next - s->begin) == 0;
}

static void set_commands(struct npu_regs *r, const struct step *step)
{
	for (u32 i = 0; i < step->settings; i++) {
		const struct setting *set = &step->setting[i];
		if (set->at < 256)
			r->c0[set->at] = (u16)set->value;
		else
			r->c1[set->at - 256] = set->value;
	}
}

/* What the plan's operations come to. */
static void sum_up(struct npu *n, struct npu_plan *p)
{
	p->end = n->s.commands;
	memset(p->event, 0, sizeof(p->event));
	memset(p->happened, 0, sizeof(p->happened));
	for (u32 i = 0; i < p->count; i++) {
		const struct npu_cost *cost = &p->step[i].decoded.cost;
		for (unsigned e = 0; e < NPU_EVENTS; e++)
			p->event[e] += n->counted[e / 64] & cost->happened[e / 64] & UINT64_C(1) << e % 64 ? cost->event[e] : 0;
		set_commands(&p->end, &p->step[i]);
	}
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		p->happened[e / 64] |= (u64)(p->event[e] != 0) << e % 64;
	p->whole = true;
	npu_gangs_find(n, p);
}

/* All of the plan was followed: what it comes to need not be found again. */
static void settle_whole(struct npu *n, struct npu_plan *p)
{
	if (!p->whole)
		sum_up(n, p);
	n->s.commands = p->end;
	for (unsigned i = 0; i < NPU_EVENT_WORDS; i++)
		for (u64 left = p->happened[i]; left; left &= left - 1) {
			const unsigned e = 64 * i + (unsigned)__builtin_ctzll(left);
			n->result.event[e] += p->event[e];
		}
}

void npu_replay_settle(struct npu *n)
{
	struct npu_replay *r = &n->replay;
	struct npu_plan *p = r->current;

	if (!p || r->recording || (r->settled == r->at && r->counted == r->done))
		return;
	if (!r->settled && !r->counted && r->at == p->count && r->done == p->count) {
		settle_whole(n, p);
	} else {
		for (u32 i = r->settled; i < r->at; i++)
			set_commands(&n->s.commands, &p->step[i]);
		for (u32 i = r->counted; i < r->done; i++)
			npu_pmu_add(n, &p->step[i].decoded.cost);
	}
	n->s.timing = p->step[r->at - 1].after;
	r->settled = r->at;
	r->counted = r->done;
}

bool npu_replay_counts(struct npu *n)
{
	struct npu_replay *r = &n->replay;

	if (!r->again || !r->current)
		return false;
	r->done++;
	if (!n->options.sched && !npu_pmu_counting(n))
		return true;
	r->counted = r->done;
	return false;
}

static void apply(struct npu *n, struct step *step)
{
	struct npu_state *s = &n->s;

	n->now = &step->decoded;
	n->replay.again = &step->again;
	s->work += step->work;
	s->qread = step->next - 4;
	s->fetched = step->next;
	s->pending = true;
}

bool npu_replay_step(struct npu *n)
{
	struct npu_replay *r = &n->replay;
	struct npu_plan *p = r->current;

	if (!p)
		return false;
	if (r->recording) {
		p->before = n->s.timing;
		if (n->s.qread != (p->count ? p->step[p->count - 1].next : 0))
			r->current = NULL; /* there was a branch */
		return false;
	}
	if (r->at < p->count && follows(n, p, &p->step[r->at])) {
		apply(n, &p->step[r->at++]);
		if (n->options.sched)
			npu_replay_settle(n);
		return true;
	}
	/* the end; or another stream, which is recorded when it comes again */
	npu_kernels_settle(n->kernels);
	npu_replay_settle(n);
	if (r->at < p->count)
		npu_plan_forget(n, p);
	r->current = NULL;
	return false;
}

struct npu_again *npu_replay_again(const struct npu *n)
{
	return n->replay.again ? *n->replay.again : NULL;
}

/* Its memory counts as the current plan's, and what it took before no longer. */
static void count_bytes(struct npu_replay *r, size_t now, size_t before)
{
	r->current->bytes += now - before;
	r->kept += now - before;
}

struct npu_again *npu_replay_remember(struct npu *n, const struct npu_view *view)
{
	struct npu_replay *r = &n->replay;

	if (!r->again || !r->current)
		return NULL;
	if (*r->again && memcmp(&(*r->again)->view, view, sizeof(*view)) != 0) {
		npu_kernels_settle(n->kernels);
		npu_gangs_forget(n, r->current);
		count_bytes(r, 0, (*r->again)->counted);
		npu_again_free(*r->again);
		*r->again = NULL;
	}
	if (!*r->again && r->kept < NPU_PLANS_MOST)
		*r->again = npu_again_new(view);
	return *r->again;
}

void npu_replay_remembered(struct npu *n, struct npu_again *a)
{
	if (n->replay.current)
		count_bytes(&n->replay, a->bytes, a->counted);
	a->counted = a->bytes;
}

/* True: the operation has been done again. */
static bool do_again(struct npu *n, const struct step *s)
{
	struct npu_again *a = s->again;

	if (!s->fixed || !a || !a->run || !within_limit(n, s->work) || !npu_is_still(&n->options.memory))
		return false;
	if (npu_kernels_again(n->kernels, a))
		return true;
	npu_again_clear(a);
	return false;
}

/* The operation counts as one that npu_job_complete() has done, but for what npu_replay_burst() does once for all of them. */
static void count(struct npu *n, struct step *s, const struct npu_gang_count *c)
{
	const struct npu_listener *l = &n->options.listener;

	/* neighbours apart: what compilers add up as one vector takes longer to come back from memory */
	n->s.operations++;
	n->replay.at++;
	n->s.cycle += c->cycles;
	n->replay.done++;
	n->s.work += c->work;
	n->s.qread = n->s.fetched = c->next;
	n->now = &s->decoded;
	if (l->operation)
		l->operation(l->ctx, &s->decoded.op, &s->decoded.cost);
}

/* True: all operations of the gang that begins here have been done. */
static bool do_gang(struct npu *n, const struct npu_plan *p)
{
	struct npu_replay *r = &n->replay;
	struct step *const s = &p->step[r->at];
	const struct npu_gang *g = s->gang;

	if (!g || !npu_is_still(&n->options.memory) || !within_limit(n, g->work))
		return false;
	if (g->chain && !npu85_chain_ready(n->kernels, g->chain, &n->carry))
		return false;
	if (g->batches && !npu_batches_run(n->kernels, g->batches))
		return false;
	if (g->moves || g->chain)
		npu_kernels_settle(n->kernels);
	for (u32 i = 0; i < g->moves; i++)
		npu_move_run(&g->move[i]);
	if (g->chain)
		npu85_chain_run(n->kernels, g->chain, &n->carry);
	for (u32 i = 0; i < g->steps; i++)
		count(n, &s[i], &g->count[i]);
	return true;
}

void npu_replay_burst(struct npu *n)
{
	struct npu_replay *r = &n->replay;
	struct npu_plan *p = r->current;
	const u32 first = r->at;

	if (!p || r->recording || !r->alone || n->options.listener.begins || npu_pmu_counting(n) || n->s.qread != n->s.fetched ||
	    first >= p->count || n->s.qread != p->step[first].begin)
		return;
	while (r->at < p->count) {
		if (do_gang(n, p))
			continue;
		struct step *const s = &p->step[r->at];
		if (!do_again(n, s))
			break;
		count(n, s, &(struct npu_gang_count){ s->decoded.cost.cycles, s->work, s->next });
	}
	if (r->at == p->count)
		return;
	if (!p->step[r->at].alone) { /* nobody knew that it would be done here */
		npu_kernels_settle(n->kernels);
		npu_unread_make_up(p, first, r->at);
	}
	/* what is read anew may ask for them */
	for (u32 i = first; i < r->at; i++)
		npu_job_wrote(n, &p->step[i].decoded.op, &p->step[i].again->view);
}
