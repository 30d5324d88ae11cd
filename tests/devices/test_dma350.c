/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350: what arrives where, and what addresses and sizes show. */
#include "dma350_bench.h"

Test(dma350, copies_bytes_and_interrupts)
{
	struct rig *r = bench();

	rig_write(r, CH(1) + INTREN, 1);
	copy(r, 1, X_TYPE(1), RAM + 3, RAM + 0x1001, 5 << 16 | 5, 1 << 16 | 1);
	cr_expect(eq(u32, rig_read(r, CH(1) + CMD), 1), "busy");
	rig_wait(r, SECONDS(1));
	cr_expect(zero(u32, rig_read(r, CH(1) + CMD)));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE | 1));
	cr_expect(r->irq[58]);
	EXPECT(RAM + 0x1000, 0, 3, 4, 5, 6, 7, 0);
	cr_expect(eq(u32, rig_read(r, CH(1) + SRCADDR), RAM + 8));
	rig_write(r, CH(1) + STATUS, DONE);
	cr_expect(not(r->irq[58]));
	cr_expect(zero(u32, rig_read(r, CH(1) + STATUS)));
	rig_free(r);
}

Test(dma350, overlapping_move_downwards)
{
	struct rig *r = bench();

	copy(r, 0, X_TYPE(1), RAM + 7, RAM + 9, 8 << 16 | 8, 0xffffffff);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7);
	rig_free(r);
}

Test(dma350, short_source_wraps_fills_or_ends)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + FILLVAL, 0xee);
	copy(r, 0, X_TYPE(2), RAM + 1, RAM + 0x1000, 7 << 16 | 3, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 2, 3, 1, 2, 3, 1, 0);
	copy(r, 0, X_TYPE(3), RAM + 1, RAM + 0x1000, 5 << 16 | 3, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0xee, 0xee, 3, 1, 0);
	copy(r, 0, X_TYPE(1), RAM + 9, RAM + 0x1000, 5 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 9, 10, 3, 0xee, 0xee, 3, 1, 0);
	rig_free(r);
}

Test(dma350, planes)
{
	struct rig *r = bench();

	/* 2 lines of 3 out of lines of 16, poured into 3 lines of 2 that are 4 apart. */
	rig_write(r, CH(0) + YSIZE, 3 << 16 | 2);
	rig_write(r, CH(0) + YADDRSTRIDE, 4 << 16 | 16);
	copy(r, 0, X_TYPE(1) | Y_TYPE(1), RAM + 0x10, RAM + 0x1000, 2 << 16 | 3, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 0x10, 0x11, 0, 0, 0x12, 0x20, 0, 0, 0x21, 0x22, 0, 0);
	/* Line by line: the source's lines wrap, their ends are filled. Words. */
	rig_write(r, CH(0) + YSIZE, 3 << 16 | 2);
	rig_write(r, CH(0) + YADDRSTRIDE, 2 << 16 | 4);
	rig_write(r, CH(0) + FILLVAL, 0x55555555);
	copy(r, 0, 2 | X_TYPE(3) | Y_TYPE(2), RAM, RAM + 0x2000, 2 << 16 | 1, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x2000, 0, 1, 2, 3, 0x55, 0x55, 0x55, 0x55, 0x10, 0x11, 0x12, 0x13, 0x55, 0x55, 0x55, 0x55, 0, 1, 2, 3);
	rig_free(r);
}

