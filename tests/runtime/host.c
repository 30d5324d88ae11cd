/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/runtime/host.h"
#include "runtime/core/format.h"
#include "runtime/delegate/vela_stream.h"
#include "runtime/ethosu/payload.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 1 << 20, PLANNED_BYTES = 1 << 20, TEMP_BYTES = 1 << 18, ALIGNMENT = 16 };

static bool prepare(struct kernel_context *c, struct method *m, struct delegate *d)
{
	struct vela_stream *s = memory_table(m->environment->tables, 1, sizeof *s);
	struct ethosu_payload payload;

	d->state = s;
	if (!s || !vela_stream_read(m->program, d->data, s, c->why, sizeof c->why))
		return s != NULL ? false : kernel_fail(c, "tables are full");
	if (!ethosu_payload_read(s->commands.data, (uint32_t)s->commands.bytes, &payload))
		return kernel_fail(c, "payload is damaged");
	for (uint32_t i = 0; i < payload.stream_bytes / 4; i++) /* all of it can be read */
		if (payload.stream[i] == 0xdeadbeef)
			return kernel_fail(c, "a word that no stream has");
	return true;
}

static bool run(struct kernel_context *c, struct method *m, struct delegate *d, struct value *const *args, unsigned count)
{
	const struct vela_stream *s = d->state;

	(void)m;
	if (count < s->inputs.count + s->outputs.count)
		return kernel_fail(c, "too few arguments");
	for (uint32_t i = s->inputs.count; i < s->inputs.count + s->outputs.count; i++) {
		const struct tensor *t = args[i]->kind == VALUE_TENSOR ? args[i]->as.tensor : NULL;

		if (!t || !t->data || t->is_constant)
			return kernel_fail(c, "output %u is not to be written", (unsigned)i);
		memset(t->data, 0, tensor_bytes(t));
	}
	return true;
}

static const struct backend ethosu = { .id = "EthosUBackend", .prepare = prepare, .run = run };
static const struct backend *const backends[] = { &ethosu, NULL };

static uint8_t *aligned_copy(const void *bytes, size_t size)
{
	uint8_t *copy = aligned_alloc(ALIGNMENT, (size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1));

	memcpy(copy, bytes, size);
	return copy;
}

static bool open_program(struct host_program *h, const void *bytes, size_t size, size_t table_bytes, size_t planned_bytes)
{
	*h = (struct host_program){ .file = aligned_copy(bytes, size), .file_bytes = size,
				    .tables = { .base = malloc(table_bytes), .bytes = table_bytes, .name = "table" },
				    .planned = { .base = calloc(1, planned_bytes), .bytes = planned_bytes, .name = "planned" } };
	h->environment = (struct method_environment){ .tables = &h->tables, .planned = &h->planned,
						      .temp = malloc(TEMP_BYTES), .temp_bytes = TEMP_BYTES,
						      .kernels = kernel_table, .kernel_count = kernel_count,
						      .backends = backends };
	return program_open(&h->program, h->file, size, h->why, sizeof h->why);
}

static bool load_method(struct host_program *h, const char *method)
{
	if (method_load(&h->method, &h->program, method, &h->environment))
		return true;
	format_text(h->why, sizeof h->why, "%s", h->method.why);
	return false;
}

bool host_load(struct host_program *h, const void *bytes, size_t size, const char *method)
{
	return host_load_in(h, bytes, size, method, TABLE_BYTES, PLANNED_BYTES);
}

bool host_load_in(struct host_program *h, const void *bytes, size_t size, const char *method, size_t table_bytes,
		  size_t planned_bytes)
{
	return open_program(h, bytes, size, table_bytes, planned_bytes) && load_method(h, method);
}

bool host_load_data(struct host_program *h, const void *bytes, size_t size, struct span data)
{
	if (!open_program(h, bytes, size, TABLE_BYTES, PLANNED_BYTES))
		return false;
	h->data_bytes = aligned_copy(data.data, data.bytes);
	h->program.data = &h->data;
	return data_file_open(&h->data, h->data_bytes, data.bytes, h->why, sizeof h->why) && load_method(h, NULL);
}

void host_close(struct host_program *h)
{
	free(h->file);
	free(h->data_bytes);
	free(h->tables.base);
	free(h->planned.base);
	free(h->environment.temp);
}
