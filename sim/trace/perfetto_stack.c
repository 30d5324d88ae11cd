/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the main stack is in use, on the time axis: from the highest place where its pointer has been down to where it is at
 * branches, calls and returns. A program calls all the time: the deepest place of each piece of time is told. */
#include "sim/trace/perfetto_trace.h"

static void put(struct trace *t, struct perfetto_stack *k, u64 piece, u32 bytes)
{
	struct perfetto_trace *s = t->state;

	if (bytes != k->told)
		perfetto_value(&s->out, TRACK_STACK + (u64)(k - s->stack), piece * PERFETTO_PIECE, bytes);
	k->told = bytes;
}

/* What is told last holds until there is news. */
static void end_piece(struct trace *t, struct perfetto_stack *k, u64 next)
{
	put(t, k, k->piece, k->top - k->lowest);
	if (next > k->piece + 1)
		put(t, k, k->piece + 1, k->top - k->pointer);
}

void perfetto_stack(struct trace *t, u64 cycle)
{
	const struct cpu *cpu = t->machine->cpu;
	struct perfetto_trace *s = t->state;
	const bool secure = cpu_get_reg(cpu, CPU_REG_SECURE);
	struct perfetto_stack *k = &s->stack[secure];
	const u32 pointer = cpu_get_reg(cpu, CPU_REG_MSP);
	const u64 piece = perfetto_ns(t, cycle) / PERFETTO_PIECE;

	if (cycle < t->filter.from || cycle > t->filter.to)
		return;
	if (!k->known)
		perfetto_counter(&s->out, TRACK_STACK + secure, secure ? "main stack (Secure)" : "main stack (Non-secure)", "bytes");
	if (!k->known)
		*k = (struct perfetto_stack){ .known = true, .top = pointer, .lowest = pointer, .pointer = pointer, .piece = piece, .told = UINT32_MAX };
	if (k->piece != piece) {
		end_piece(t, k, piece);
		k->piece = piece;
		k->lowest = k->pointer;
	}
	k->top = pointer > k->top ? pointer : k->top;
	k->lowest = pointer < k->lowest ? pointer : k->lowest;
	k->pointer = pointer;
}

void perfetto_stack_end(struct trace *t)
{
	struct perfetto_trace *s = t->state;

	for (unsigned i = 0; i < ARRAY_LEN(s->stack); i++)
		if (s->stack[i].known)
			end_piece(t, &s->stack[i], UINT64_MAX);
}
