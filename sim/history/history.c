/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/history/history.h"
#include "sim/history/checkpoint.h"

#include <string.h>

/* Far steps back leave checkpoints on their way, the nearer to the end the denser, so that the next is short. */
enum { FAR_STEP = 100000, NEAR_STEP = 1000 };

struct position history_now(const struct history *h)
{
	return (struct position){ cpu_instructions(h->machine->cpu), h->machine->sched.handled };
}

static bool before(struct position a, struct position b)
{
	return a.insns != b.insns ? a.insns < b.insns : a.events < b.events;
}

bool history_is_past(const struct history *h)
{
	return before(history_now(h), h->frontier);
}

bool history_begin(struct history *h, struct machine *m, const struct limits *limits, const struct history_options *options)
{
	*h = (struct history){ .machine = m, .limits = limits, .options = *options };
	if (!checkpoints_prepare(h))
		return false;
	h->journal = m->journal = m->journal ? m->journal : &h->own;
	h->frontier = history_now(h);
	if (checkpoint_add(h))
		return true;
	history_end(h); /* or the machine goes on to write into a journal that nobody frees */
	return false;
}

void history_end(struct history *h)
{
	checkpoints_end(h);
	if (h->machine->journal == &h->own)
		h->machine->journal = NULL;
	journal_free(&h->own);
}

/* Outputs up to the frontier have been seen. */
static void note_frontier(struct history *h)
{
	const struct position now = history_now(h);

	if (before(h->frontier, now))
		h->frontier = now;
}

bool history_is_due(const struct history *h)
{
	return machine_cycles(h->machine) >= h->next_cycle || (h->options.inputs && h->journal->at >= h->next_input);
}

u64 history_bytes(const struct history *h)
{
	return h->bytes + h->own.entries.bytes;
}

void history_look(struct history *h)
{
	note_frontier(h);
	if (h->changed || history_is_due(h))
		checkpoint_add(h);
	h->changed = false;
}

void history_add_checkpoint(struct history *h)
{
	note_frontier(h);
	checkpoint_add(h);
}

struct position history_begins(const struct history *h)
{
	return h->count ? checkpoint_at(h, 0) : history_now(h);
}

void history_note_change(struct history *h)
{
	h->changed = true;
	if (!history_is_past(h))
		return;
	journal_cut(h->journal);
	h->frontier = history_now(h);
	machine_output_is_new(h->machine);
}

bool history_save(const struct history *h, struct state_buffer *out)
{
	if (state_save(&h->parts, out))
		return true;
	state_buffer_free(out);
	return false;
}

void history_undo(const struct history *h, struct state_buffer *before)
{
	struct state_buffer now = { 0 };
	char why[256];

	if (!history_save(h, &now) || now.bytes != before->bytes || memcmp(now.data, before->data, now.bytes) != 0)
		state_restore(&h->parts, before->data, before->bytes, why, sizeof why);
	state_buffer_free(&now);
	state_buffer_free(before);
}

/* On to the next pause. That the program can do nothing more has been found out before, where it has gone on since. */
static enum machine_pause run_on(struct history *h)
{
	const enum machine_pause pause = machine_run_on(h->machine, h->limits);

	if (stop_is_endless(h->machine->stop) && history_is_past(h))
		h->machine->stop = STOP_NONE;
	return pause;
}

/* Of events: those that are due then. */
#define ANY_EVENTS UINT64_MAX

void history_run_to(struct history *h, struct position to)
{
	struct machine *m = h->machine;
	u64 handled;

	m->sched.last = to.events;
	cpu_set_last_instruction(m->cpu, to.insns);
	while (cpu_instructions(m->cpu) < to.insns && m->stop == STOP_NONE)
		run_on(h);
	do { /* asleep */
		handled = m->sched.handled;
		if (to.events != ANY_EVENTS && handled < to.events && !machine_stop_asked(m))
			machine_sleep_on(m, h->limits);
	} while (m->sched.handled != handled);
	m->sched.last = UINT64_MAX;
	cpu_set_last_instruction(m->cpu, UINT64_MAX);
}

