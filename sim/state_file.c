/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/state_file.h"

#include <stdio.h>

enum { WHY = 400 };

static const struct packed_kind kind = { "fvp-sim state\n", 3, "saved state", "save it" };

enum failure machine_save_file(struct machine *m, const char *path, char *why, size_t why_size)
{
	struct state_buffer state = { 0 };
	enum failure failure = machine_save(m, &state, why, why_size);

	if (!failure)
		failure = packed_write(&kind, path, state.data, state.bytes, why, why_size);
	state_buffer_free(&state);
	return failure;
}

enum failure machine_restore_file(struct machine *m, const char *path, char *why, size_t why_size)
{
	struct state_buffer state = { 0 };
	enum failure failure = packed_read(&kind, path, &state, why, why_size);
	char cause[WHY];

	if (!failure) {
		failure = machine_restore(m, state.data, state.bytes, cause, sizeof cause);
		if (failure)
			snprintf(why, why_size, "%s: %s", path, cause);
	}
	state_buffer_free(&state);
	return failure;
}
