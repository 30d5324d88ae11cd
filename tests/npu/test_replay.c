/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs on a stream that was run before end as on an NPU that has never seen it. */
#include <criterion/criterion.h>
#include <string.h>

#include "memory/sched.h"
#include "memory/state.h"
#include "npu/plan.h"
#include "tests/npu/rig.h"

enum { HERTZ = 500000000, STAGES = 4 };

static void fill(struct rig *r, unsigned seed)
{
	for (unsigned i = 0; i < 0x200; i++)
		r->memory[i] = (u8)(i * 7 + seed * 31);
}

/* A chain of additions, with waits between. */
static void write_stream(struct rig *r)
{
	r->words = 0;
	rig_add_op(r, 16);
	for (unsigned i = 1; i < STAGES; i++) {
		rig_c1(r, NPU_CMD_IFM_BASE0, 0x100 * (i + 1));
		rig_c1(r, NPU_CMD_OFM_BASE0, 0x100 * (i + 2));
		rig_c0(r, NPU_CMD_KERNEL_WAIT, 0);
		rig_c0(r, NPU_CMD_ELEMENTWISE, NPU_EW_ADD);
	}
	rig_stop(r);
}

static void finish(struct rig *r)
{
	while (r->sched.count)
		sched_run(&r->sched, r->sched.now + 1000);
}

/* What happened in the last job, before which the events were *before, and in a fresh NPU's only one. */
static void expect_events(const struct rig *r, const u64 before[NPU_EVENTS], const struct rig *fresh, const char *what)
{
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		if (e != NPU_EVENT_CYCLE && e != NPU_EVENT_NPU_IDLE)
			cr_expect_eq(npu_result(r->npu)->event[e] - before[e], npu_result(fresh->npu)->event[e], "%s: event %u", what, e);
}

static void expect_same(const struct rig *a, const struct rig *b, const char *what)
{
	const struct npu_result *x = npu_result(a->npu), *y = npu_result(b->npu);

	cr_expect_eq(memcmp(a->memory, b->memory, sizeof a->memory), 0, "%s: memory", what);
	cr_expect_eq(x->end, y->end, "%s: end", what);
	cr_expect_eq(x->cycles, y->cycles, "%s: cycles", what);
	cr_expect_eq(x->operations, y->operations, "%s", what);
	cr_expect_eq(x->offset, y->offset, "%s", what);
	for (u32 offset = 0x800; offset < 0xc00; offset += 4)
		cr_expect_eq(npu_read(a->npu, offset), npu_read(b->npu, offset), "%s: register %x", what, offset);
}

/* One more job, and the same on a fresh NPU. */
static void run_both(struct rig *r, const char *accelerator, u64 hertz, const struct npu_adapter *adapter, const char *what)
{
	struct rig fresh;

	rig_open(&fresh, accelerator, hertz);
	memcpy(fresh.memory, r->memory, sizeof fresh.memory);
	fresh.words = r->words;
	for (unsigned port = 0; adapter && port < NPU_PORTS; port++) {
		npu_set_adapter(fresh.npu, port, adapter);
		npu_set_adapter(r->npu, port, adapter);
	}
	u64 before[NPU_EVENTS];
	memcpy(before, npu_result(r->npu)->event, sizeof before);
	rig_start(r);
	rig_start(&fresh);
	finish(r);
	finish(&fresh);
	expect_same(r, &fresh, what);
	expect_events(r, before, &fresh, what);
	rig_close(&fresh);
}

static void change_word(struct rig *r)
{
	u32 word;

	for (u32 i = 0; i < r->words; i++) {
		memcpy(&word, r->memory + RIG_STREAM + 4 * i, 4);
		if ((word & NPU_CMD_MASK) != NPU_CMD_OFM_DEPTH_M1)
			continue;
		word = NPU_CMD_OFM_DEPTH_M1 | 7u << 16;
		memcpy(r->memory + RIG_STREAM + 4 * i, &word, 4);
	}
}

