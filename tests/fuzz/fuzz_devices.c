/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of every board under arbitrary accesses at arbitrary times: whatever is written, the host neither
 * crashes nor hangs. The first byte is the board and whether its gates are up; then records of eight bytes. */
#include "sim/machine.h"
#include "sim/run.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 8, RECORDS = 2000, CYCLES = 3000 };
enum { PASS_TIME = 15 }; /* in the lower nibble of `how`: no access */

/* How: bit 0 write, 1 Non-secure base, 2 unprivileged, 3 the NPU's view; 7:6 log2 of bytes, 3 counts as 4. */
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

static void perform(struct machine *m, const struct record *r)
{
	const struct board *board = m->config.board;
	const struct device_row *row = &board->devices[r->row % board->device_count];
	const struct bus_attr attr = { !(r->how & 2), !(r->how & 4), r->how & 8 ? BUS_NPU : BUS_CPU };
	const unsigned size = r->how >> 6 < 2 ? 1u << (r->how >> 6) : 4;
	u32 base = r->how & 2 ? row->ns_base : row->s_base, value = 0;

	if ((r->how & 15) == PASS_TIME) {
		pass_time(m, r->value);
		return;
	}
	base = base ? base : row->ns_base | row->s_base;
	const u32 addr = (base + r->offset % BUS_PAGE_SIZE) & ~(size - 1);

	if (r->how & 1)
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
		machine_run(m, &limits, false);
	}
	machine_free(m);
	return 0;
}

/* For each board: every register of every device written with words that set much, and time in between. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static const u32 values[] = { 1, 0xffffffff, 0x80000003, 0x00010001 };
	size_t used = 1;

	if (index >= 12)
		return 0;
	out[0] = (u8)(index % 3 | (index & 4) << 5);
	for (unsigned i = 0; i < RECORDS; i++, used += RECORD) {
		const struct record r = {
			.row = (u8)(i / 16 + index / 3 * 32), .how = i % 16 == 15 ? PASS_TIME : 0x81,
			.offset = (u16)(i % 16 * 4), .value = i % 16 == 15 ? 100000 : values[(i + index) % 4],
		};
		memcpy(out + used, &r, RECORD);
	}
	return used;
}
