/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/delegate/ethosu_delegate.h"
#include "runtime/delegate/vela_stream.h"
#include "runtime/start/cortex_m.h"

#include <string.h>

#define SCRATCH_ALIGNMENT 32 /* a line of the data cache */

struct handle {
	struct vela_stream stream;
	bool is_flushed; /* the payload and the weights are in memory, not in the data cache */
};

static struct ethosu_places *places;
static uint8_t *large_scratch;
static size_t large_bytes;
static struct ethosu_totals totals;

void ethosu_delegate_init(struct ethosu_places *p)
{
	places = p;
	large_scratch = NULL;
	large_bytes = 0;
}

struct ethosu_totals ethosu_totals_get(void)
{
	return totals;
}

void ethosu_totals_clear(void)
{
	totals = (struct ethosu_totals){ 0 };
}

static bool is_fast(size_t bytes)
{
	return places->fast_is_scratch && bytes <= places->fast_bytes;
}

/* Makes sure that there is scratch memory of this size. */
static bool reserve_scratch(struct kernel_context *c, size_t bytes)
{
	if (is_fast(bytes) || bytes <= large_bytes)
		return true;
	large_scratch = memory_take(places->large, bytes, SCRATCH_ALIGNMENT);
	large_bytes = large_scratch ? bytes : 0;
	return large_scratch || kernel_fail(c, "it needs %zu bytes of scratch memory, %zu more than are left", bytes,
					    places->large->short_by);
}

static bool prepare(struct kernel_context *c, struct method *m, struct delegate *d)
{
	struct handle *h = memory_table(m->environment->tables, 1, sizeof *h);
	struct vela_io io;

	if (!h)
		return kernel_fail(c, "the %s memory is too small", m->environment->tables->name);
	d->state = h;
	if (!vela_stream_read(m->program, d->data, &h->stream, c->why, sizeof c->why))
		return false;
	for (uint32_t i = 0; i < h->stream.inputs.count; i++)
		if (!vela_stream_io(&h->stream, &h->stream.inputs, i, &io))
			return kernel_fail(c, "input %u lies outside of its memory: the program is damaged", (unsigned)i);
	for (uint32_t i = 0; i < h->stream.outputs.count; i++)
		if (!vela_stream_io(&h->stream, &h->stream.outputs, i, &io))
			return kernel_fail(c, "output %u lies outside of its memory: the program is damaged", (unsigned)i);
	return reserve_scratch(c, h->stream.scratch_bytes);
}

static bool check_tensor(struct kernel_context *c, const struct value *v, const char *what, uint32_t index)
{
	if (v->kind != VALUE_TENSOR || (!v->as.tensor->data && tensor_elements(v->as.tensor)))
		return kernel_fail(c, "%s %u is not a tensor with data", what, (unsigned)index);
	switch (v->as.tensor->type) {
	case DTYPE_INT8:
	case DTYPE_UINT8:
	case DTYPE_INT16:
	case DTYPE_INT32:
	case DTYPE_BOOL:
		return true;
	default:
		return kernel_fail(c, "%s %u is of type %s, which the NPU does not know", what, (unsigned)index,
				   dtype_name(v->as.tensor->type));
	}
}

static bool copy_inputs(struct kernel_context *c, const struct vela_stream *s, uint8_t *scratch, struct value *const *args)
{
	for (uint32_t i = 0; i < s->inputs.count; i++) {
		struct vela_io io;

		if (!check_tensor(c, args[i], "input", i) || !vela_stream_io(s, &s->inputs, i, &io))
			return false;
		if (tensor_bytes(args[i]->as.tensor) != io.bytes)
			return kernel_fail(c, "input %u has %zu bytes, the NPU expects %u", (unsigned)i,
					   tensor_bytes(args[i]->as.tensor), (unsigned)io.bytes);
		memcpy(scratch + io.offset, args[i]->as.tensor->data, io.bytes);
	}
	return true;
}

