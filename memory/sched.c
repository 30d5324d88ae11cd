/* SPDX-License-Identifier: Apache-2.0 */
/* A binary heap ordered by (when, sequence). Events are few; cancelling is a linear walk. */
#include "memory/sched.h"
#include "memory/state.h"

#include <assert.h>
#include <string.h>

void sched_init(struct sched *s)
{
	memset(s, 0, sizeof *s);
	s->next = SCHED_NEVER;
	s->last = UINT64_MAX;
}

u16 sched_attach(struct sched *s, sched_handler *fn, void *ctx)
{
	assert(s->device_count < SCHED_MAX_DEVICES);
	s->device[s->device_count].fn = fn;
	s->device[s->device_count].ctx = ctx;
	return (u16)s->device_count++;
}

static bool earlier(const struct sched_event *a, const struct sched_event *b)
{
	return a->when != b->when ? a->when < b->when : a->sequence < b->sequence;
}

static void swap(struct sched_event *a, struct sched_event *b)
{
	const struct sched_event t = *a;

	*a = *b;
	*b = t;
}

static void sift_up(struct sched *s, u32 i)
{
	while (i && earlier(&s->heap[i], &s->heap[(i - 1) / 2])) {
		swap(&s->heap[i], &s->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct sched *s, u32 i)
{
	for (;;) {
		u32 least = i;

		for (u32 child = 2 * i + 1; child <= 2 * i + 2 && child < s->count; child++)
			if (earlier(&s->heap[child], &s->heap[least]))
				least = child;
		if (least == i)
			return;
		swap(&s->heap[i], &s->heap[least]);
		i = least;
	}
}

static void update_next(struct sched *s)
{
	s->next = s->count ? s->heap[0].when : SCHED_NEVER;
}

static void remove_at(struct sched *s, u32 i)
{
	s->heap[i] = s->heap[--s->count];
	if (i < s->count) {
		sift_up(s, i);
		sift_down(s, i);
	}
	update_next(s);
}

void sched_add(struct sched *s, u16 device, u16 kind, u64 when, u64 argument)
{
	assert(s->count < SCHED_MAX_EVENTS);
	s->heap[s->count] = (struct sched_event){
		.when = when < s->now ? s->now : when,
		.argument = argument,
		.sequence = s->sequence++,
		.device = device,
		.kind = kind,
	};
	sift_up(s, s->count++);
	update_next(s);
}

void sched_cancel(struct sched *s, u16 device, u16 kind)
{
	for (u32 i = 0; i < s->count;)
		if (s->heap[i].device == device && s->heap[i].kind == kind)
			remove_at(s, i);
		else
			i++;
}

void sched_run(struct sched *s, u64 until)
{
	while (s->next <= until && s->handled < s->last) {
		const struct sched_event ev = s->heap[0];

		remove_at(s, 0);
		s->now = ev.when;
		s->handling = true;
		s->device[ev.device].fn(s->device[ev.device].ctx, &ev);
		s->handling = false;
		s->handled++; /* what it tells belongs before it is */
		if (UNLIKELY(s->halt))
			return;
	}
	if (s->now < until)
		s->now = until;
}

u64 sched_period(u64 hertz)
{
	return hertz && hertz <= SCHED_TICKS_PER_SECOND ? (SCHED_TICKS_PER_SECOND + hertz / 2) / hertz : 0;
}

void sched_state(struct sched *s, struct state_list *list)
{
	state_add(list, "time", "events", 2, s, offsetof(struct sched, handling));
	state_add(list, "time", "receivers", 1, &s->device_count, sizeof s->device_count);
}
