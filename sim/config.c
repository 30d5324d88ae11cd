/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config.h"

#include <assert.h>
#include <string.h>

static const char *const timing_names[] = { [CPU_TIMING_IPC1] = "ipc1", [CPU_TIMING_M55] = "m55", [CPU_TIMING_M85] = "m85" };

const char *config_timing_name(enum cpu_timing timing)
{
	return timing_names[timing];
}

bool config_timing_find(const char *name, enum cpu_timing *out)
{
	for (unsigned i = 0; i < ARRAY_LEN(timing_names); i++)
		if (!strcmp(name, timing_names[i])) {
			*out = (enum cpu_timing)i;
			return true;
		}
	return false;
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
