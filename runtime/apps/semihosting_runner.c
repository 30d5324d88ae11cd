/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program that it reads from the host, as ExecuTorch's semihosting runner does: same command line, same files, and
 * log lines that run_fvp.sh and ExecuTorch's tests understand. Exit status: 0; 1 the command line is not understood;
 * 255 anything else went wrong.
 *
 * RUNNER_ETDUMP: 1 writes etdump.bin and debug_buffer.bin, too. */
#include "runtime/apps/arguments.h"
#include "runtime/apps/log.h"
#include "runtime/apps/session.h"
#include "runtime/console/semihosting.h"
#include "runtime/core/format.h"

#ifndef RUNNER_ETDUMP
#define RUNNER_ETDUMP 0
#endif
#define COMMAND_LINE_BYTES 1024
#define FILE_ALIGNMENT 128

enum { STATUS_USAGE = 1, STATUS_FAILED = 255 };

static struct session session;
static struct arguments arguments;
static char command_line[COMMAND_LINE_BYTES];

int main(void);

static int give_up(const char *what, const char *reason)
{
	LOG('E', "%s: %s", what, reason);
	return STATUS_FAILED;
}

/* A file of the host in memory; data is NULL, after an error line, when it cannot be read. */
static struct span read_file(struct memory *memory, const char *name)
{
	const int handle = semihosting_open(name, SEMIHOSTING_READ);
	const int32_t bytes = handle < 0 ? -1 : semihosting_length(handle);
	uint8_t *to = bytes < 0 ? NULL : memory_take(memory, (size_t)bytes, FILE_ALIGNMENT);
	struct span file = { to, to ? (size_t)bytes : 0 };

	if (bytes < 0)
		LOG('E', "file %s cannot be opened", name);
	else if (!to)
		LOG('E', "file %s has %d bytes, %zu more than memory is left", name, (int)bytes, memory->short_by);
	else if (!semihosting_read_all(handle, to, file.bytes))
		file.data = NULL;
	if (handle >= 0)
		semihosting_close(handle);
	return file;
}

static bool set_inputs(struct session *s)
{
	if (arguments.input_count != s->method.input_count) {
		format_text(s->why, sizeof s->why, "%u files are given by -i, the method has %u inputs", arguments.input_count,
			    (unsigned)s->method.input_count);
		return false;
	}
	for (unsigned i = 0; i < s->method.input_count; i++) {
		const struct span file = read_file(&s->memory, arguments.inputs[i]);

		if (!file.data || !method_set_input(&s->method, i, file.data, file.bytes)) {
			format_text(s->why, sizeof s->why, "%s", file.data ? s->method.why : "a file cannot be read");
			return false;
		}
	}
	return true;
}

static bool write_file(struct session *s, const char *name, struct span data)
{
	const int handle = semihosting_open(name, SEMIHOSTING_WRITE);
	const bool ok = handle >= 0 && semihosting_write_all(handle, data.data, data.bytes);

	if (handle >= 0)
		semihosting_close(handle);
	if (!ok)
		format_text(s->why, sizeof s->why, "%s cannot be written", name);
	return ok;
}

/* What ran, for ExecuTorch's Inspector. */
static bool write_dump(struct session *s)
{
	struct span tensors, dump;

	if (!RUNNER_ETDUMP)
		return true;
	dump = session_dump(s, &tensors);
	return write_file(s, "etdump.bin", dump) && write_file(s, "debug_buffer.bin", tensors);
}

/* Output number `index` into a file of its own: a tensor's bytes, or a number in 8 bytes (a bool: 1). */
static bool write_output(struct session *s, uint32_t index)
{
	const struct value *v = s->method.outputs[index];
	const bool is_tensor = v->kind == VALUE_TENSOR;
	const void *data = is_tensor ? v->as.tensor->data : (const void *)&v->as;
	const size_t bytes = is_tensor ? tensor_bytes(v->as.tensor) : v->kind == VALUE_BOOL ? 1 :
			     v->kind == VALUE_INT || v->kind == VALUE_DOUBLE ? 8 : 0;
	char name[COMMAND_LINE_BYTES + sizeof "-4294967295.bin"];

	format_text(name, sizeof name, "%s-%u.bin", arguments.output, (unsigned)index);
	return write_file(s, name, (struct span){ data, bytes });
}

int main(void)
{
	struct session *s = &session;
	struct span file, data = { 0 };

	if (!session_start(s, true))
		return STATUS_FAILED;
	if (!semihosting_command_line(command_line, sizeof command_line)) {
		LOG('E', "there is no command line, or it is longer than %d bytes: set semihosting-cmd_line", COMMAND_LINE_BYTES - 1);
		return STATUS_USAGE;
	}
	if (!arguments_read(&arguments, command_line, s->why, sizeof s->why)) {
		LOG('E', "%s", s->why);
		return STATUS_USAGE;
	}
	if (RUNNER_ETDUMP)
		session_trace(s);
	file = read_file(&s->memory, arguments.model);
	if (!file.data)
		return give_up("loading the program failed", "its file cannot be read");
	if (arguments.data)
		data = read_file(&s->memory, arguments.data);
	if (arguments.data && !data.data)
		return give_up("loading the program failed", "its data file cannot be read");
	if (!session_load(s, file, data))
		return give_up("loading the program failed", s->why);
	if (!s->is_bundle && !set_inputs(s))
		return give_up("the inputs cannot be set", s->why);
	if (!session_run(s))
		return give_up("the run failed", s->why);
	LOG('I', "%u outputs", (unsigned)s->method.output_count);
	for (uint32_t i = 0; i < s->method.output_count; i++)
		if (!write_output(s, i))
			return give_up("writing the outputs failed", s->why);
	if (!write_dump(s))
		return give_up("writing the dump failed", s->why);
	if (!session_check(s))
		return STATUS_FAILED;
	LOG('I', "Program complete, exiting.");
	return 0;
}
