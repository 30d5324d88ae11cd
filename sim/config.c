/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config.h"

#include <assert.h>
#include <string.h>

static const char *const timing_names[] = { [CPU_TIMING_IPC1] = "ipc1", [CPU_TIMING_M55] = "m55", [CPU_TIMING_M85] = "m85" };

const char *config_timing_name(enum cpu_timing timing)
{
	return timing_names[timing];
}

static bool find_name(const char *const *names, unsigned count, const char *name, unsigned *out)
{
	for (*out = 0; *out < count; ++*out)
		if (!strcmp(name, names[*out]))
			return true;
	return false;
}

bool config_timing_find(const char *name, enum cpu_timing *out)
{
	unsigned i;
	const bool found = find_name(timing_names, ARRAY_LEN(timing_names), name, &i);

	if (found)
		*out = (enum cpu_timing)i;
	return found;
}

bool config_engine_find(const char *name, enum cpu_engine *out)
{
	static const char *const names[] = { [CPU_ENGINE_TAIL] = "tail", [CPU_ENGINE_SWITCH] = "switch", [CPU_ENGINE_STEP] = "step" };
	unsigned i;
	const bool found = find_name(names, ARRAY_LEN(names), name, &i);

	if (found)
		*out = (enum cpu_engine)i;
	return found;
}

void machine_config_init(struct machine_config *c, const struct board *board)
{
	assert(board->memory_count <= CONFIG_MEMORIES);
	*c = (struct machine_config){
		.board = board,
		.cpu = board->cpu,
		.npu = npu_config_find(board->default_npu),
		.vm_banks = board->vm_banks,
		.start_date = CONFIG_START_DATE,
	};
	for (unsigned i = 0; i < board->memory_count; i++)
		c->memory_bytes[i] = board->memories[i].bytes;
}
