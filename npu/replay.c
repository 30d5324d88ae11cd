/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of streams that are run again; see replay.h. */
#include "npu/private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 32 << 20 /* bytes, of one NPU */ };

/* A command register that is set: c0[at], or c1[at - 256]. */
struct setting {
	u64 value;
	u16 at;
};

/* Commands up to an operation, and what they lead to. */
struct step {
	u32 begin, next;       /* bytes of the stream */
	u64 work;
	struct npu_timing before, after;
	struct npu_decoded decoded;
	u32 settings;
	struct setting *setting;
	u8 *words;             /* of the stream; behind the settings */
	bool fixed;            /* nobody can change them */
	struct npu_again *again; /* NULL: not known yet */
};

/* What is known of one stream. */
struct npu_plan {
	u32 reg[NPU_REGISTERS]; /* at the start of the job: place and length of the stream, among others */
	struct npu_adapter adapter[NPU_PORTS];
	struct npu_regs commands; /* at the start of the job */
	struct npu_timing before; /* of the step that is being recorded */
	u64 bytes;
	bool whole;               /* it was followed to its end, which is in the next two */
	struct npu_regs end;
	u64 event[NPU_EVENTS];    /* of all operations */
	u32 count, room;          /* none: the stream was seen once */
	struct step *step;
};

static u64 stream_base(const struct npu *n)
{
	return n->s.reg[NPU_REG_QBASE] | (u64)n->s.reg[NPU_REG_QBASE_HI] << 32;
}

/* The last operation stays known when the plan that it came from goes. */
static void forget_steps(struct npu *n, struct npu_plan *p)
{
	struct npu_replay *r = &n->replay;

	if (n->now != &n->own) {
		n->own = *n->now;
		n->now = &n->own;
	}
	r->again = NULL;
	npu_kernels_settle(n->kernels);
	for (u32 i = 0; i < p->count; i++) {
		npu_again_free(p->step[i].again);
		free(p->step[i].setting);
	}
	free(p->step);
	r->kept -= p->bytes;
	p->step = NULL;
	p->bytes = 0;
	p->count = p->room = 0;
	p->whole = false;
}

void npu_replay_free(struct npu *n)
{
	struct npu_replay *r = &n->replay;

	for (unsigned i = 0; i < NPU_PLANS; i++) {
		if (r->plan[i])
			forget_steps(n, r->plan[i]);
		free(r->plan[i]);
	}
	*r = (struct npu_replay){ 0 };
}

void npu_replay_leave(struct npu *n)
{
	npu_replay_settle(n);
	n->replay.current = NULL;
	n->replay.again = NULL;
}

static bool same_surroundings(const struct npu *n, const struct npu_plan *p)
{
	return memcmp(p->reg, n->s.reg, sizeof(p->reg)) == 0 && memcmp(p->adapter, n->s.adapter, sizeof(p->adapter)) == 0;
}

static struct npu_plan *plan_of(struct npu *n)
{
	struct npu_replay *r = &n->replay;

	for (unsigned i = 0; i < NPU_PLANS; i++)
		if (r->plan[i] && same_surroundings(n, r->plan[i]) &&
		    memcmp(&r->plan[i]->commands, &n->s.commands, sizeof(n->s.commands)) == 0)
			return r->plan[i];
	return NULL;
}

/* Most streams run once: that costs nothing but remembering that they did. */
static void seen_once(struct npu *n)
{
	struct npu_replay *r = &n->replay;
	struct npu_plan **place = &r->plan[r->oldest];

	if (!*place)
		*place = calloc(1, sizeof(**place));
	else
		forget_steps(n, *place);
	r->oldest = (r->oldest + 1) % NPU_PLANS;
	if (!*place)
		return;
	memcpy((*place)->reg, n->s.reg, sizeof((*place)->reg));
	memcpy((*place)->adapter, n->s.adapter, sizeof((*place)->adapter));
	(*place)->commands = n->s.commands;
}

void npu_replay_start(struct npu *n)
{
	struct npu_replay *r = &n->replay;

	r->at = r->done = r->settled = r->counted = 0;
	r->again = NULL;
	r->current = plan_of(n);
	r->recording = r->current && !r->current->count;
	if (!r->current)
		seen_once(n);
}

static const u8 *words_of(const struct npu *n, u32 begin, u32 next)
{
	const struct npu_memory *m = &n->options.memory;

	return m->span(m->ctx, stream_base(n) + begin, next - begin, false);
}

static bool is_fixed(const struct npu *n, u32 begin, u32 next)
{
	const struct npu_memory *m = &n->options.memory;

	return m->still && m->constant && m->constant(m->ctx, stream_base(n) + begin) >= next - begin;
}