/* More jobs, each with a difference, and those around it without. */
static void jobs(struct rig *r, const char *accelerator, u64 hertz, bool words_change)
{
	static const struct npu_adapter slow = { .read_latency = 300, .write_latency = 200, .window = 100, .open = 50, .cap = 7 };

	write_stream(r);
	for (unsigned i = 0; i < 6; i++) {
		fill(r, i);
		run_both(r, accelerator, hertz, NULL, "again");
	}
	if (words_change)
		change_word(r); /* in the middle: the first operation's commands */
	for (unsigned i = 0; i < 5; i++) {
		fill(r, i);
		run_both(r, accelerator, hertz, NULL, "another depth");
	}
	for (unsigned i = 0; i < 5; i++)
		run_both(r, accelerator, hertz, &slow, "another memory");
	r->words -= 1; /* ends without NPU_OP_STOP */
	for (unsigned i = 0; i < 3; i++)
		run_both(r, accelerator, hertz, &slow, "shorter");
	if (!words_change)
		return;
	write_stream(r);
	rig_c0(r, NPU_CMD_KERNEL_WAIT, 0);
	for (unsigned i = 0; i < 5; i++)
		run_both(r, accelerator, hertz, &slow, "longer");
}

static void jobs_on_a_rig(const char *accelerator, u64 hertz)
{
	struct rig r;

	rig_open(&r, accelerator, hertz);
	jobs(&r, accelerator, hertz, true);
	rig_close(&r);
}

Test(npu_replay, jobs_again_at_once)
{
	jobs_on_a_rig("ethos-u55-128", 0);
	jobs_on_a_rig("ethos-u65-256", 0);
}

Test(npu_replay, jobs_again_in_time)
{
	jobs_on_a_rig("ethos-u55-128", HERTZ);
}

/* Memory that stays where it is, and a stream that changes, or is known not to. */
Test(npu_replay, jobs_again_on_memory_that_stays)
{
	struct rig r;

	rig_open_still(&r, "ethos-u55-128", 0);
	jobs(&r, "ethos-u55-128", 0, true);
	rig_close(&r);
	rig_open_still(&r, "ethos-u55-128", 0x1000);
	jobs(&r, "ethos-u55-128", 0, false);
	rig_close(&r);
}

/* The same addresses are other host memory from one job to the next. */
Test(npu_replay, memory_that_moves)
{
	static u8 other[RIG_BYTES + 16];
	struct rig r, fresh;

	rig_open(&r, "ethos-u55-128", 0);
	write_stream(&r);
	for (unsigned i = 0; i < 8; i++) {
		fill(&r, i);
		rig_open(&fresh, "ethos-u55-128", 0);
		memcpy(fresh.memory, r.memory, sizeof fresh.memory);
		fresh.words = r.words;
		memcpy(other, r.memory, sizeof other);
		r.elsewhere = i >= 5 ? other : NULL;
		rig_start(&r);
		rig_start(&fresh);
		cr_expect_eq(memcmp(i >= 5 ? other : r.memory, fresh.memory, sizeof other), 0, "job %u", i);
		rig_close(&fresh);
	}
	rig_close(&r);
}

/* The guest changes commands that have not been read yet, in a job whose like has been run before. */
Test(npu_replay, stream_changed_while_the_job_runs)
{
	struct rig r, fresh;
	struct rig *both[] = { &r, &fresh };

	rig_open(&r, "ethos-u55-128", HERTZ);
	rig_open(&fresh, "ethos-u55-128", HERTZ);
	write_stream(&r);
	for (unsigned i = 0; i < 3; i++) {
		fill(&r, i);
		rig_start(&r);
		finish(&r);
	}
	memcpy(fresh.memory, r.memory, sizeof r.memory);
	fresh.words = r.words;
	for (unsigned i = 0; i < 2; i++) {
		rig_start(both[i]);
		sched_run(&both[i]->sched, both[i]->sched.now + 1); /* the first operation is under way */
		const u32 last = both[i]->words - 2, sub = NPU_CMD_ELEMENTWISE | NPU_EW_SUB << 16;
		memcpy(both[i]->memory + RIG_STREAM + 4 * last, &sub, 4);
		finish(both[i]);
	}
	expect_same(&r, &fresh, "changed");
	rig_close(&r);
	rig_close(&fresh);
}

/* A reset in the middle of a job that follows an earlier one: the next one starts from zero registers. */
Test(npu_replay, reset_while_the_job_runs)
{
	struct rig r;

	rig_open(&r, "ethos-u55-128", HERTZ);
	write_stream(&r);
	for (unsigned i = 0; i < 4; i++) {
		rig_start(&r);
		if (i == 3)
			npu_write(r.npu, REG_RESET, 0);
		finish(&r);
	}
	cr_expect_eq(npu_result(r.npu)->end, NPU_END_RESET);
	for (unsigned i = 0; i < 3; i++)
		run_both(&r, "ethos-u55-128", HERTZ, NULL, "after the reset");
	rig_close(&r);
}