/* TF-M's driver (dma350_address_remap.c) shifts TCM addresses: DMA reaches them through the core's slave port. */
Test(dma350, tcms_through_the_slave_port)
{
	struct rig *r = bench();

	copy(r, 0, X_TYPE(1), RAM + 1, 0x34000010, 4 << 16 | 4, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(0x20000010, 1, 2, 3, 4);
	copy(r, 0, X_TYPE(1), 0x24000011, 0x1a000020, 3 << 16 | 3, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(0x10000020, 2, 3, 4, 0);
	rig_free(r);
}

/* Template 11001 of 5 places: the 0th, 3rd and 4th of each five. */
Test(dma350, templates_pick_and_spread)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + SRCTMPLT, 0x18);
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCTMPLT), 0x19), "the first place is always used");
	rig_write(r, CH(0) + TMPLTCFG, 4 << 8);
	copy(r, 0, X_TYPE(1), RAM + 0x10, RAM + 0x1000, 7 << 16 | 7, 1 << 16);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 0x10, 0x13, 0x14, 0x15, 0x18, 0x19, 0x1a, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCADDR), RAM + 0x1d), "the next that the template names");
	rig_write(r, CH(0) + DESTMPLT, 0xfffffff9); /* bits beyond the size do not count */
	rig_write(r, CH(0) + TMPLTCFG, 3 << 16);
	copy(r, 0, 1 | X_TYPE(1), RAM + 0x20, RAM + 0x2000, 3 << 16 | 3, 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x2000, 0x20, 0x21, 0, 0, 0, 0, 0x22, 0x23, 0x24, 0x25, 0, 0);
	rig_free(r);
}

Test(dma350, addresses_are_aligned)
{
	struct rig *r = bench();

	copy(r, 0, 2 | X_TYPE(1), RAM + 7, RAM + 0x1003, 1 << 16 | 1, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 4, 5, 6, 7, 0);
	rig_free(r);
}

/* The examples of the manual's section "command execution status reporting". */
Test(dma350, addresses_behind_the_end)
{
	static const struct { u32 types, x_size, y_size, from, to; } cases[] = {
		{ X_TYPE(1), 5 << 16 | 5, 0, 5, 5 },
		{ X_TYPE(2), 7 << 16 | 5, 0, 0, 7 },
		{ X_TYPE(1) | Y_TYPE(1), 5 << 16 | 5, 3 << 16 | 3, 0x30, 0x30 },
		{ X_TYPE(3) | Y_TYPE(2), 5 << 16 | 5, 3 << 16 | 3, 0, 0x30 },
		{ X_TYPE(2) | Y_TYPE(2), 7 << 16 | 5, 3 << 16 | 3, 0, 0x30 },
		{ 0, 5 << 16 | 5, 0, 0, 0 },
	};

	for (unsigned i = 0; i < ARRAY_LEN(cases); i++) {
		struct rig *r = bench();

		rig_write(r, CH(0) + YSIZE, cases[i].y_size);
		rig_write(r, CH(0) + YADDRSTRIDE, 0x10 << 16 | 0x10);
		copy(r, 0, cases[i].types, RAM, RAM + 0x1000, cases[i].x_size, 1 << 16 | 1);
		rig_wait(r, SECONDS(1));
		cr_expect(eq(u32, rig_read(r, CH(0) + SRCADDR) - RAM, cases[i].from), "case %u", i);
		cr_expect(eq(u32, rig_read(r, CH(0) + DESADDR) - RAM - 0x1000, cases[i].to), "case %u", i);
		cr_expect(eq(u32, rig_read(r, CH(0) + XSIZE), cases[i].types ? 0 : cases[i].x_size), "case %u", i);
		cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE), "case %u", i);
		rig_free(r);
	}
}

static void expect_working_registers(struct rig *r, const u32 *want, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		rig_write(r, CH(0) + WRKREGPTR, i);
		cr_expect(eq(u32, rig_read(r, CH(0) + WRKREGVAL), want[i]), "working register %u", i);
	}
}

/* Linux's driver reads XSIZE and XSIZEHI of a running channel for what is left to be done. */
Test(dma350, a_running_channel_shows_what_is_left)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + XSIZEHI, 2 << 16 | 2);
	copy(r, 0, X_TYPE(1), RAM, RAM + 0x100000, 5 << 16 | 5, 1 << 16 | 1);
	cr_expect(eq(u32, rig_read(r, CH(0) + XSIZE), 5 << 16 | 5));
	rig_wait(r, 100000 * (SECONDS(1) / 100000000));
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), ENABLE));
	u32 to = rig_read(r, CH(0) + DESADDR) - RAM - 0x100000, left = rig_read(r, CH(0) + XSIZE) >> 16 | (rig_read(r, CH(0) + XSIZEHI) & 0xffff0000);
	cr_expect(to > 0 && left == 0x20005 - to, "0x%x done, 0x%x left", to, left);
	rig_write(r, CH(0) + CMD, STOP);
	cr_expect(eq(u32, rig_read(r, CH(0) + DESADDR) - RAM - 0x100000, to));
	rig_free(r);
}

