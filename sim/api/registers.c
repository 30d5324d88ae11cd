/* SPDX-License-Identifier: Apache-2.0 */
/* Registers by name, memory, breakpoints. */
#include "sim/api/private.h"

#include <stdlib.h>
#include <string.h>

/* R(name, number for cpu_get_reg, words) */
static const struct { const char *name; u8 reg, words; } registers[] = {
#define R(name, reg, words) { name, reg, words },
#include "sim/api/registers.def"
#undef R
};

const char *fvpsim_register(unsigned i)
{
	return i < ARRAY_LEN(registers) ? registers[i].name : NULL;
}

/* Row of a register; negative: there is none. */
static int find(const char *name, struct fvpsim_error *error)
{
	for (unsigned i = 0; i < ARRAY_LEN(registers); i++)
		if (!strcmp(registers[i].name, name))
			return (int)i;
	api_fail(error, FVPSIM_USAGE, "there is no register '%.60s'; fvpsim_register() lists all", name);
	return -1;
}

int fvpsim_get_register(struct fvpsim_machine *m, const char *name, uint64_t value[2], struct fvpsim_error *error)
{
	const int row = find(name, error);

	if (row < 0)
		return FVPSIM_USAGE;
	value[0] = value[1] = 0;
	for (unsigned i = 0; i < registers[row].words; i++)
		value[i / 2] |= (u64)cpu_get_reg(m->m->cpu, registers[row].reg + i) << 32 * (i % 2);
	return api_ok(error);
}

int fvpsim_set_register(struct fvpsim_machine *m, const char *name, const uint64_t value[2], struct fvpsim_error *error)
{
	const int row = find(name, error), kind = api_apart(m, error);

	if (row < 0 || kind)
		return FVPSIM_USAGE;
	api_trail_forget(m);
	for (unsigned i = 0; i < registers[row].words; i++)
		cpu_set_reg(m->m->cpu, registers[row].reg + i, (u32)(value[i / 2] >> 32 * (i % 2)));
	return api_ok(error);
}

static int nothing_there(struct fvpsim_machine *m, u32 address, size_t count, struct fvpsim_error *error)
{
	char why[256];

	machine_has_memory(m->m, "access", address, count, why, sizeof why);
	return api_fail(error, FVPSIM_NO_MEMORY, "%s", why);
}

/* Bytes of the next access on the bus. */
static unsigned piece(u32 address, size_t count)
{
	return address % 4 == 0 && count >= 4 ? 4 : address % 2 == 0 && count >= 2 ? 2 : 1;
}

static bool on_bus(struct machine *m, bool secure, u32 address, u8 *bytes, size_t count, bool write)
{
	const struct bus_attr attr = { .secure = secure, .privileged = true, .view = BUS_CPU };

	for (unsigned size; count; address += size, bytes += size, count -= size) {
		u32 word = 0;

		size = piece(address, count);
		if (write)
			memcpy(&word, bytes, size);
		if ((write ? bus_write(m->bus, address, size, attr, word) : bus_read(m->bus, address, size, attr, &word)) != BUS_OK)
			return false;
		if (!write)
			memcpy(bytes, &word, size);
	}
	return true;
}

static int access(struct fvpsim_machine *m, int space, u32 address, u8 *bytes, size_t count, bool write,
		  struct fvpsim_error *error)
{
	const u8 view = space == FVPSIM_NPU_VIEW ? BUS_NPU : BUS_CPU;
	u8 *memory;

	if (space < FVPSIM_RAM || space > FVPSIM_NPU_VIEW)
		return api_fail(error, FVPSIM_USAGE, "there is no memory space %d", space);
	if (space == FVPSIM_SECURE || space == FVPSIM_NONSECURE) {
		if (!write && api_apart(m, error)) /* reading changes devices */
			return FVPSIM_USAGE;
		api_trail_forget(m);
		return on_bus(m->m, space == FVPSIM_SECURE, address, bytes, count, write) ? api_ok(error) :
		       api_fail(error, FVPSIM_NO_MEMORY, "0x%08x, %zu bytes: an access is refused, or nothing is there", address, count);
	}
	memory = bus_span(m->m->bus, view, address, count);
	if (!memory)
		return nothing_there(m, address, count, error);
	if (write) {
		api_trail_forget(m);
		bus_will_write(m->m->bus, address, count);
		memcpy(memory, bytes, count);
	} else {
		memcpy(bytes, memory, count);
	}
	return api_ok(error);
}

int fvpsim_read(struct fvpsim_machine *m, int space, uint32_t address, void *bytes, size_t count, struct fvpsim_error *error)
{
	return access(m, space, address, bytes, count, false, error);
}

int fvpsim_write(struct fvpsim_machine *m, int space, uint32_t address, const void *bytes, size_t count,
		 struct fvpsim_error *error)
{
	const int kind = api_apart(m, error);

	return kind ? kind : access(m, space, address, (u8 *)bytes, count, true, error);
}

bool api_breaks_at(const struct fvpsim_machine *m, u32 addr)
{
	for (unsigned i = 0; i < m->breakpoints; i++)
		if (m->breakpoint[i] == addr)
			return true;
	return false;
}

int fvpsim_add_breakpoint(struct fvpsim_machine *m, uint32_t address, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);
	u32 *more;

	address &= ~1u;
	if (kind || api_breaks_at(m, address))
		return kind ? kind : api_ok(error);
	more = realloc(m->breakpoint, (m->breakpoints + 1) * sizeof *more);
	if (more)
		m->breakpoint = more;
	if (!more || !cpu_add_breakpoint(m->m->cpu, address))
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	m->breakpoint[m->breakpoints++] = address;
	return api_ok(error);
}

int fvpsim_remove_breakpoint(struct fvpsim_machine *m, uint32_t address, struct fvpsim_error *error)
{
	const int kind = api_outside(m, error);
	unsigned kept = 0;

	if (kind)
		return kind;
	address &= ~1u;
	for (unsigned i = 0; i < m->breakpoints; i++)
		if (m->breakpoint[i] != address)
			m->breakpoint[kept++] = m->breakpoint[i];
	if (kept == m->breakpoints)
		return api_fail(error, FVPSIM_USAGE, "no breakpoint at 0x%08x", address);
	m->breakpoints = kept;
	cpu_remove_breakpoint(m->m->cpu, address);
	return api_ok(error);
}
