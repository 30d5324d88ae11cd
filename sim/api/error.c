/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/api/private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/version.h"

static const char *const names[] = {
	[FVPSIM_OK] = "ok", [FVPSIM_USAGE] = "usage", [FVPSIM_BAD_INPUT] = "bad_input", [FVPSIM_NO_INPUT] = "no_input",
	[FVPSIM_NO_MEMORY] = "no_memory", [FVPSIM_ACCELERATOR] = "accelerator", [FVPSIM_INTERNAL] = "internal",
	[FVPSIM_NO_OUTPUT] = "no_output", [FVPSIM_MISFIT] = "misfit", [FVPSIM_NPU] = "npu", [FVPSIM_STOPPED] = "stopped",
	[FVPSIM_DIFFERS] = "differs",
};

const char *fvpsim_kind_name(int kind)
{
	return kind >= 0 && (size_t)kind < ARRAY_LEN(names) ? names[kind] : "unknown";
}

unsigned fvpsim_interface(void)
{
	return FVPSIM_INTERFACE;
}

const char *fvpsim_version(void)
{
	return FVP_SIM_VERSION;
}

const char *fvpsim_processor(void)
{
	return cpu_engine_kind();
}

int api_fail(struct fvpsim_error *error, int kind, const char *format, ...)
{
	va_list args;

	if (!error)
		return kind;
	error->kind = kind;
	va_start(args, format);
	vsnprintf(error->text, sizeof error->text, format, args);
	va_end(args);
	return kind;
}

int api_ok(struct fvpsim_error *error)
{
	if (error) {
		error->kind = FVPSIM_OK;
		error->text[0] = 0;
	}
	return FVPSIM_OK;
}

int api_told(enum failure failure, const char *why, struct fvpsim_error *error)
{
	static const int kinds[] = {
		[FAIL_USAGE] = FVPSIM_USAGE, [FAIL_BAD_INPUT] = FVPSIM_BAD_INPUT,
		[FAIL_NO_INPUT] = FVPSIM_NO_INPUT, [FAIL_NO_MEMORY] = FVPSIM_NO_MEMORY, [FAIL_ACCELERATOR] = FVPSIM_ACCELERATOR,
		[FAIL_INTERNAL] = FVPSIM_INTERNAL, [FAIL_NO_OUTPUT] = FVPSIM_NO_OUTPUT, [FAIL_MISFIT] = FVPSIM_MISFIT,
		[FAIL_DIFFERS] = FVPSIM_DIFFERS,
	};

	return failure ? api_fail(error, kinds[failure], "%s", why) : api_ok(error);
}

int api_refuse_inside(struct fvpsim_error *error)
{
	return api_fail(error, FVPSIM_USAGE, "this may not be done in a callback, nor while a run is under way on another thread");
}

int api_outside(const struct fvpsim_machine *m, struct fvpsim_error *error)
{
	return m->inside ? api_refuse_inside(error) : FVPSIM_OK;
}

int api_apart(const struct fvpsim_machine *m, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);

	return kind || !m->record ? kind : api_fail(error, FVPSIM_USAGE, "this may not be done to a run that is recorded or repeated");
}

int api_give_text(void (*write)(void *ctx, FILE *out), void *ctx, char **to, struct fvpsim_error *error)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out)
		write(ctx, out);
	if (!out || fclose(out) || !text) { /* closing may lose all of it without a word */
		free(text);
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	}
	*to = text;
	return api_ok(error);
}

int api_sizeless(struct fvpsim_error *error)
{
	return api_fail(error, FVPSIM_USAGE, "the structure's member size is not set: set it to sizeof the structure");
}

int api_copy_callbacks(struct fvpsim_callbacks *to, const struct fvpsim_callbacks *from, struct fvpsim_error *error)
{
	const size_t size = from->size < sizeof *to ? from->size : sizeof *to;

	if (size < sizeof from->size)
		return api_sizeless(error);
	*to = (struct fvpsim_callbacks){ 0 };
	memcpy(to, from, size);
	return api_ok(error);
}

int api_copy_out(void *to, const void *from, size_t full, struct fvpsim_error *error)
{
	size_t size;

	memcpy(&size, to, sizeof size);
	if (size <= sizeof size)
		return api_sizeless(error);
	if (size > full) {
		memset((char *)to + full, 0, size - full);
		size = full;
	}
	memcpy((char *)to + sizeof size, (const char *)from + sizeof size, size - sizeof size);
	return api_ok(error);
}
