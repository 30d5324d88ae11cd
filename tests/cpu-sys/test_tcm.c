/* SPDX-License-Identifier: Apache-2.0 */
/* TCMs and their gates: the table's blocks, what passes, faults and dropped data. */
#include "tests/cpu-sys/rig.h"

#include <criterion/criterion.h>

#define ITGU 0xE001E500u
#define DTGU 0xE001E600u
enum { CTRL = 0, CFG = 4, LUT = 0x10 };
#define ITCM_S 0x10000000u
#define DTCM_NS 0x20000000u
#define DTCM_S 0x30000000u
#define BLOCK 0x2000u /* 2^(8+5): eight in 64 KiB */

static struct rig *r;
static struct cpu *c;

static struct rig *with(unsigned size_code, unsigned block)
{
	struct cpu_config config = rig_config();

	config.itcm_size_code = config.dtcm_size_code = size_code;
	config.tgu_block[0] = config.tgu_block[1] = block;
	return rig_new_of(&config);
}

static void setup(void)
{
	r = with(7, 8);
	c = r->c;
	/* The Non-secure aliases are Non-secure for the SAU, too. */
	rig_write(r, 0xE000EDD8, 0);
	rig_write(r, 0xE000EDDC, 0);
	rig_write(r, 0xE000EDE0, 0x0FFFFFE1);
	rig_write(r, 0xE000EDD8, 1);
	rig_write(r, 0xE000EDDC, DTCM_NS);
	rig_write(r, 0xE000EDE0, 0x2FFFFFE1);
	rig_write(r, 0xE000EDD0, 1);
}
static void teardown(void) { rig_free(r); }
TestSuite(tcm, .init = setup, .fini = teardown);

static bool reads(u32 addr, u32 *value) { return cpu_load(c, addr, 4, ACC_NORMAL, value); }

/* PRESENT, NUMBLKS and BLKSZ as drivers compute with them: block bytes are 2^(BLKSZ+5), blocks 2^NUMBLKS. */
Test(tcm, configuration_has_the_boards_blocks)
{
	static const struct { unsigned size_code, block; u32 cfg; } rows[] = {
		{ 7, 8, 0x80000308 },   /* 64 KiB: 8 blocks of 8 KiB */
		{ 10, 8, 0x80000608 },  /* 512 KiB: 64 */
		{ 10, 11, 0x8000030B }, /* 512 KiB: 8 blocks of 64 KiB */
		{ 6, 15, 0x8000000F },  /* 32 KiB: one block, larger than the TCM */
		{ 7, 0, 0x80000902 },   /* 64 KiB: the table ends at 512 blocks */
		{ 0, 8, 0 },            /* no TCM */
	};
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		struct rig *other = with(rows[i].size_code, rows[i].block);

		cr_expect_eq(rig_read(other, ITGU + CFG), rows[i].cfg, "row %u", i);
		cr_expect_eq(rig_read(other, DTGU + CFG), rows[i].cfg, "row %u", i);
		cr_expect_eq(rig_read(other, ITGU + CTRL), 3);
		rig_free(other);
	}
}

Test(tcm, tables_have_the_bits_of_blocks)
{
	struct rig *large = with(10, 8);

	for (unsigned i = 0; i < 16; i++) {
		rig_write(r, DTGU + LUT + 4 * i, 0xFFFFFFFF);
		cr_expect_eq(rig_read(r, DTGU + LUT + 4 * i), i ? 0 : 0xFF);
		rig_write(large, ITGU + LUT + 4 * i, 0xFFFFFFFF);
		cr_expect_eq(rig_read(large, ITGU + LUT + 4 * i), i < 2 ? 0xFFFFFFFF : 0);
	}
	rig_free(large);
}

Test(tcm, gates_are_open_until_their_table_is_written)
{
	u32 value;

	cr_expect(reads(DTCM_NS, &value));
	cr_expect(reads(DTCM_S, &value));
	rig_write(r, ITGU + LUT, 0xFF);
	cr_expect(reads(DTCM_NS, &value), "the other gate");
}

Test(tcm, each_block_takes_its_own_state)
{
	u32 value;

	rig_write(r, DTCM_S + BLOCK - 4, 11);
	rig_write(r, DTCM_S + BLOCK, 22);
	rig_write(r, DTGU + LUT, 2);
	for (unsigned i = 0; i < 8; i++) {
		cr_expect_eq(reads(DTCM_NS + i * BLOCK, &value), i == 1, "block %u", i);
		cr_expect_eq(reads(DTCM_NS + i * BLOCK + BLOCK - 4, &value), i == 1, "block %u", i);
		cr_expect_eq(reads(DTCM_S + i * BLOCK, &value), i != 1, "block %u", i);
		cr_expect_eq(reads(DTCM_S + i * BLOCK + BLOCK - 4, &value), i != 1, "block %u", i);
	}
	cr_expect_eq(rig_read(r, DTCM_NS + BLOCK), 22);
	rig_write(r, DTGU + LUT, 1);
	cr_expect_eq(rig_read(r, DTCM_NS + BLOCK - 4), 11);
	cr_expect_not(reads(DTCM_NS + BLOCK, &value));
}

/* Without DBFEN data that is refused reads as zero and is lost; instructions fault all the same. */
Test(tcm, dbfen_off_drops_data)
{
	u16 halfword;

	rig_write(r, DTCM_S, 33);
	rig_write(r, DTGU + LUT, 0xFE);
	rig_write(r, DTGU + CTRL, 2);
	cr_expect_eq(rig_read(r, DTCM_NS), 0);
	rig_write(r, DTCM_NS, 44);
	cr_expect_eq(rig_read(r, DTCM_S), 33);
	rig_write(r, DTGU + CTRL, 3);
	u32 value;
	cr_expect_not(reads(DTCM_NS, &value));

	rig_poke(r, ITCM_S + BLOCK, 0xBF00BF00);
	rig_write(r, ITGU + CTRL, 0);
	cr_expect(cpu_fetch(c, ITCM_S + BLOCK, &halfword));
	rig_write(r, ITGU + LUT, 2);
	cr_expect_not(cpu_fetch(c, ITCM_S + BLOCK, &halfword));
	cr_expect_eq(rig_read(r, ITCM_S + BLOCK), 0);
}

/* Vectors and unaligned words, whose bytes are on both sides of a border. */
Test(tcm, accesses_over_borders_are_judged_at_both_ends)
{
	u32 value;

	rig_write(r, DTCM_S + BLOCK - 4, 0x11223344);
	rig_write(r, DTCM_S + BLOCK, 0x55667788);
	rig_write(r, DTGU + LUT, 1);
	cr_expect_not(reads(DTCM_NS + BLOCK - 2, &value));
	cr_expect_not(reads(DTCM_S + BLOCK - 2, &value));
	rig_write(r, DTGU + LUT, 3);
	cr_expect(reads(DTCM_NS + BLOCK - 2, &value));
	cr_expect_eq(value, 0x77881122);
}
