/* SPDX-License-Identifier: Apache-2.0 */
/* Machines: made, given programs and callbacks. */
#include "sim/api/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/file.h"
#include "sim/cpu_memories.h"
#include "sim/network/npu_memory.h"
#include "sim/report/inferences.h"

void api_flush(struct fvpsim_machine *m)
{
	const size_t bytes = m->held_bytes;

	m->held_bytes = 0;
	if (bytes && m->callbacks.output)
		m->callbacks.output(m->callbacks.ctx, m->held_stream, m->held, bytes);
}

/* Looks for the text at which the run stops; the longest part of it that has matched and the byte can continue. */
static void look_for_text(struct fvpsim_machine *m, char byte)
{
	for (size_t n = m->until_matched + 1; n--;)
		if (m->until[n] == byte && !memcmp(m->until, m->until + m->until_matched - n, n)) {
			m->until_matched = n + 1;
			if (!m->until[n + 1]) {
				m->until_seen = true;
				m->until_matched = 0;
				machine_pause(m->m, PAUSE_ASKED);
			}
			return;
		}
	m->until_matched = 0;
}

/* Bytes of one stream are handed on line by line. */
static void output(void *ctx, int stream, const void *bytes, size_t count)
{
	struct fvpsim_machine *m = ctx;

	if (stream != m->held_stream)
		api_flush(m);
	m->held_stream = stream;
	for (size_t i = 0; i < count; i++) {
		const char byte = ((const char *)bytes)[i];

		m->held[m->held_bytes++] = byte;
		if (byte == '\n' || m->held_bytes == sizeof m->held)
			api_flush(m);
		if (*m->until && m->until_stream == stream)
			look_for_text(m, byte);
	}
}

static size_t input(void *ctx, int stream, void *bytes, size_t count)
{
	struct fvpsim_machine *m = ctx;

	api_flush(m); /* a prompt */
	return m->callbacks.input ? m->callbacks.input(m->callbacks.ctx, stream, bytes, count) : 0;
}

static void message(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	struct fvpsim_machine *m = ctx;

	api_flush(m);
	if (m->callbacks.message)
		m->callbacks.message(m->callbacks.ctx, (int)kind, id, text);
}

static void begins(void *ctx, const struct npu_op *op, const struct npu_view *view)
{
	struct fvpsim_machine *m = ctx;

	if (m->callbacks.tensor)
		npu_capture_begin(&m->capture, m->m->config.npu, op, view);
}

static void operation(void *ctx, const struct npu_op *op, const struct npu_cost *cost)
{
	struct fvpsim_machine *m = ctx;
	struct fvpsim_operation told = { .size = sizeof told };

	if (!m->callbacks.operation && !m->callbacks.tensor)
		return;
	api_flush(m);
	if (m->callbacks.tensor) {
		npu_capture_end(&m->capture);
		api_tell_tensors(&m->callbacks, &m->capture);
		npu_capture_clear(&m->capture);
	}
	if (!m->callbacks.operation)
		return;
	api_operation(&told, op, cost, m->m->config.npu, m->names);
	m->callbacks.operation(m->callbacks.ctx, &told);
}

/* The memory system behind the NPU, where one is asked for. */
static enum failure find_memory(struct run_config *c, char *why, size_t why_size)
{
	const struct npu_memory_words words = { .memory = c->memory, .config = c->vela_config, .system = c->system_config };
	struct npu_memory_profile profile;
	enum npu_memory_mode mode;
	bool mode_given;
	enum failure failure;

	if (!c->memory && !c->vela_config && !c->system_config)
		return FAIL_NONE;
	if (!c->machine.npu) {
		snprintf(why, why_size, "--memory, --config: there is no NPU");
		return FAIL_USAGE;
	}
	failure = npu_memory_find(&words, c->machine.npu, &profile, &mode, &mode_given, why, why_size);
	if (!failure) {
		c->machine.npu_memory_given = true;
		memcpy(c->machine.npu_memory, profile.adapter, sizeof profile.adapter);
	}
	return failure;
}

struct fvpsim_machine *fvpsim_machine_new(const struct fvpsim_config *c, struct fvpsim_error *error)
{
	struct fvpsim_machine *m = calloc(1, sizeof *m);
	char why[512];
	enum failure failure;

	if (!m) {
		api_fail(error, FVPSIM_INTERNAL, "host memory is short");
		return NULL;
	}
	m->texts = api_texts_share(c->texts);
	m->run = c->run;
	m->run.machine.script_seconds = m->run.limits.host_seconds;
	m->diag = (struct diag){ message, m };
	m->host = (struct machine_host){ m, output, input };
	if (!m->run.standard_streams)
		api_no_standard_streams(&m->run.machine);
	failure = find_memory(&m->run, why, sizeof why);
	if (!failure)
		failure = cpu_memories_find(&m->run.machine, why, sizeof why);
	if (!failure)
		failure = machine_new(&m->m, &m->run.machine, &m->diag, why, sizeof why);
	if (failure) {
		api_told(failure, why, error);
		fvpsim_machine_free(m);
		return NULL;
	}
	if (api_texts_record(c->texts))
		m->host.input = NULL; /* it comes from the record */
	if (!m->run.standard_streams)
		machine_set_host(m->m, &m->host);
	if (m->m->npu)
		machine_listen(m->m, &(struct machine_listener){ .npu = { .begins = begins, .operation = operation, .ctx = m }, .ctx = m });
	if (m->run.report_jobs && m->m->npu && !(m->jobs = inferences_begin(m->m))) {
		api_fail(error, FVPSIM_INTERNAL, "host memory is short");
		fvpsim_machine_free(m);
		return NULL;
	}
	if (api_texts_record(c->texts) && api_repeat(m, c, error)) {
		fvpsim_machine_free(m);
		return NULL;
	}
	api_ok(error);
	return m;
}

