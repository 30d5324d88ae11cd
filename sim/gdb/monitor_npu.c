/* SPDX-License-Identifier: Apache-2.0 */
/* "monitor npu": state, the command stream around the present command, what the job's operations have cost so far. */
#include "sim/gdb/monitor.h"
#include "npu/cmd.h"
#include "sim/network/npu_names.h"

#include <string.h>

enum { STATUS_OFFSET = 0x04, QBASE = 0x10, QREAD = 0x18, QSIZE = 0x20, BEFORE = 8, AFTER = 8, COSTS = 16, HAS_PAYLOAD = 0x4000 };

static void job(void *ctx, bool running)
{
	struct npu_watch *w = ctx;

	if (running)
		w->operations = 0;
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct npu_watch *w = ctx;

	if (op->index < NPU_WATCH_OPERATIONS)
		w->cost[op->index] = (struct npu_watch_cost){ op->offset, cost->bound, cost->cycles, cost->start, npu_op_name(op) };
	w->operations = op->index + 1; /* a machine that has gone back comes by again */
}

void npu_watch_begin(struct npu_watch *w, struct machine *m)
{
	w->operations = 0;
	if (m->npu)
		machine_listen(m, &(struct machine_listener){ .npu = { .operation = operation, .job = job, .ctx = w }, .ctx = w, .again = true });
}

static void print_state(struct gdb *g)
{
	struct machine *m = g->machine;
	const struct npu_result *r = npu_result(m->npu);
	const bool busy = npu_busy(m->npu);

	monitor_print(g, "%s: %s; %llu jobs since reset, %llu cycles active; STATUS 0x%08x\n", m->config.npu->name, busy ? "runs a job" : "idle",
		      (unsigned long long)r->jobs, (unsigned long long)r->total_cycles, npu_peek(m->npu, STATUS_OFFSET));
	if (!busy)
		monitor_print(g, "last job: %u operations, ended at offset 0x%x of its command stream%s%s\n", r->operations, r->offset,
			      *r->message ? "; " : "", r->message);
}

/* The word at that offset of the command stream; false: not memory that the NPU sees. */
static bool stream_word(const struct gdb *g, u32 offset, u32 *word)
{
	const u64 base = npu_peek(g->machine->npu, QBASE);
	const u8 *at = bus_span(g->machine->bus, BUS_NPU, base + offset, 4);

	if (at)
		memcpy(word, at, sizeof *word);
	return at != NULL;
}

struct command_at { u32 offset, word, payload; bool has_payload; };

/* The command at an offset; false: the stream ends there. */
static bool command_at(const struct gdb *g, u32 offset, u32 size, struct command_at *c)
{
	*c = (struct command_at){ .offset = offset };
	if (offset >= size || !stream_word(g, offset, &c->word))
		return false;
	c->has_payload = c->word & HAS_PAYLOAD;
	return !c->has_payload || stream_word(g, offset + 4, &c->payload);
}

static void print_command(struct gdb *g, const struct npu_command_index *rows, const struct command_at *c, bool here)
{
	const struct npu_command_info *row = npu_command_find(rows, c->word);
	const u64 parameter = c->word >> 16;
	char text[256];

	if (row)
		npu_command_text(row, c->has_payload ? c->payload | parameter << 32 : parameter, text, sizeof text);
	else
		snprintf(text, sizeof text, "unknown command 0x%08x", c->word);
	monitor_print(g, "%s %5x: %s\n", here ? "=>" : "  ", c->offset, text);
}

/* Commands have different lengths: the way to the present one begins at the first. */
static void print_stream(struct gdb *g)
{
	const u32 at = npu_peek(g->machine->npu, QREAD), size = npu_peek(g->machine->npu, QSIZE);
	struct npu_command_index rows;
	struct command_at last[BEFORE], c;
	unsigned before = 0, after = 0;
	u32 offset = 0;

	npu_command_index_build(&rows, g->machine->config.npu->product);
	for (; offset < at && command_at(g, offset, size, &c); offset += c.has_payload ? 8 : 4)
		last[before++ % BEFORE] = c;
	for (unsigned i = before > BEFORE ? before - BEFORE : 0; i < before; i++)
		print_command(g, &rows, &last[i % BEFORE], false);
	for (; after < AFTER && command_at(g, offset, size, &c); after++, offset += c.has_payload ? 8 : 4)
		print_command(g, &rows, &c, c.offset == at);
}

static void print_costs(struct gdb *g)
{
	const struct npu_watch *w = &g->npu;
	const u32 kept = w->operations < NPU_WATCH_OPERATIONS ? w->operations : NPU_WATCH_OPERATIONS;
	u64 sum = 0;

	if (!kept)
		return;
	for (u32 i = 0; i < kept; i++)
		sum += w->cost[i].cycles;
	monitor_print(g, "operations done: %u, %llu cycles; the latest:\n", w->operations, (unsigned long long)sum);
	for (u32 i = kept > COSTS ? kept - COSTS : 0; i < kept; i++) {
		const char *name = npu_names_find(g->machine->npu_names, w->cost[i].offset);

		monitor_print(g, "  %4u at 0x%x: %-12s %10llu cycles from %llu on, bound by %s%s%s\n", i, w->cost[i].offset, w->cost[i].name,
			      (unsigned long long)w->cost[i].cycles, (unsigned long long)w->cost[i].start, npu_bound_name(w->cost[i].bound), name ? "; " : "", name ? name : "");
	}
}

void monitor_npu(struct gdb *g, const char *rest)
{
	(void)rest;
	if (!g->machine->npu) {
		monitor_print(g, "the machine has no NPU\n");
		return;
	}
	print_state(g);
	print_stream(g);
	print_costs(g);
}
