/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/history/trail.h"
#include "sim/history/checkpoint.h"
#include "sim/backtrace.h"

#include <stdio.h>

/* Instructions that are observed: as a rule 32 branches are in the last of them; a loop that nothing can end is found out
 * after some millions. */
static const u64 stretches[] = { 200000, 20000000 };

/* Half a second of the host between checkpoints, of which two are enough; pages that change meanwhile are copied. */
#define TRAIL_CYCLES UINT64_C(500000000)
#define TRAIL_SLOW_CYCLES UINT64_C(25000000) /* the engines for comparison are that much slower */
#define TRAIL_BYTES (UINT64_C(64) << 20)
#define TRAIL_INPUTS (UINT64_C(16) << 20) /* from outside: scripts and files may send many in that time */

const struct trail_branch *trail_branch(const struct trail_branches *b, unsigned i)
{
	const u64 lost = b->count > TRAIL_BRANCHES ? b->count - TRAIL_BRANCHES : 0;

	return lost + i < b->count ? &b->branch[(lost + i) % TRAIL_BRANCHES] : NULL;
}

const char *trail_branch_kind(const struct trail_branch *b, char *text, size_t size)
{
	static const char *const kinds[] = { [CPU_TURN_BRANCH] = "branch", [CPU_TURN_CALL] = "call", [CPU_TURN_RETURN] = "return",
		[CPU_TURN_EXIT] = "exception return" };

	if (b->turn == CPU_TURN_ENTRY)
		return backtrace_exception(b->exception, text, size);
	snprintf(text, size, "%s", kinds[b->turn]);
	return text;
}

static void course(void *ctx, const struct cpu_course *t)
{
	struct trail_branches *b = ctx;
	const u32 from = t->turn == CPU_TURN_ENTRY ? t->end : t->at;
	struct trail_branch *last = b->count ? &b->branch[(b->count - 1) % TRAIL_BRANCHES] : NULL;

	if (t->turn == CPU_TURN_SLEEP || t->turn == CPU_TURN_MOVED)
		return;
	if (last && last->from == from && last->to == t->to && last->turn == t->turn)
		last->times++;
	else
		b->branch[b->count++ % TRAIL_BRANCHES] = (struct trail_branch){ from, t->to, 1, t->exception, t->secure, t->turn };
}

/* Records what the machine does from here to `to`, and leaves it there; it must have gone back before. */
static void follow(struct history *h, struct position to, struct trail_branches *out)
{
	const struct cpu_observer observer = { .course = course, .ctx = out };

	if (!cpu_observe(h->machine->cpu, &observer))
		return;
	history_run_to(h, to);
	cpu_unobserve(h->machine->cpu, out);
}

/* Goes back, and comes by again. */
static void repeat(struct history *h, struct position end, struct trail_branches *out)
{
	struct machine *m = h->machine;

	for (size_t i = 0; i < ARRAY_LEN(stretches) && (!i || (out->cut && out->count < TRAIL_BRANCHES)) && !machine_stop_asked(m); i++) {
		history_run_again(h, (struct position){ end.insns > stretches[i] ? end.insns - stretches[i] : 0, 0 });
		out->cut = cpu_instructions(m->cpu) != 0;
		out->count = 0;
		follow(h, end, out);
	}
}

bool trail_last_branches(struct history *h, struct trail_branches *out)
{
	struct machine *m = h->machine;
	const struct position end = history_now(h);
	struct checkpoint *present = h->count && !h->short_of_memory && !machine_stop_asked(m) ? checkpoint_of_present(h, TRAIL_BYTES) : NULL;

	*out = (struct trail_branches){ .count = 0 };
	if (!present)
		return false;
	repeat(h, end, out);
	checkpoint_return(h, present);
	if (machine_stop_asked(m))
		out->count = 0;
	return out->count != 0;
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct trail *t = ctx;

	t->operation[t->operations++ % TRAIL_OPERATIONS] = (struct trail_operation){ *op, *cost, npu_result(t->history.machine->npu)->jobs };
}

const struct trail_operation *trail_operation(const struct trail *t, unsigned i)
{
	const u64 lost = t->operations > TRAIL_OPERATIONS ? t->operations - TRAIL_OPERATIONS : 0;

	return lost + i < t->operations ? &t->operation[(lost + i) % TRAIL_OPERATIONS] : NULL;
}

void trail_begin(struct trail *t, struct machine *m, const struct limits *limits)
{
	const bool fast = m->config.cpu.engine == CPU_ENGINE_TAIL;
	const struct history_options options = {
		.bytes = TRAIL_BYTES, .cycles = fast ? TRAIL_CYCLES : TRAIL_SLOW_CYCLES, .inputs = TRAIL_INPUTS, .checkpoints = 2, .dispensable = true,
	};

	*t = (struct trail){ .kept = false };
	t->kept = history_begin(&t->history, m, limits, &options);
	machine_listen(m, &(struct machine_listener){ .npu = { .operation = operation, .ctx = t }, .ctx = t });
}

struct look { struct trail *trail; const struct run_host *host; };

static void look(void *ctx, struct machine *m)
{
	const struct look *l = ctx;
	int none = PAUSE_NONE;

	if (l->host && l->host->look)
		l->host->look(l->host->ctx, m);
	if (l->trail->kept && history_is_due(&l->trail->history))
		__atomic_compare_exchange_n(&m->pause, &none, PAUSE_LOOKED, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* Too much to be copied: the past is given up. */
static void check_size(struct trail *t)
{
	if (!t->history.short_of_memory && t->history.bytes <= TRAIL_BYTES)
		return;
	history_end(&t->history);
	t->kept = false;
}

void trail_run(struct trail *t, const struct run_host *host)
{
	struct machine *m = t->history.machine;
	struct look l = { t, host };
	const struct run_host mine = { .look = look, .ctx = &l };

	do {
		if (t->kept) {
			history_look(&t->history);
			check_size(t);
		}
		machine_run(m, t->history.limits, &mine);
	} while (m->stop == STOP_NONE && m->pause == PAUSE_LOOKED);
}

void trail_stop(struct trail *t)
{
	machine_unlisten(t->history.machine, t);
}

void trail_end(struct trail *t)
{
	if (t->kept)
		history_end(&t->history);
	t->kept = false;
}