/* The same with checkpoints near the end. */
static void approach(struct history *h, struct position to)
{
	static const u64 steps[] = { FAR_STEP, NEAR_STEP };

	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (to.insns > steps[i] && cpu_instructions(h->machine->cpu) + steps[i] < to.insns) {
			history_run_to(h, (struct position){ to.insns - steps[i], ANY_EVENTS });
			checkpoint_add(h);
		}
	history_run_to(h, to);
}

/* The latest checkpoint at or before a place; count: there is none. */
static unsigned checkpoint_before(const struct history *h, struct position to)
{
	unsigned i = h->count;

	while (i && before(to, checkpoint_at(h, i - 1)))
		i--;
	return i ? i - 1 : h->count;
}

void history_run_again(struct history *h, struct position to)
{
	const unsigned k = checkpoint_before(h, to), change = checkpoint_of_change(h);

	note_frontier(h);
	checkpoint_restore(h, k == h->count || k < change ? change : k);
	if (before(history_now(h), to))
		history_run_to(h, (struct position){ to.insns, ANY_EVENTS });
}

static bool go_back_to(struct history *h, struct position to)
{
	const unsigned k = checkpoint_before(h, to);

	note_frontier(h);
	if (k == h->count)
		return false;
	checkpoint_restore(h, k);
	approach(h, to);
	return true;
}

bool history_go_to(struct history *h, u64 insns)
{
	if (insns < cpu_instructions(h->machine->cpu))
		return go_back_to(h, (struct position){ insns, ANY_EVENTS });
	history_look(h); /* what the debugger has changed is part of the way back */
	history_run_to(h, (struct position){ insns, ANY_EVENTS });
	return true;
}

bool history_event_back(struct history *h)
{
	const struct position now = history_now(h);

	return now.events && go_back_to(h, (struct position){ now.insns, now.events - 1 });
}

bool history_step_back(struct history *h)
{
	const u64 insns = cpu_instructions(h->machine->cpu);

	if (insns && history_go_to(h, insns - 1))
		return true;
	checkpoint_restore(h, 0);
	return false;
}

/* Runs from where the machine is to `end`, or to candidate number `most`; returns how many there were. */
static u64 run_through(struct history *h, struct position end, history_filter *filter, void *ctx, u64 most, enum machine_pause *found)
{
	struct machine *m = h->machine;
	u64 n = 0;

	cpu_set_last_instruction(m->cpu, end.insns);
	m->sched.last = end.events;
	while (before(history_now(h), end) && m->stop == STOP_NONE) {
		const bool asleep = cpu_instructions(m->cpu) >= end.insns;
		const u64 handled = m->sched.handled;
		const enum machine_pause pause = asleep ? machine_sleep_on(m, h->limits) : run_on(h);

		/* a breakpoint is reached before its instruction: it must lie before the end */
		if ((pause == PAUSE_BREAK || pause == PAUSE_WATCH) && (pause == PAUSE_WATCH || before(history_now(h), end)) && filter(ctx, pause)) {
			*found = pause;
			if (++n == most)
				break;
		}
		if (pause == PAUSE_LOOKED && filter(ctx, pause)) {
			*found = pause;
			break;
		}
		if (asleep && m->sched.handled == handled)
			break;
	}
	cpu_set_last_instruction(m->cpu, UINT64_MAX);
	m->sched.last = UINT64_MAX;
	return n;
}

bool history_run_back(struct history *h, history_filter *filter, void *ctx, enum machine_pause *found)
{
	struct position end = history_now(h);

	*found = PAUSE_NONE;
	note_frontier(h);
	for (unsigned k = h->count; k--;) {
		const struct position from = checkpoint_at(h, k);

		if (!before(from, end) && k)
			continue;
		checkpoint_restore(h, k);
		const u64 hits = run_through(h, end, filter, ctx, UINT64_MAX, found);
		checkpoint_restore(h, k);
		if (hits && *found != PAUSE_LOOKED)
			run_through(h, end, filter, ctx, hits, found);
		if (*found == PAUSE_LOOKED)
			go_back_to(h, end);
		if (*found != PAUSE_NONE)
			return true;
		end = from;
	}
	return false;
}
