/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/fill.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <sys/mman.h>

#define BASE 0x60000000u
#define FAR (UINT32_C(64) << 20) /* further than any page of the host reaches */

static const struct bus_attr cpu = { true, true, BUS_CPU };
static struct bus *b;

static void setup(void)
{
	b = bus_new(NULL);
	cr_assert(bus_add_ram(b, "DDR", BASE, UINT32_C(1) << 30, BUS_CPU));
	cr_assert(bus_add_ram(b, "SRAM", 0x01000000, 0x8000, BUS_CPU));
	cr_assert(bus_add_alias(b, "SRAM", 0x11000000, 0x8000, BUS_CPU, 0x01000000));
	cr_assert(bus_fill(b, BASE, 0x11111111, 0x22222222));
	cr_assert(bus_fill(b, 0x01000000, 0xdfdfdfcf, 0xcfdfdfdf));
}

static void teardown(void) { bus_free(b); }
TestSuite(fill, .init = setup, .fini = teardown);

static u32 word(u32 addr)
{
	u32 value = 0;

	cr_assert(eq(int, bus_read(b, addr, 4, cpu, &value), BUS_OK));
	return value;
}

Test(fill, two_words_by_turns)
{
	cr_expect(eq(u32, word(BASE), 0x11111111));
	cr_expect(eq(u32, word(BASE + 4), 0x22222222));
	cr_expect(eq(u32, word(BASE + 0x3fffffc), 0x22222222));
	cr_expect(eq(u32, word(0x01007ff8), 0xdfdfdfcf));
	cr_expect(eq(u32, word(0x11007ffc), 0xcfdfdfdf));
}

Test(fill, what_was_written_stays_under_every_address)
{
	cr_assert(eq(int, bus_write(b, 0x11002006, 2, cpu, 0x1234), BUS_OK));
	cr_expect(eq(u32, word(0x01002004), 0x1234dfdf));
	cr_expect(eq(u32, word(0x01002000), 0xdfdfdfcf));
	cr_expect(eq(u32, word(0x11002004), 0x1234dfdf));
}

Test(fill, every_way_to_memory_finds_it)
{
	const u32 *span = (const u32 *)(const void *)bus_span(b, BUS_CPU, 0x01000ffc, 0x2008);

	cr_expect(eq(u32, span[0], 0xcfdfdfdf));
	cr_expect(eq(u32, span[1], 0xdfdfdfcf));
	cr_expect(eq(u32, span[0x801], 0xdfdfdfcf));
	cr_expect(ne(u32, bus_ram_page(b, 0x01005000, BUS_CPU), BUS_NO_PAGE));
	cr_expect(eq(u32, *(const u32 *)(const void *)(bus_public(b)->base + 0x01005000), 0xdfdfdfcf));
}

Test(fill, pages_that_nobody_reaches_take_no_memory)
{
	unsigned char resident = 0;

	word(BASE);
	cr_assert(eq(int, mincore(bus_public(b)->base + BASE, BUS_PAGE_SIZE, &resident), 0));
	cr_expect(resident & 1);
	cr_assert(eq(int, mincore(bus_public(b)->base + BASE + FAR, BUS_PAGE_SIZE, &resident), 0));
	cr_expect_not(resident & 1);
}

Test(fill, only_whole_memories)
{
	cr_expect_not(bus_fill(b, BASE + 0x1000, 1, 2));
	cr_expect_not(bus_fill(b, 0x50000000, 1, 2));
	cr_expect(bus_fill(b, BASE, 0, 0), "zeros need nothing");
}
