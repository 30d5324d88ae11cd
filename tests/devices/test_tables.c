/* SPDX-License-Identifier: Apache-2.0 */
/* Every register of every device of every board, from the tables. */
#include "rig.h"
#include "memory/host.h"

#include <string.h>

static void check_rows(const struct board *board)
{
	for (unsigned i = 0; i < board->device_count; i++) {
		const struct device_row *d = &board->devices[i];

		cr_expect(lt(u32, d->cls->row_count, 254u), "%s", d->name);
		for (unsigned n = 0; n < d->cls->row_count; n++) {
			const struct reg_row *row = &d->cls->rows[n];
			u32 end = row->offset + 4u * row->count;

			cr_expect(zero(u32, row->offset & 3u), "%s.%s", d->name, row->name);
			cr_expect(gt(u32, row->count, 0u), "%s.%s", d->name, row->name);
			cr_expect(le(u32, end, d->cls->size), "%s.%s", d->name, row->name);
			cr_expect(zero(u32, row->reset & ~row->mask), "%s.%s", d->name, row->name);
			cr_expect(row->doc[0] != 0, "%s.%s", d->name, row->name);
			if (n + 1 < d->cls->row_count)
				cr_expect(le(u32, end, row[1].offset), "%s.%s: rows sorted, no overlap",
					  d->name, row->name);
		}
	}
}

static void check_names(const struct board *board)
{
	struct rig *r = rig_new_board(board, false);

	for (unsigned i = 0; i < board->device_count; i++) {
		const struct device_row *row = &board->devices[i];

		cr_expect(device_set_find(r->set, row->name)->cls == row->cls, "%s", row->name);
		cr_expect(eq(str, (char *)device_set_find(r->set, row->name)->name, (char *)row->name));
	}
	rig_free(r);
}

static void check_identification(struct rig *r, const char *name, u32 base, u32 pidr)
{
	const u32 want[8] = {pidr & 0xff, pidr >> 8 & 0xff, pidr >> 16 & 0xff, 0,
			     0x0d, 0xf0, 0x05, 0xb1};

	for (unsigned i = 0; i < 8; i++)
		cr_expect(eq(u32, rig_read(r, base + 0xfe0 + 4 * i), want[i]), "%s id %u", name, i);
	cr_expect(eq(u32, rig_read(r, base + 0xfd0), pidr >> 24), "%s PIDR4", name);
}

/* Registers whose value does not follow from the row alone: computed, or set by constants. */
static bool plain(const struct device_class *cls)
{
	return !cls->read && !cls->write && !cls->reset;
}

static void check_row(struct rig *r, const struct device_row *d, u32 base, const struct reg_row *row)
{
	u32 addr = base + row->offset, last = addr + 4u * (row->count - 1u);

	cr_expect(eq(u32, rig_read(r, addr), row->access == WO ? 0 : row->reset), "%s.%s reset",
		  d->name, row->name);
	rig_write(r, last, 0xffffffff);
	cr_expect(eq(u32, rig_read(r, last), row->access == RW ? row->mask
			: row->access == RO ? row->reset : 0), "%s.%s ones", d->name, row->name);
	rig_write(r, last, 0);
	cr_expect(eq(u32, rig_read(r, last), row->access == RO ? row->reset : 0), "%s.%s zeros",
		  d->name, row->name);
}

static void check_masks(const struct board *board)
{
	struct rig *r = rig_new_board(board, false);

	for (unsigned i = 0; i < board->device_count; i++) {
		const struct device_row *d = &board->devices[i];

		for (unsigned n = 0; plain(d->cls) && n < d->cls->row_count; n++)
			check_row(r, d, d->ns_base ? d->ns_base : d->s_base, &d->cls->rows[n]);
	}
	rig_free(r);
}

static void check_identities(const struct board *board)
{
	struct rig *r = rig_new_board(board, false);

	for (unsigned i = 0; i < board->device_count; i++) {
		const struct device_row *d = &board->devices[i];

		if (d->cls->pidr && d->ns_base)
			check_identification(r, d->name, d->ns_base, d->cls->pidr);
		if (d->cls->pidr && d->s_base)
			check_identification(r, d->name, d->s_base, d->cls->pidr);
	}
	rig_free(r);
}