/* The NPU's lines may be longer than the tensor's: what is behind a line's end is padding. */
static bool copy_lines(struct kernel_context *c, const struct vela_io *io, const uint8_t *from, const struct tensor *to,
		       uint32_t index)
{
	const size_t lines = io->line_bytes ? io->bytes / io->line_bytes : 0, bytes = tensor_bytes(to);
	const size_t line = lines ? bytes / lines : 0;

	if (!lines || bytes % lines || line > io->line_bytes)
		return kernel_fail(c, "output %u has %zu bytes, the NPU gives %u", (unsigned)index, bytes, (unsigned)io->bytes);
	for (size_t i = 0; i < lines; i++)
		memcpy((uint8_t *)to->data + i * line, from + i * io->line_bytes, line);
	return true;
}

static bool copy_outputs(struct kernel_context *c, const struct vela_stream *s, uint8_t *scratch,
			 struct value *const *args)
{
	for (uint32_t i = 0; i < s->outputs.count; i++) {
		const struct value *v = args[s->inputs.count + i];
		struct vela_io io;

		if (!check_tensor(c, v, "output", i) || !vela_stream_io(s, &s->outputs, i, &io))
			return false;
		if (v->as.tensor->is_constant)
			return kernel_fail(c, "output %u is a constant of the program", (unsigned)i);
		cortex_m_cache_drop(scratch + io.offset, io.bytes);
		if (tensor_bytes(v->as.tensor) == io.bytes)
			memcpy(v->as.tensor->data, scratch + io.offset, io.bytes);
		else if (!copy_lines(c, &io, scratch + io.offset, v->as.tensor, i))
			return false;
	}
	return true;
}

static void count_run(uint64_t wait_cycles)
{
	struct ethosu_counters c;

	ethosu_read_counters(&c);
	totals.runs++;
	totals.cycles += c.cycles;
	totals.wait_cycles += wait_cycles;
	totals.counters.cycles = c.cycles;
	totals.counters.active += c.active;
	totals.counters.axi0_read += c.axi0_read;
	totals.counters.axi0_write += c.axi0_write;
	totals.counters.axi1_read += c.axi1_read;
}

static bool run_npu(struct kernel_context *c, const struct method *m, struct handle *h, uint8_t *scratch)
{
	const struct vela_stream *s = &h->stream;
	const uint32_t bases[] = { (uint32_t)(uintptr_t)s->weights.data, (uint32_t)(uintptr_t)scratch,
				   (uint32_t)(uintptr_t)places->fast };
	const uint64_t start = cortex_m_cycles();
	enum ethosu_status status;

	if (!h->is_flushed) {
		cortex_m_cache_flush(s->commands.data, s->commands.bytes);
		cortex_m_cache_flush(s->weights.data, s->weights.bytes);
		h->is_flushed = true;
	}
	cortex_m_cache_flush(scratch, s->scratch_bytes);
	status = ethosu_run(s->commands.data, (uint32_t)s->commands.bytes, bases, 3);
	count_run(cortex_m_cycles() - start);
	if (m->environment->tracer)
		m->environment->tracer->event(m->environment->tracer, EVENT_NPU, "NPU", m->at, start,
					      start + totals.counters.cycles);
	if (status == ETHOSU_RUN_FAILED || status == ETHOSU_TIMED_OUT)
		return kernel_fail(c, "%s: STATUS %08x, at byte %u of its commands", ethosu_status_text(status),
				   (unsigned)ethosu_last_fault().status, (unsigned)ethosu_last_fault().position);
	return status == ETHOSU_OK || kernel_fail(c, "%s", ethosu_status_text(status));
}

static bool run(struct kernel_context *c, struct method *m, struct delegate *d, struct value *const *args, unsigned count)
{
	struct handle *h = d->state;
	uint8_t *scratch = is_fast(h->stream.scratch_bytes) ? places->fast : large_scratch;

	/* Vela 5.1 and 5.2 drop some outputs that the network reads, too: those of a convolution in front of a depthwise one. */
	if (count != h->stream.inputs.count + h->stream.outputs.count)
		return kernel_fail(c, "its call has %u inputs and outputs, Vela compiled it for %u and %u: results would be wrong", count,
				   (unsigned)h->stream.inputs.count, (unsigned)h->stream.outputs.count);
	return copy_inputs(c, &h->stream, scratch, args) && run_npu(c, m, h, scratch) &&
	       copy_outputs(c, &h->stream, scratch, args);
}

const struct backend ethosu_backend = { .id = "EthosUBackend", .prepare = prepare, .run = run };
