/* SPDX-License-Identifier: Apache-2.0 */
/* The devices and the NPU of every board under arbitrary accesses at arbitrary times: whatever is written, the host
 * neither crashes nor hangs. The first byte is the board and whether its gates are up; then records of eight bytes. */
#include "npu/npu.h"
#include "sim/machine.h"
#include "sim/run.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 24, ORDERED = 12, IN_ORDER = 32, AT_RANDOM = 100 /* records of a device in a seed */ };
enum { RECORD = 8, RECORDS = FUZZ_MAX_BYTES / RECORD, CYCLES = 3000 };
enum { PASS_TIME = 15 }; /* in the lower nibble of `how`: no access */

/* How: bit 0 write, 1 Non-secure base, 2 unprivileged, 3 the NPU's view, 5 `offset` is the number of a described
 * register and not a place of the window; 7:6 log2 of bytes, 3 counts as 4. The row after the last device is the NPU. */
struct record {
	u8 row, how;
	u16 offset;
	u32 value;
};
_Static_assert(sizeof(struct record) == RECORD, "as the input has them");

static struct machine *new_machine(u8 what)
{
	static const struct diag quiet;
	const struct board *board = boards[what % 3];
	struct machine_config config;
	struct machine *m;
	char why[256];

	machine_config_init(&config, board);
	config.gating = what & 0x80;
	if (machine_new(&m, &config, &quiet, why, sizeof why)) {
		fprintf(stderr, "%s\n", why);
		abort();
	}
	return m;
}

static void pass_time(struct machine *m, u32 value)
{
	sched_run(&m->sched, m->sched.now + (value & 0xffffff));
}

/* The n-th word of all registers that the class describes. */
static u32 register_offset(const struct device_class *class, unsigned n)
{
	unsigned words = 0;

	for (unsigned i = 0; i < class->row_count; i++)
		words += class->rows[i].count;
	n = words ? n % words : 0;
	for (unsigned i = 0; i < class->row_count; n -= class->rows[i++].count)
		if (n < class->rows[i].count)
			return class->rows[i].offset + 4 * n;
	return 0;
}

static u32 address_of(const struct machine *m, const struct record *r)
{
	const struct board *board = m->config.board;
	const unsigned n = r->row % (board->device_count + 1);
	const struct device_row *row = &board->devices[n];
	const bool nonsecure = r->how & 2;

	if (n == board->device_count)
		return (nonsecure ? board->npu.ns_base : board->npu.s_base) + r->offset % npu_register_bytes(m->config.npu);

	const u32 base = nonsecure ? row->ns_base : row->s_base;
	const u32 offset = r->how & 0x20 ? register_offset(row->cls, r->offset) : r->offset % row->cls->size;

	return (base ? base : row->ns_base | row->s_base) + offset;
}

static void perform(struct machine *m, const struct record *r)
{
	const struct bus_attr attr = { !(r->how & 2), !(r->how & 4), r->how & 8 ? BUS_NPU : BUS_CPU };
	const unsigned size = r->how >> 6 < 2 ? 1u << (r->how >> 6) : 4;
	const u32 addr = address_of(m, r) & ~(size - 1);
	u32 value = 0;

	if ((r->how & 15) == PASS_TIME)
		pass_time(m, r->value);
	else if (r->how & 1)
		bus_write(m->bus, addr, size, attr, r->value);
	else
		bus_read(m->bus, addr, size, attr, &value);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct limits limits = { .cycles = CYCLES };
	struct machine *m = size ? new_machine(data[0]) : NULL;
	struct record r;

	for (size_t at = 1, n = 0; m && at + RECORD <= size && n < RECORDS; at += RECORD, n++) {
		memcpy(&r, data + at, RECORD);
		perform(m, &r);
	}
	if (m) { /* what was asked for happens: resets, interrupts */
		machine_start(m);
		machine_run(m, &limits, NULL);
	}
	machine_free(m);
	return 0;
}

static u32 next(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Registers in order, words that set much, and time in between. */
static struct record in_order(unsigned index, unsigned i, unsigned devices, unsigned row)
{
	static const u32 values[] = { 1, 0xffffffff, 0x80000003, 0x00010001 };
	const bool pause = i % 16 == 15;

	return (struct record){
		.row = (u8)row, .how = pause ? PASS_TIME : 0xa1,
		.offset = (u16)(row < devices ? i + IN_ORDER * (index / 3) : 4 * i),
		.value = pause ? 100000 : values[(i + index) % 4],
	};
}

/* Registers at random, with small numbers, single bits and noise: a device gets far when few of them are set. */
static struct record at_random(u32 *state, unsigned row)
{
	const u32 kind = next(state) % 4, high = next(state) << 16, noise = high ^ next(state);
	const bool pause = next(state) % 16 == 0, writes = next(state) % 8 != 0;

	return (struct record){
		.row = (u8)row, .how = pause ? PASS_TIME : 0xa0 | writes, .offset = (u16)next(state),
		.value = kind == 0 ? noise & 3 : kind == 1 ? 1u << noise % 32 : kind == 2 ? noise & 0xfff : noise,
	};
}

/* Copies by both channels of a DMA-350, the last of three commands a link away: a short input, of which changes hit
 * each register. */
static size_t dma_commands(u8 *out, unsigned row)
{
	static const struct { u16 offset; u32 value; } writes[] = {
		{ 0x100c, 0x00200200 }, { 0x1010, 0x31000000 }, { 0x1018, 0x31001000 }, { 0x1020, 0x00080008 },
		{ 0x1030, 0x00010001 }, { 0x104c, 0x00000001 }, { 0x1050, 0x00010801 }, { 0x1054, 0x00000300 },
		{ 0x1074, 0x00000001 }, { 0x1078, 0x31002001 }, { 0x1000, 1 }, { 0x1000, 0x00110001 },
		{ 0x110c, 0x02200200 }, { 0x1110, 0x31000000 }, { 0x1118, 0x31001000 }, { 0x1120, 0x00080008 },
		{ 0x114c, 0x00000300 }, { 0x1100, 1 }, { 0x1100, 0x10 }, { 0x1100, 0x20 }, { 0x010c, 0x3 }, { 0x010c, 0x103 },
	};
	size_t used = 0;

	for (unsigned i = 0; i < 2 * ARRAY_LEN(writes); i++, used += RECORD) {
		const struct record r = { .row = (u8)row, .how = i & 1 ? PASS_TIME : 0x81, .offset = writes[i / 2].offset,
					  .value = i & 1 ? 50 : writes[i / 2].value };

		memcpy(out + used, &r, RECORD);
	}
	return used;
}

/* For each board, every device in turn: some seeds in order, the others at random. Then those of the DMA-350. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	const struct board *board = boards[index % 3];
	const unsigned visits = index < ORDERED ? IN_ORDER : AT_RANDOM;
	u32 state = index;
	size_t used = 1;

	if (index >= SEEDS + 3)
		return 0;
	out[0] = (u8)(index % 3 | (index & 4) << 5);
	for (unsigned row = 0; row <= board->device_count; row++) {
		if (index >= SEEDS && row < board->device_count && !strcmp(board->devices[row].cls->kind, "DMA-350"))
			used += dma_commands(out + used, row);
		for (unsigned i = 0; index < SEEDS && i < visits && used + RECORD <= FUZZ_MAX_BYTES; i++, used += RECORD) {
			const struct record r = index < ORDERED ? in_order(index, i, board->device_count, row) : at_random(&state, row);

			memcpy(out + used, &r, RECORD);
		}
	}
	return used;
}