/* What the commands do beside setting registers is in the timing model's state: they may wait, nothing else. */
static bool settings_of(const struct npu *n, const u8 *words, u32 bytes, struct step *s)
{
	u32 at = 0;

	while (at + 4 < bytes) {
		u32 word, payload;
		memcpy(&word, words + at, 4);
		memcpy(&payload, words + at + 4, 4);
		const struct npu_command_info *c = npu_command_find(&n->index, word);
		const u16 param = (u16)(word >> 16);
		const u16 code = c ? c->code & 0xff : 0;

		at += 4;
		if (c && c->kind == NPU_KIND_C0) {
			s->setting[s->settings++] = (struct setting){ param, code };
		} else if (c && c->kind == NPU_KIND_C1) {
			s->setting[s->settings++] = (struct setting){ payload | (u64)param << 32, (u16)(256 + code) };
			at += 4;
		} else if (!c || (c->code != NPU_CMD_DMA_WAIT && c->code != NPU_CMD_KERNEL_WAIT)) {
			return false;
		}
	}
	return at + 4 == bytes;
}

static struct step *new_step(struct npu_plan *p)
{
	if (p->count == p->room) {
		const u32 room = p->room ? 2 * p->room : 64;
		struct step *more = realloc(p->step, room * sizeof(*more));
		if (!more)
			return NULL;
		p->step = more;
		p->room = room;
	}
	return &p->step[p->count];
}

void npu_replay_record(struct npu *n, u32 begin, u32 next, u64 work)
{
	struct npu_replay *r = &n->replay;

	if (!r->current || !r->recording)
		return;
	struct npu_plan *p = r->current;
	const u32 bytes = next - begin;
	const u8 *words = words_of(n, begin, next);
	struct step *s = words && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? new_step(p) : NULL;

	/* what is not known ends the plan; so does what changes between two operations */
	if (!s || !same_surroundings(n, p) || r->kept > MOST_KEPT ||
	    (p->count && memcmp(&p->before, &p->step[p->count - 1].after, sizeof(p->before)) != 0)) {
		r->current = NULL;
		return;
	}
	const size_t room = bytes / 4 * sizeof(struct setting);
	*s = (struct step){ .begin = begin, .next = next, .work = work, .before = p->before, .after = n->s.timing,
			    .decoded = *n->now, .setting = malloc(room + bytes), .fixed = is_fixed(n, begin, next) };
	if (!s->setting || !settings_of(n, words, bytes, s)) {
		free(s->setting);
		r->current = NULL;
		return;
	}
	s->words = (u8 *)s->setting + room;
	memcpy(s->words, words, bytes);
	p->bytes += sizeof(*s) + room + bytes;
	r->kept += sizeof(*s) + room + bytes;
	p->count++;
}

/* Whether all that the step depends on is as it was. In a job that is done at once nothing changes after its first step. */
static bool follows(const struct npu *n, const struct npu_plan *p, const struct step *s)
{
	const u64 limit = n->options.work_limit ? n->options.work_limit : NPU_DEFAULT_WORK;
	const bool goes_on = !n->options.sched && n->replay.at;

	if (n->s.qread != s->begin || s->work > limit - n->s.work)
		return false;
	if (!goes_on && (!same_surroundings(n, p) || memcmp(&s->before, &n->s.timing, sizeof(s->before)) != 0))
		return false;
	if (s->fixed)
		return true;
	const u8 *words = words_of(n, s->begin, s->next);
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

/* All of the plan was followed: what it comes to need not be found again. */
static void settle_whole(struct npu *n, struct npu_plan *p)
{
	for (u32 i = 0; !p->whole && i < p->count; i++) {
		const struct npu_cost *cost = &p->step[i].decoded.cost;
		for (unsigned e = 0; e < NPU_EVENTS; e++)
			p->event[e] = (i ? p->event[e] : 0) + (n->counted[e / 64] & cost->happened[e / 64] & UINT64_C(1) << e % 64 ? cost->event[e] : 0);
		if (i == 0)
			p->end = n->s.commands;
		set_commands(&p->end, &p->step[i]);
	}
	p->whole = true;
	n->s.commands = p->end;
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		n->result.event[e] += p->event[e];
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
		forget_steps(n, p);
	r->current = NULL;
	return false;
}

struct npu_again *npu_replay_again(const struct npu *n)
{
	return n->replay.again ? *n->replay.again : NULL;
}

struct npu_again *npu_replay_remember(struct npu *n, const struct npu_view *view)
{
	struct npu_replay *r = &n->replay;

	if (!r->again || !r->current)
		return NULL;
	if (*r->again && memcmp(&(*r->again)->view, view, sizeof(*view)) != 0) {
		npu_kernels_settle(n->kernels);
		npu_again_free(*r->again);
		*r->again = npu_again_new(view);
	} else if (!*r->again && r->kept < MOST_KEPT) {
		*r->again = npu_again_new(view);
		r->current->bytes += NPU_AGAIN_BYTES;
		r->kept += NPU_AGAIN_BYTES;
	}
	return *r->again;
}