/* 100 lines of 100, 128 apart; the first portion is 4096. */
Test(dma350, a_pause_shows_what_is_left)
{
	struct rig *r = bench();
	const u32 working[13] = {[1] = RAM, [3] = RAM + 0x10000, [5] = 100, [6] = 100, [7] = RAM + 40 * 128,
				 [9] = RAM + 0x10000 + 40 * 128, [11] = 100, [12] = 100};

	rig_write(r, CH(0) + YSIZE, 100 << 16 | 100);
	rig_write(r, CH(0) + YADDRSTRIDE, 128 << 16 | 128);
	copy(r, 0, X_TYPE(1) | Y_TYPE(1), RAM, RAM + 0x10000, 100 << 16 | 100, 1 << 16 | 1);
	rig_wait(r, 3000 * (SECONDS(1) / 100000000));
	rig_write(r, CH(0) + CMD, PAUSE);
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), ENABLE | PAUSE));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), PAUSED | RESUME_WAIT));
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCADDR), RAM + 40 * 128 + 96));
	cr_expect(eq(u32, rig_read(r, CH(0) + DESADDR), RAM + 0x10000 + 40 * 128 + 96));
	cr_expect(eq(u32, rig_read(r, CH(0) + XSIZE), 4 << 16 | 4));
	cr_expect(eq(u32, rig_read(r, CH(0) + YSIZE), 60 << 16 | 60));
	expect_working_registers(r, working, ARRAY_LEN(working));
	rig_write(r, CH(0) + CMD, RESUME);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(eq(u32, rig_read(r, CH(0) + DESADDR), RAM + 0x10000 + 100 * 128));
	rig_free(r);
}

/* What the security controller refuses: reads zero and writes nothing, or is a bus error, as SECRESPCFG says. */
Test(dma350, a_security_controller_keeps_non_secure_accesses_from_secure_addresses)
{
	struct rig *r = rig_new_board(board_find("corstone-310"), true);
	const u32 nonsecure = 1 << 10, place = 0x31001000, sacfg = 0x50080000;

	rig_write(r, 0x31000000, 7);
	rig_write(r, place, 1);
	rig_write(r, sacfg + 0x38, 4); /* SECMSCINTEN */
	rig_write(r, CH(0) + DESTRANSCFG, nonsecure | 0x8ff);
	rig_write(r, CH(0) + SRCTRANSCFG, 0x8ff);
	copy(r, 0, 2 | X_TYPE(1), 0x31000000, place, 1 << 16 | 1, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, place), 1));
	cr_expect(eq(u32, rig_read(r, sacfg + 0x30), 4), "SECMSCINTSTAT");
	cr_expect(r->irq[11]);
	cr_expect(zero(u32, rig_read(r, CH(0) + STATUS) & ERROR));
	rig_write(r, sacfg + 0x34, 4);
	cr_expect(not(r->irq[11]));
	rig_write(r, sacfg + 0x10, 1); /* SECRESPCFG */
	copy(r, 0, 2 | X_TYPE(1), 0x31000000, place, 1 << 16 | 1, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(ne(u32, rig_read(r, CH(0) + STATUS) & ERROR, 0));
	cr_expect(r->irq[11]);
	rig_write(r, CH(0) + STATUS, ERROR);
	rig_write(r, CH(0) + DESTRANSCFG, 0x8ff);
	copy(r, 0, 2 | X_TYPE(1), 0x31000000, place, 1 << 16 | 1, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, place), 7), "a Secure access");
	rig_free(r);
}