/* Without a reset registers keep what the job before left: the same stream means something else. */
Test(npu_replay, registers_left_behind)
{
	struct rig r, fresh;

	rig_open(&r, "ethos-u55-128", 0);
	write_stream(&r);
	for (unsigned i = 0; i < 3; i++) {
		fill(&r, i);
		rig_start(&r);
	}
	for (unsigned i = 0; i < 4; i++) {
		rig_open(&fresh, "ethos-u55-128", 0);
		memcpy(fresh.memory, r.memory, sizeof r.memory);
		fresh.words = r.words;
		rig_start(&fresh);
		rig_start(&r);
		for (unsigned job = 0; job <= i; job++) {
			npu_write(fresh.npu, REG_CMD, 1);
			npu_write(r.npu, REG_CMD, 1);
		}
		expect_same(&r, &fresh, "not reset");
		rig_close(&fresh);
	}
	rig_close(&r);
}

/* As of a network with operators that the processor does in between. The streams differ in a region that they do not name. */
static void start_stream(struct rig *r, unsigned stream)
{
	const u64 base[8] = { RIG_BASE, RIG_BASE, RIG_BASE, RIG_BASE, RIG_BASE, RIG_BASE, RIG_BASE, RIG_BASE + 16 * stream };

	npu_start(r->npu, NPU_MEMORY_SHARED, RIG_BASE + RIG_STREAM, 4 * r->words, base, 8);
}

static unsigned followed(const struct npu *n)
{
	unsigned count = 0;

	for (unsigned i = 0; i < NPU_PLANS; i++)
		count += n->replay.plan[i] && n->replay.plan[i]->whole;
	return count;
}

static void in_turn(unsigned streams, unsigned expected)
{
	struct rig r, fresh;

	rig_open(&r, "ethos-u55-128", 0);
	write_stream(&r);
	for (unsigned i = 0; i < 4 * streams; i++) {
		fill(&r, i);
		rig_open(&fresh, "ethos-u55-128", 0);
		memcpy(fresh.memory, r.memory, sizeof r.memory);
		fresh.words = r.words;
		start_stream(&fresh, i % streams);
		start_stream(&r, i % streams);
		expect_same(&r, &fresh, "in turn");
		rig_close(&fresh);
	}
	cr_expect_eq(followed(r.npu), expected, "%u streams", streams);
	rig_close(&r);
}

Test(npu_replay, streams_in_turn)
{
	in_turn(5, 5);
	in_turn(50, 50);
	in_turn(NPU_PLANS + 1, 0); /* each is forgotten before it comes again */
}

static void inventory(struct rig *r, struct state_list *list)
{
	memset(list, 0, sizeof *list);
	npu_state(r->npu, list);
	sched_state(&r->sched, list);
	state_add(list, "rig", "memory", 1, r->memory, sizeof r->memory);
}

/* The state while an operation of a replayed job is pending has that operation in it, whoever takes it. */
Test(npu_replay, state_of_a_job_that_runs)
{
	static struct state_list from, to;
	struct state_buffer state = { 0 };
	struct rig r, fresh;
	char why[200];

	rig_open(&r, "ethos-u55-128", HERTZ);
	rig_open(&fresh, "ethos-u55-128", HERTZ);
	write_stream(&r);
	for (unsigned i = 0; i < 4; i++) {
		fill(&r, i);
		rig_start(&r);
		if (i == 3)
			sched_run(&r.sched, r.sched.now + 1);
		else
			finish(&r);
	}
	inventory(&r, &from);
	inventory(&fresh, &to);
	cr_assert(state_save(&from, &state));
	cr_assert(state_restore(&to, state.data, state.bytes, why, sizeof why), "%s", why);
	finish(&r);
	finish(&fresh);
	expect_same(&r, &fresh, "restored");
	cr_expect_eq(npu_result(fresh.npu)->operations, STAGES);
	/* and where it came from */
	cr_assert(state_restore(&from, state.data, state.bytes, why, sizeof why), "%s", why);
	finish(&r);
	expect_same(&r, &fresh, "put back");
	state_buffer_free(&state);
	rig_close(&r);
	rig_close(&fresh);
}
