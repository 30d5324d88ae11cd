/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

static void irq_changed(void *ctx, unsigned number, bool level)
{
	struct rig *r = ctx;

	cr_assert(ne(int, r->irq[number], level), "irq %u: only changes are passed on", number);
	r->irq[number] = level;
	r->irq_changes[number]++;
}

static void wait_changed(void *ctx, unsigned number, bool level)
{
	((struct rig *)ctx)->waits = level;
}

static void nmi_changed(void *ctx, unsigned number, bool level)
{
	((struct rig *)ctx)->nmi = level;
}

static void reset_changed(void *ctx, unsigned number, bool level)
{
	struct rig *r = ctx;

	r->resets += level;
	if (level)
		r->last_reset = (int)number;
}

static void lock_changed(void *ctx, unsigned number, bool level)
{
	u32 *locks = &((struct rig *)ctx)->locks;

	*locks = level ? *locks | 1u << number : *locks & ~(1u << number);
}

static void debug_changed(void *ctx, unsigned number, bool level)
{
	u32 *low = &((struct rig *)ctx)->debug_low;

	*low = level ? *low | 1u << number : *low & ~(1u << number);
}

static void message(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	struct rig *r = ctx;

	r->messages++;
	snprintf(r->last_message, sizeof(r->last_message), "%s %s", id, text);
}

struct rig *rig_new(bool gating)
{
	return rig_new_board(board_find("corstone-300"), gating);
}

struct rig *rig_new_board(const struct board *board, bool gating)
{
	struct rig *r = calloc(1, sizeof(*r));

	r->diag = (struct diag){message, r};
	r->bus = bus_new(&r->diag);
	sched_init(&r->sched);
	for (unsigned i = 0; i < board->memory_count; i++)
		cr_assert(board_add_memory(r->bus, &board->memories[i], board->memories[i].bytes));
	r->set = device_set_new(board->devices, board->device_count, &(struct device_host){
		.bus = r->bus, .sched = &r->sched, .diag = &r->diag,
		.clock_hz = board->cpu.clock_hz, .gating = gating,
		.out = {.irq = {irq_changed, r, 0}, .nmi = {nmi_changed, r, 0}, .wait = {wait_changed, r, 0},
			.reset = {reset_changed, r, 0}, .lock = {lock_changed, r, 0}, .debug = {debug_changed, r, 0}},
	});
	cr_assert(r->set != NULL, "%s", r->last_message);
	return r;
}

void rig_free(struct rig *r)
{
	device_set_free(r->set);
	bus_free(r->bus);
	free(r);
}

u32 rig_read(struct rig *r, u32 addr)
{
	const struct bus_attr attr = {true, true, BUS_CPU};
	u32 value = 0;

	cr_assert(eq(int, bus_read(r->bus, addr, 4, attr, &value), BUS_OK), "read 0x%08x", addr);
	return value;
}

void rig_write(struct rig *r, u32 addr, u32 value)
{
	const struct bus_attr attr = {true, true, BUS_CPU};

	cr_assert(eq(int, bus_write(r->bus, addr, 4, attr, value), BUS_OK), "write 0x%08x", addr);
}

void rig_wait(struct rig *r, u64 ticks)
{
	sched_run(&r->sched, r->sched.now + ticks);
}
