/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/state_file.h"

#include <stdio.h>

enum { WHY = 400 };

static const struct packed_kind kind = { "fvp-sim state\n", 1, "saved state", "save it" };

enum state_file_result machine_save_file(struct machine *m, const char *path, char *why, size_t why_size)
{
	struct state_buffer state = { 0 };
	enum state_file_result result = STATE_FILE_FAILED;

	if (machine_save(m, &state, why, why_size))
		result = packed_write(&kind, path, state.data, state.bytes, why, why_size);
	state_buffer_free(&state);
	return result;
}

enum state_file_result machine_restore_file(struct machine *m, const char *path, char *why, size_t why_size)
{
	struct state_buffer state = { 0 };
	enum state_file_result result = packed_read(&kind, path, &state, why, why_size);
	char cause[WHY];

	if (result == STATE_FILE_OK && !machine_restore(m, state.data, state.bytes, cause, sizeof cause)) {
		snprintf(why, why_size, "%s: %s", path, cause);
		result = m->running ? STATE_FILE_FAILED : STATE_FILE_MISFIT;
	}
	state_buffer_free(&state);
	return result;
}
