/* SPDX-License-Identifier: Apache-2.0 */
/* Memory protection controllers of memories that parameters have made smaller or larger: each covers its memory, or its bank of one. */
#include "sim/board.h"

#include "devices/classes.h"

enum { MOST_BLOCKS = 2048 };

static const struct board_memory *memory_at(const struct board *b, u32 ns_base)
{
	for (unsigned i = 0; i < b->memory_count; i++)
		if (ns_base - b->memories[i].ns_base < b->memories[i].bytes)
			return &b->memories[i];
	return NULL;
}

static void fit(const struct board *b, struct device_row *row, const u32 *bytes, u32 banks)
{
	const struct board_memory *m = memory_at(b, row->param[MPC_PARAM_NS_BASE]);
	const bool banked = m && m->size_unit == SIZE_KIB && m->size_param;
	u32 from, size, bank;

	if (!m || !m->size_param)
		return;
	from = row->param[MPC_PARAM_NS_BASE] - m->ns_base;
	size = bytes[m - b->memories] / (banked ? banks : 1);
	bank = banked ? from / (m->bytes / b->vm_banks) : 0;
	row->param[MPC_PARAM_NS_BASE] += bank * size - from;
	if (row->param[MPC_PARAM_S_BASE])
		row->param[MPC_PARAM_S_BASE] += bank * size - from;
	row->param[MPC_PARAM_SIZE] = size;
	while (size / row->param[MPC_PARAM_BLOCK] > MOST_BLOCKS)
		row->param[MPC_PARAM_BLOCK] *= 2;
}

void board_fit_protection(const struct board *b, struct device_row *rows, const u32 *bytes, u32 banks)
{
	for (unsigned i = 0; i < b->device_count; i++)
		if (rows[i].cls == &mpc_class)
			fit(b, &rows[i], bytes, banks);
}
