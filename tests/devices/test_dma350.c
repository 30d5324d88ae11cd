/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350: what arrives where, and how commands end. */
#include "rig.h"

#define DMA 0x50002000u
#define CH(n) (DMA + 0x1000 + 0x100 * (n))
#define RAM 0x21000000u
#define NOWHERE 0x1f000000u

enum { CMD = 0, STATUS = 4, INTREN = 8, CTRL = 0xc, SRCADDR = 0x10, DESADDR = 0x18, XSIZE = 0x20, XSIZEHI = 0x24,
       XADDRINC = 0x30, YADDRSTRIDE = 0x34, FILLVAL = 0x38, YSIZE = 0x3c, SRCTRIGINCFG = 0x4c, DESTRIGINCFG = 0x50, AUTOCFG = 0x74, LINKADDR = 0x78, ERRINFO = 0x90 };
enum { USE_SOURCE_TRIGGER = 1 << 25, USE_DESTINATION_TRIGGER = 1 << 26, USE_TRIGGER_OUTPUT = 1 << 27 };
enum { SOURCE_REQUEST = 1 << 16, DESTINATION_REQUEST = 1 << 20, ACKNOWLEDGE = 1 << 24, SINGLE = 0, LAST = 1, BLOCK = 2 };
enum { SOURCE_WAIT = 1 << 24, DESTINATION_WAIT = 1 << 25, ACK_WAIT = 1 << 26 };
enum { DONE = 1 << 16, ERROR = 1 << 17, STOPPED = 1 << 19, PAUSED = 1 << 20 };
#define X_TYPE(n) ((n) << 9)
#define Y_TYPE(n) ((n) << 12)
#define DONE_AT_END (1 << 21)
#define DONE_PAUSES (1 << 24)

static struct rig *bench(void)
{
	struct rig *r = rig_new_board(board_find("corstone-310"), false);

	for (u32 i = 0; i < 256; i++)
		bus_write(r->bus, RAM + i, 1, (struct bus_attr){ true, true, BUS_CPU }, i);
	return r;
}

static u8 byte_at(struct rig *r, u32 addr)
{
	return (u8)(rig_read(r, addr & ~3u) >> 8 * (addr & 3));
}

static void copy(struct rig *r, unsigned ch, u32 ctrl, u32 from, u32 to, u32 x_size, u32 increments)
{
	rig_write(r, CH(ch) + CTRL, ctrl | DONE_AT_END);
	rig_write(r, CH(ch) + SRCADDR, from);
	rig_write(r, CH(ch) + DESADDR, to);
	rig_write(r, CH(ch) + XSIZE, x_size);
	rig_write(r, CH(ch) + XADDRINC, increments);
	rig_write(r, CH(ch) + CMD, 1);
}

static void expect_bytes(struct rig *r, u32 at, const u8 *want, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		cr_expect(eq(u8, byte_at(r, at + i), want[i]), "byte %u", i);
}
#define EXPECT(at, ...) \
	expect_bytes(r, at, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

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

Test(dma350, linked_commands)
{
	struct rig *r = bench();
	const u32 link[] = {
		/* CTRL, SRCADDR, DESADDR, XSIZE, XADDRINC, LINKADDR */
		1u << 3 | 1u << 4 | 1u << 6 | 1u << 8 | 1u << 12 | 1u << 30,
		X_TYPE(1) | DONE_AT_END, RAM + 0x40, RAM + 0x1004, 2 << 16 | 2, 1 << 16 | 1, 0,
	};

	for (unsigned i = 0; i < ARRAY_LEN(link); i++)
		rig_write(r, RAM + 0x3000 + 4 * i, link[i]);
	rig_write(r, CH(0) + LINKADDR, (RAM + 0x3000) | 1);
	copy(r, 0, X_TYPE(1), RAM + 0x20, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 0x20, 0x21, 0, 0, 0x40, 0x41, 0, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS) & (DONE | ERROR), DONE));
	rig_free(r);
}

Test(dma350, errors)
{
	struct rig *r = bench();

	copy(r, 0, X_TYPE(1), NOWHERE, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ERROR));
	cr_expect(eq(u32, rig_read(r, CH(0) + ERRINFO), 1));
	copy(r, 1, X_TYPE(1) | 1 << 29, RAM, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), ERROR));
	cr_expect(eq(u32, rig_read(r, CH(1) + ERRINFO), 2));
	cr_expect(strstr(r->last_message, "DEV005") != NULL, "%s", r->last_message);
	rig_free(r);
}

Test(dma350, pause_resume_stop_clear)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + XSIZEHI, 1 << 16 | 1);
	copy(r, 0, X_TYPE(1), RAM, RAM + 0x40000, 0, 1 << 16 | 1);
	rig_write(r, CH(0) + CMD, 0x10);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS) & (PAUSED | DONE), PAUSED));
	cr_expect(zero(u8, byte_at(r, RAM + 0x40001)), "nothing moved");
	rig_write(r, CH(0) + CMD, 0x20);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS) & (PAUSED | DONE), DONE));
	cr_expect(eq(u8, byte_at(r, RAM + 0x40000 + 255), 255));
	rig_write(r, CH(0) + STATUS, DONE);
	rig_write(r, CH(0) + AUTOCFG, 1 << 16);
	copy(r, 0, X_TYPE(1) | 7 << 18, RAM, RAM + 0x1000, 1 << 16 | 1, 1 << 16 | 1);
	rig_wait(r, SECONDS(1) / 1000);
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), 1), "restarts without end");
	rig_write(r, CH(0) + CMD, 8);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), STOPPED));
	rig_write(r, CH(0) + CMD, 2);
	cr_expect(zero(u32, rig_read(r, CH(0) + STATUS)));
	cr_expect(zero(u32, rig_read(r, CH(0) + AUTOCFG)));
	cr_expect(eq(u32, rig_read(r, CH(0) + CTRL), 0x00200200));
	rig_free(r);
}

