/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/bus.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 128 };

static const struct bus_attr cpu = { true, true, BUS_CPU };
static const struct bus_attr npu = { true, true, BUS_NPU };

static enum bus_status echo_read(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 *value)
{
	*value = *(u32 *)ctx + offset * 16 + size;
	return BUS_OK;
}

static enum bus_status echo_write(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 value)
{
	*(u32 *)ctx = value;
	return BUS_OK;
}

static const struct bus_device_ops echo = { echo_read, echo_write };

Test(bus, aliases_show_the_same_cells)
{
	struct bus *b = bus_new(NULL);
	u32 v = 0, pages[4];

	cr_assert(bus_add_ram(b, "A", 0x10000000, 0x10000, BUS_CPU));
	cr_assert(bus_add_alias(b, "A ns", 0x00000000, 0x10000, BUS_CPU, 0x10000000));
	cr_assert(eq(int, bus_write(b, 0x10001234, 4, cpu, 0xdeadbeef), BUS_OK));
	cr_assert(eq(int, bus_read(b, 0x1236, 2, cpu, &v), BUS_OK));
	cr_expect(eq(u32, v, 0xdead));
	cr_expect(eq(u32, bus_ram_page(b, 0x1000, BUS_CPU), bus_ram_page(b, 0x10001000, BUS_CPU)));
	cr_expect(eq(uint, bus_page_aliases(b, bus_ram_page(b, 0x1000, BUS_CPU), pages, 4), 2));
	cr_expect(eq(u32, pages[0], 0x1));
	cr_expect(eq(u32, pages[1], 0x10001));
	bus_free(b);
}

Test(bus, views_and_holes)
{
	struct bus *b = bus_new(NULL);
	u32 v;

	cr_assert(bus_add_ram(b, "TCM", 0x20000000, 0x1000, BUS_CPU));
	cr_expect(eq(int, bus_read(b, 0x20000000, 4, npu, &v), BUS_NOTHING_THERE));
	cr_expect(eq(int, bus_read(b, 0x20001000, 1, cpu, &v), BUS_NOTHING_THERE));
	cr_expect(bus_span(b, BUS_NPU, 0x20000000, 1) == NULL);
	cr_expect(bus_span(b, BUS_CPU, 0x20000ff0, 17) == NULL);
	cr_expect(bus_span(b, BUS_CPU, 0x20000ff0, 16) != NULL);
	cr_expect(bus_span(b, BUS_CPU, UINT64_C(0x120000000), 1) == NULL);
	bus_free(b);
}

Test(bus, span_crosses_adjoining_regions_and_reaches_the_top)
{
	struct bus *b = bus_new(NULL);

	cr_assert(bus_add_ram(b, "low", 0xfffe0000, 0x10000, BUS_CPU));
	cr_assert(bus_add_ram(b, "high", 0xffff0000, 0x10000, BUS_CPU));
	u8 *p = bus_span(b, BUS_CPU, 0xfffe0000, 0x20000);
	cr_assert(p != NULL);
	memset(p, 0x5a, 0x20000);
	u32 v;
	cr_expect(eq(int, bus_read(b, 0xfffffffc, 4, cpu, &v), BUS_OK));
	cr_expect(eq(u32, v, 0x5a5a5a5a));
	bus_free(b);
}

static void note_message(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	cr_expect(eq(int, kind, DIAG_USER));
	snprintf(ctx, MESSAGE_BYTES, "%s %s", id, text);
}

Test(bus, regions_that_do_not_fit_are_named)
{
	char message[MESSAGE_BYTES] = "";
	const struct diag diag = { note_message, message };
	struct bus *b = bus_new(&diag);

	cr_assert(bus_add_ram(b, "A", 0x10000000, 0x10000, BUS_CPU));
	cr_expect(not(bus_add_ram(b, "B", 0x1000f000, 0x2000, BUS_CPU)));
	cr_expect(eq(str, message, "BUS001 region B at 0x1000f000, 8192 bytes: overlaps another or is empty"));
	cr_expect(not(bus_add_device(b, "C", 0xfffff000, 0x2000, BUS_CPU, &echo, NULL)), "beyond the last address");
	cr_expect(not(bus_add_device(b, "D", 0x40000000, 0, BUS_CPU, &echo, NULL)));
	bus_free(b);
}

Test(bus, devices_share_a_page)
{
	struct bus *b = bus_new(NULL);
	u32 one = 100, two = 200, v;

	cr_assert(bus_add_device(b, "one", 0x40000000, 0x100, BUS_CPU, &echo, &one));
	cr_assert(bus_add_device(b, "two", 0x40000100, 0x100, BUS_CPU, &echo, &two));
	cr_expect(not(bus_add_device(b, "three", 0x400000fc, 8, BUS_CPU, &echo, &two)));
	cr_expect(eq(int, bus_read(b, 0x40000104, 4, cpu, &v), BUS_OK));
	cr_expect(eq(u32, v, 200 + 4 * 16 + 4));
	cr_expect(eq(int, bus_write(b, 0x40000000, 1, cpu, 7), BUS_OK));
	cr_expect(eq(u32, one, 7));
	cr_expect(eq(u32, bus_ram_page(b, 0x40000000, BUS_CPU), BUS_NO_PAGE));
	cr_expect(eq(ptr, (void *)bus_nearest(b, 0x40000300), NULL), "no memory, though a device is near");
	bus_free(b);
}

static void note_page(void *ctx, u32 page)
{
	*(u32 *)ctx = page;
}

Test(bus, writes_to_code_pages_are_told)
{
	struct bus *b = bus_new(NULL);
	u32 told = BUS_NO_PAGE;

	cr_assert(bus_add_ram(b, "A", 0x10000000, 0x10000, BUS_CPU | BUS_NPU));
	bus_public(b)->code_written = note_page;
	bus_public(b)->code_ctx = &told;
	const u32 page = bus_ram_page(b, 0x10003000, BUS_CPU);
	bus_flag_page(b, page, PAGE_CODE);
	bus_will_write(b, 0x10000000, 0x3000);
	cr_expect(eq(u32, told, BUS_NO_PAGE));
	bus_will_write(b, 0x10002fff, 2);
	cr_expect(eq(u32, told, page));
	bus_free(b);
}

Test(bus, bytes_are_put_across_regions_and_seen_through_aliases)
{
	enum { BYTES = 0x28001 };
	struct bus *b = bus_new(NULL);
	u8 *bytes = malloc(BYTES);

	for (u32 i = 0; i < BYTES; i++)
		bytes[i] = (u8)(i % 251);
	cr_assert(bus_add_ram(b, "A", 0x10000000, 0x20000, BUS_CPU));
	cr_assert(bus_add_ram(b, "B", 0x10020000, 0x20000, BUS_CPU));
	cr_assert(bus_add_alias(b, "B ns", 0x40000000, 0x20000, BUS_CPU, 0x10020000));
	bus_will_write(b, 0x1000fff1, BYTES);
	cr_assert(bus_span(b, BUS_CPU, 0x1000fff1, BYTES) != NULL);
	bus_put(b, BUS_CPU, 0x1000fff1, bytes, BYTES);
	cr_expect(eq(int, memcmp(bus_span(b, BUS_CPU, 0x1000fff1, BYTES), bytes, BYTES), 0));
	cr_expect(eq(int, memcmp(bus_span(b, BUS_CPU, 0x40000000, 0x1000), bytes + 0x1000f, 0x1000), 0));
	cr_expect(eq(u8, *bus_span(b, BUS_CPU, 0x1000fff0, 1), 0));
	free(bytes);
	bus_free(b);
}
