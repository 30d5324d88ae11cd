/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's state as bytes and in files. */
#include "sim/api/private.h"
#include "sim/state_file.h"

#include <stdlib.h>
#include <string.h>

int fvpsim_save(struct fvpsim_machine *m, void **bytes, size_t *count, struct fvpsim_error *error)
{
	struct state_buffer state = { 0 };
	char why[512];
	int kind = api_outside(m, error);

	if (kind)
		return kind;
	kind = api_told(machine_save(m->m, &state, why, sizeof why), why, error);
	if (kind)
		return kind;
	*bytes = malloc(state.bytes);
	*count = state.bytes;
	if (*bytes)
		memcpy(*bytes, state.data, state.bytes);
	state_buffer_free(&state);
	return *bytes ? api_ok(error) : api_fail(error, FVPSIM_INTERNAL, "host memory is short");
}

void fvpsim_free(void *bytes)
{
	free(bytes);
}

/* A restored machine goes on, without a start of its own; one that was saved before its start still has to. */
static int restored(struct fvpsim_machine *m, struct fvpsim_error *error)
{
	const int kind = m->m->started ? api_trace_npu(m, error) : FVPSIM_OK;

	return kind ? kind : api_ok(error);
}

int fvpsim_restore(struct fvpsim_machine *m, const void *bytes, size_t count, struct fvpsim_error *error)
{
	char why[512];
	int kind = api_apart(m, error);

	if (kind)
		return kind;
	api_trail_forget(m);
	kind = api_told(machine_restore(m->m, bytes, count, why, sizeof why), why, error);
	return kind ? kind : restored(m, error);
}

int fvpsim_save_file(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error)
{
	char why[512];
	const int kind = api_outside(m, error);

	return kind ? kind : api_told(machine_save_file(m->m, path, why, sizeof why), why, error);
}

int fvpsim_restore_file(struct fvpsim_machine *m, const char *path, struct fvpsim_error *error)
{
	char why[512];
	int kind = api_apart(m, error);

	if (kind)
		return kind;
	api_trail_forget(m);
	kind = api_told(machine_restore_file(m->m, path, why, sizeof why), why, error);
	return kind ? kind : restored(m, error);
}
