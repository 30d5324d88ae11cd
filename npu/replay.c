/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of streams that are run again; see replay.h. */
#include "npu/gang.h"
#include "npu/plan.h"

#include <stdlib.h>

/* The last operation stays known when the plan that it came from goes. */
void npu_plan_forget(struct npu *n, struct npu_plan *p)
{
	struct npu_replay *r = &n->replay;

	if (n->now != &n->own) {
		n->own = *n->now;
		n->now = &n->own;
	}
	r->again = NULL;
	npu_kernels_settle(n->kernels);
	npu_gangs_forget(n, p);
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
			npu_plan_forget(n, r->plan[i]);
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

static struct npu_plan *plan_of(struct npu *n)
{
	struct npu_replay *r = &n->replay;

	for (unsigned i = 0; i < NPU_PLANS; i++) {
		const unsigned at = (r->next + i) % NPU_PLANS;
		struct npu_plan *p = r->plan[at];
		if (p && npu_plan_fits(n, p) && memcmp(&p->commands, &n->s.commands, sizeof(n->s.commands)) == 0) {
			r->next = at + 1;
			return p;
		}
	}
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
		npu_plan_forget(n, *place);
	r->oldest = (r->oldest + 1) % NPU_PLANS;
	if (!*place)
		return;
	memcpy((*place)->reg, n->s.reg, sizeof((*place)->reg));
	memcpy((*place)->adapter, n->s.adapter, sizeof((*place)->adapter));
	(*place)->commands = n->s.commands;
}

void npu_replay_start(struct npu *n, bool alone)
{
	struct npu_replay *r = &n->replay;

	r->alone = alone;
	r->at = r->done = r->settled = r->counted = 0;
	r->again = NULL;
	r->current = plan_of(n);
	r->recording = r->current && !r->current->count;
	if (!r->current)
		seen_once(n);
}

static bool is_fixed(const struct npu *n, u32 begin, u32 next)
{
	const struct npu_memory *m = &n->options.memory;

	return m->still && m->constant && m->constant(m->ctx, npu_plan_stream(n) + begin) >= next - begin;
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
	const u8 *words = npu_plan_words(n, begin, next);
	struct step *s = words && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? new_step(p) : NULL;

	/* what is not known ends the plan; so does what changes between two operations */
	if (!s || !npu_plan_fits(n, p) || r->kept > NPU_PLANS_MOST ||
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