/* TF-M's driver (dma350_address_remap.c) shifts TCM addresses: DMA reaches them through the core's slave port. */
Test(dma350, a_finished_command_pauses_when_asked_to)
{
	struct rig *r = bench();
	const u32 next[] = {1u << 4 | 1u << 6 | 1u << 8, RAM + 8, RAM + 0x1010, 4 << 16 | 4};

	for (unsigned i = 0; i < ARRAY_LEN(next); i++)
		rig_write(r, RAM + 0x2000 + 4 * i, next[i]);
	rig_write(r, CH(0) + INTREN, 1);
	rig_write(r, CH(0) + LINKADDR, (RAM + 0x2000) | 1);
	copy(r, 0, X_TYPE(1) | DONE_PAUSES, RAM, RAM + 0x1000, 4 << 16 | 4, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE | PAUSED | PAUSED << 1 | 1));
	cr_expect(r->irq[57]);
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), 1), "still running");
	EXPECT(RAM + 0x1000, 0, 1, 2, 3);
	cr_expect(zero(u32, rig_read(r, RAM + 0x1010)));
	rig_write(r, CH(0) + STATUS, DONE);
	rig_write(r, CH(0) + CMD, 0x20);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1010, 8, 9, 10, 11);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS) & (DONE | PAUSED), DONE | PAUSED), "so does the next");
	rig_write(r, CH(0) + CMD, 0x20);
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)), "nothing follows");
	rig_free(r);
}

Test(dma350, tcms_through_the_slave_port)
{
	struct rig *r = bench();

	copy(r, 0, X_TYPE(1), RAM + 1, 0x34000010, 4 << 16 | 4, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(0x20000010, 1, 2, 3, 4);
	copy(r, 0, X_TYPE(1), 0x24000011, 0x1a000020, 3 << 16 | 3, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(0x10000020, 2, 3, 4, 0);
}

Test(dma350, a_command_trigger_starts_the_command)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + INTREN, 1 << 8);
	copy(r, 0, X_TYPE(1) | USE_SOURCE_TRIGGER, RAM + 1, RAM + 0x1000, 3 << 16 | 3, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT | 1 << 8));
	cr_expect(r->irq[57]);
	EXPECT(RAM + 0x1000, 0, 0, 0);
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST);
	cr_expect(not(r->irq[57]), "the interrupt goes with its cause");
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0);
}

/* Both sides with flow control: what moves is what both allow. */
Test(dma350, requests_allow_elements_and_blocks)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + SRCTRIGINCFG, 2 << 10 | 2 << 16);
	rig_write(r, CH(0) + DESTRIGINCFG, 2 << 10 | 1 << 16);
	copy(r, 0, X_TYPE(1) | USE_SOURCE_TRIGGER | USE_DESTINATION_TRIGGER, RAM + 1, RAM + 0x1000, 4 << 16 | 4, 1 << 16 | 1);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT | DESTINATION_WAIT));
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST | BLOCK << 17);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DESTINATION_WAIT));
	rig_write(r, CH(0) + CMD, DESTINATION_REQUEST | SINGLE << 21);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 0);
	rig_write(r, CH(0) + CMD, DESTINATION_REQUEST | BLOCK << 21);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), SOURCE_WAIT | DESTINATION_WAIT));
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST | DESTINATION_REQUEST);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 1, 2, 3, 4, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
}

Test(dma350, a_peripheral_says_which_request_is_the_last)
{
	struct rig *r = bench();

	rig_write(r, CH(1) + SRCTRIGINCFG, 3 << 10 | 1 << 16);
	copy(r, 1, X_TYPE(1) | USE_SOURCE_TRIGGER, RAM + 1, RAM + 0x1000, 100 << 16 | 100, 1 << 16 | 1);
	rig_write(r, CH(1) + CMD, SOURCE_REQUEST | SINGLE << 17);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), SOURCE_WAIT));
	rig_write(r, CH(1) + CMD, SOURCE_REQUEST | (BLOCK | LAST) << 17);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE));
	EXPECT(RAM + 0x1000, 1, 2, 3, 0);
}

Test(dma350, the_end_waits_for_the_acknowledgement_of_its_trigger)
{
	struct rig *r = bench();

	copy(r, 0, X_TYPE(1) | USE_TRIGGER_OUTPUT, RAM + 1, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ACK_WAIT));
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), 1), "still busy");
	rig_write(r, CH(0) + CMD, ACKNOWLEDGE);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)));
	copy(r, 0, X_TYPE(1), RAM + 5, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	cr_expect(zero(u32, rig_read(r, CH(0) + STATUS)), "a new command clears the end of the one before");
}