void fvpsim_machine_free(struct fvpsim_machine *m)
{
	if (!m)
		return;
	api_inside_free(m);
	api_trail_forget(m);
	machine_free(m->m);
	api_record_free(m);
	npu_capture_clear(&m->capture);
	api_texts_drop(m->texts);
	api_watch_free(m);
	free(m->breakpoint);
	free(m);
}

int fvpsim_set_callbacks(struct fvpsim_machine *m, const struct fvpsim_callbacks *callbacks, struct fvpsim_error *error)
{
	int kind = api_outside(m, error);

	if (!kind)
		kind = api_copy_callbacks(&m->callbacks, callbacks, error);
	if (kind)
		return kind;
	for (unsigned i = 0; !m->told_making && m->callbacks.message && i < m->m->told.count; i++) {
		const struct told_message *t = &m->m->told.message[i];

		m->callbacks.message(m->callbacks.ctx, (int)t->kind, t->id, t->text);
	}
	m->told_making = true;
	return api_ok(error);
}

int fvpsim_load(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error)
{
	char why[512];
	const int kind = api_apart(m, error);

	if (kind)
		return kind;
	api_trail_forget(m);
	return api_told(machine_load_image(m->m, path, why, sizeof why), why, error);
}

int fvpsim_load_data(struct fvpsim_machine *m, const char *path, uint32_t address, struct fvpsim_error *error)
{
	struct file_bytes file;
	char why[512];
	int kind = api_apart(m, error);
	bool ok;

	if (kind)
		return kind;
	if (!file_read(path, &file, why, sizeof why))
		return api_fail(error, FVPSIM_NO_INPUT, "%s", why);
	api_trail_forget(m);
	ok = machine_load_data(m->m, path, address, file.data, file.size, why, sizeof why);
	file_free(&file);
	if (ok && !name_list_add(&m->data, path))
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	return ok ? api_ok(error) : api_fail(error, FVPSIM_NO_MEMORY, "%s", why);
}

int api_start(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	if (m->m->started)
		return FVPSIM_OK;
	machine_start(m->m);
	if (m->run.start_given)
		cpu_set_start(m->m->cpu, m->run.start_address, 0);
	machine_hold(m->m);
	return api_trace_npu(m, error);
}

int fvpsim_start(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	int kind = api_apart(m, error);

	if (kind)
		return kind;
	api_trail_forget(m);
	m->m->started = false;
	kind = api_start(m, error);
	return kind ? kind : api_ok(error);
}

int fvpsim_symbol(struct fvpsim_machine *m, const char *name, uint32_t *address, struct fvpsim_error *error)
{
	for (unsigned i = 0; i < m->m->image_count; i++)
		if (image_symbol(&m->m->images[i], name, address))
			return api_ok(error);
	return api_fail(error, FVPSIM_USAGE, "no program has a symbol '%.100s'", name);
}

int fvpsim_has_memory(struct fvpsim_machine *m, const char *what, uint32_t address, uint64_t bytes, struct fvpsim_error *error)
{
	char why[API_WHY];

	return machine_has_memory(m->m, what, address, bytes, why, sizeof why) ? api_ok(error) : api_fail(error, FVPSIM_NO_MEMORY, "%s", why);
}

/* The file of a serial port or the ITM, and who prints there. */
static struct sink *sink_of(struct fvpsim_machine *m, int stream, const char **file, const char **who)
{
	static const char *const names[] = { "UART0", "UART1", "UART2", "UART3", "UART4", "UART5", "the ITM" };
	const struct machine_config *c = &m->m->config;

	*who = names[stream];
	*file = stream == FVPSIM_ITM ? c->itm_file : c->uart[stream].out_file;
	return stream == FVPSIM_ITM ? &m->m->itm : &m->m->uart[stream].sink;
}

int fvpsim_get_sent(struct fvpsim_machine *m, int stream, struct fvpsim_sent *sent, struct fvpsim_error *error)
{
	struct fvpsim_sent full = { .size = sizeof full };
	const char *file, *who;
	int kind;

	if (stream < FVPSIM_UART0 || stream > FVPSIM_ITM)
		return api_fail(error, FVPSIM_USAGE, "stream %d is neither a serial port nor the ITM", stream);

	struct sink *s = sink_of(m, stream, &file, &who);

	full.bytes = s->bytes;
	full.file = file && *file ? file : NULL;
	kind = api_copy_out(sent, &full, sizeof full, error);
	if (kind || sink_flush(s))
		return kind;
	if (!s->bytes) /* standard output, which the semihosting console writes to as well */
		who = "the program";
	return api_fail(error, FVPSIM_NO_OUTPUT, "%s: what %s printed cannot be written", strcmp(file, "-") ? file : "standard output", who);
}

int fvpsim_describe(struct fvpsim_machine *m, uint32_t address, char *text, size_t size, struct fvpsim_error *error)
{
	if (size)
		machine_describe(m->m, address, text, size);
	return api_ok(error);
}
