/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/params/params_memory.h"

#include <string.h>

/* Secure and Non-secure addresses of a memory are that far apart. */
#define MAX_MEMORY_BYTES (UINT64_C(1) << 28)

/* 0: there is no such size. */
static u64 size_of(const struct machine_config *c, const struct board_memory *m, u64 value)
{
	switch (m->size_unit) {
	case SIZE_TCM_CODE: return value && value < 16 ? UINT64_C(512) << value : 0;
	case SIZE_KIB: return value * (1024 * c->vm_banks);
	default: return value * (1024 * 1024);
	}
}

bool memory_set_size(struct machine_config *c, const char *name, u64 value)
{
	for (unsigned i = 0; i < c->board->memory_count; i++) {
		const struct board_memory *m = &c->board->memories[i];

		if (!m->size_param || strcmp(m->size_param, name))
			continue;

		const u64 bytes = size_of(c, m, value);

		if (!bytes || bytes > MAX_MEMORY_BYTES || bytes % BUS_PAGE_SIZE)
			return false;
		c->memory_bytes[i] = (u32)bytes;
		if (!strcmp(m->name, "ITCM"))
			c->cpu.itcm_size_code = (unsigned)value;
		if (!strcmp(m->name, "DTCM"))
			c->cpu.dtcm_size_code = (unsigned)value;
	}
	return true;
}

bool memory_set_banks(struct machine_config *c, u64 banks)
{
	if (!banks || banks > 4)
		return false;
	for (unsigned i = 0; i < c->board->memory_count; i++)
		if (c->board->memories[i].size_param && c->board->memories[i].size_unit == SIZE_KIB)
			c->memory_bytes[i] = c->memory_bytes[i] / c->vm_banks * (u32)banks;
	c->vm_banks = (u32)banks;
	return true;
}

/* Does INSTANCE in "...INSTANCE.fill1" name the memory? */
static bool is_instance(const struct board_memory *m, const char *name)
{
	const char *end = strrchr(name, '.');
	const size_t length = m->instance ? strlen(m->instance) : 0;

	return length && end && (size_t)(end - name) > length && end[-(ptrdiff_t)length - 1] == '.' &&
	       !strncmp(end - length, m->instance, length);
}

bool memory_set_fill(struct machine_config *c, const char *name, u64 word)
{
	const bool tcm = strstr(name, "tcm_fill_pattern");
	const unsigned second = name[strlen(name) - 1] == '2';

	for (unsigned i = 0; i < c->board->memory_count; i++) {
		const struct board_memory *m = &c->board->memories[i];

		if (tcm ? m->size_param && m->size_unit == SIZE_TCM_CODE : is_instance(m, name))
			c->memory_fill[i][second] = (u32)word;
	}
	return word <= UINT32_MAX;
}
