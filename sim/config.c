/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/config.h"

#include <assert.h>

void machine_config_init(struct machine_config *c, const struct board *board)
{
	assert(board->memory_count <= CONFIG_MEMORIES);
	*c = (struct machine_config){
		.board = board,
		.cpu = board->cpu,
		.npu = npu_config_find(board->default_npu),
		.vm_banks = board->vm_banks,
	};
	for (unsigned i = 0; i < board->memory_count; i++)
		c->memory_bytes[i] = board->memories[i].bytes;
}