/* Any access anywhere in any device must be harmless: random reads and writes of all sizes. */
static void check_harmless(const struct board *board)
{
	struct rig *r = rig_new_board(board, false);
	const struct bus_attr attr = {true, true, BUS_CPU};
	u32 seed = 1, value;

	for (unsigned n = 0; n < 200000; n++) {
		const struct device_row *d = &board->devices[(seed >> 8) % board->device_count];
		u32 base = d->s_base ? d->s_base : d->ns_base, offset;
		unsigned size;

		seed = seed * 1664525 + 1013904223;
		size = 1u << (seed >> 28) % 3;
		offset = ((seed >> 4) % d->cls->size) & ~(size - 1);
		if (seed & 8)
			cr_assert(eq(int, bus_read(r->bus, base + offset, size, attr, &value), BUS_OK));
		else
			cr_assert(eq(int, bus_write(r->bus, base + offset, size, attr, seed * 69069), BUS_OK));
		if (!(seed & 0x70))
			rig_wait(r, seed >> 8);
	}
	device_set_reset(r->set);
	for (unsigned irq = 0; irq < 480; irq++)
		cr_expect(r->irq[irq] == 0, "irq %u low after reset", irq);
	rig_free(r);
}

Test(tables, unknown_and_read_only_registers_are_reported_once)
{
	struct rig *r = rig_new(false);

	cr_expect(zero(u32, rig_read(r, 0x49303044)));
	cr_expect(eq(uint, r->messages, 1));
	cr_expect(strstr(r->last_message, "UART0: read of unknown register at offset 0x044") != NULL);
	rig_write(r, 0x59303044, 1);
	cr_expect(eq(uint, r->messages, 1));
	rig_write(r, 0x48020000, 1);
	cr_expect(strstr(r->last_message, "DEV002 SYSINFO.SOC_IDENTITY is read-only") != NULL);
	rig_write(r, 0x49303008, 0x80);
	cr_expect(strstr(r->last_message, "DEV003 UART0.CTRL: write of 0x00000080 sets bits 0x00000080") != NULL);
	cr_expect(eq(uint, r->messages, 3));
	rig_free(r);
}

Test(tables, lanes_of_narrow_accesses)
{
	struct rig *r = rig_new(false);
	const struct bus_attr attr = {true, true, BUS_CPU};
	u32 value = 0;

	rig_write(r, 0x49300000, 0x11223344); /* SCC.CFG0 */
	cr_assert(eq(int, bus_write(r->bus, 0x49300001, 1, attr, 0xaa), BUS_OK));
	cr_expect(eq(u32, rig_read(r, 0x49300000), 0x1122aa44));
	cr_assert(eq(int, bus_write(r->bus, 0x49300002, 2, attr, 0xbeef), BUS_OK));
	cr_expect(eq(u32, rig_read(r, 0x49300000), 0xbeefaa44));
	cr_assert(eq(int, bus_read(r->bus, 0x49300003, 1, attr, &value), BUS_OK));
	cr_expect(eq(u32, value, 0xbe));
	cr_assert(eq(int, bus_read(r->bus, 0x49300000, 2, attr, &value), BUS_OK));
	cr_expect(eq(u32, value, 0xaa44));
	rig_free(r);
}

/* A board table with a mistake is told so; the message names the row. */
Test(tables, devices_at_one_place)
{
	const struct board *board = board_find("corstone-300");
	const struct device_row rows[] = { board->devices[0], board->devices[0] };
	struct rig *r = rig_new(false);

	cr_expect(device_set_new(rows, ARRAY_LEN(rows), &(struct device_host){ .bus = r->bus, .sched = &r->sched,
		.diag = &r->diag, .clock_hz = board->cpu.clock_hz }) == NULL);
	cr_expect(strstr(r->last_message, "DEV004 device ") != NULL, "%s", r->last_message);
	cr_expect(strstr(r->last_message, rows[0].name) != NULL, "%s", r->last_message);
	rig_free(r);
}

Test(tables, rows_are_sane)
{
	for (const struct board *const *b = boards; *b; b++)
		check_rows(*b);
}

/* A memory that does not begin on a page of the host cannot be mapped. */
Test(tables, memories_begin_on_pages_of_64_kib)
{
	for (const struct board *const *b = boards; *b; b++)
		for (unsigned i = 0; i < (*b)->memory_count; i++) {
			const struct board_memory *m = &(*b)->memories[i];

			cr_expect(zero(u32, (m->ns_base | m->s_base | m->port_base) % HOST_PAGE_MAX), "%s: %s", (*b)->name, m->name);
		}
}

Test(tables, names_are_unique_and_found)
{
	for (const struct board *const *b = boards; *b; b++)
		check_names(*b);
}

Test(tables, plain_registers_keep_what_their_masks_say)
{
	for (const struct board *const *b = boards; *b; b++)
		check_masks(*b);
}

Test(tables, identification_registers)
{
	for (const struct board *const *b = boards; *b; b++)
		check_identities(*b);
}

Test(tables, no_access_does_harm)
{
	for (const struct board *const *b = boards; *b; b++)
		check_harmless(*b);
}
