/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the DMA-350 share: a board with one, 256 bytes 0, 1, 2... in RAM, and commands. */
#ifndef TESTS_DEVICES_DMA350_BENCH_H
#define TESTS_DEVICES_DMA350_BENCH_H

#include "rig.h"

#define DMA 0x50002000u
#define CH(n) (DMA + 0x1000 + 0x100 * (n))
#define RAM 0x21000000u
#define NOWHERE 0x1f000000u

enum { CMD = 0, STATUS = 4, INTREN = 8, CTRL = 0xc, SRCADDR = 0x10, DESADDR = 0x18, XSIZE = 0x20, XSIZEHI = 0x24,
       SRCTRANSCFG = 0x28, DESTRANSCFG = 0x2c, XADDRINC = 0x30, YADDRSTRIDE = 0x34, FILLVAL = 0x38, YSIZE = 0x3c, TMPLTCFG = 0x40,
       SRCTMPLT = 0x44, DESTMPLT = 0x48, SRCTRIGINCFG = 0x4c, DESTRIGINCFG = 0x50, TRIGOUTCFG = 0x54, GPOEN0 = 0x58,
       GPOVAL0 = 0x60, AUTOCFG = 0x74, LINKADDR = 0x78, GPOREAD0 = 0x80, WRKREGPTR = 0x88, WRKREGVAL = 0x8c, ERRINFO = 0x90 };
enum { USE_SOURCE_TRIGGER = 1 << 25, USE_DESTINATION_TRIGGER = 1 << 26, USE_TRIGGER_OUTPUT = 1 << 27, USE_GPO = 1 << 28 };
enum { ENABLE = 1, CLEAR = 2, DISABLE = 4, STOP = 8, PAUSE = 0x10, RESUME = 0x20 };
enum { SOURCE_REQUEST = 1 << 16, DESTINATION_REQUEST = 1 << 20, ACKNOWLEDGE = 1 << 24, SINGLE = 0, LAST = 1, BLOCK = 2 };
enum { SOURCE_WAIT = 1 << 24, DESTINATION_WAIT = 1 << 25, ACK_WAIT = 1 << 26 };
enum { DONE = 1 << 16, ERROR = 1 << 17, DISABLED = 1 << 18, STOPPED = 1 << 19, PAUSED = 1 << 20, RESUME_WAIT = 1 << 21 };
#define X_TYPE(n) ((n) << 9)
#define Y_TYPE(n) ((n) << 12)
#define DONE_AT_END (1 << 21)
#define DONE_PAUSES (1 << 24)
#define RELOAD_ALL (7 << 18)

static inline struct rig *bench_on(const char *board)
{
	struct rig *r = rig_new_board(board_find(board), false);

	for (u32 i = 0; i < 256; i++)
		bus_write(r->bus, RAM + i, 1, (struct bus_attr){ true, true, BUS_CPU }, i);
	return r;
}

static inline struct rig *bench(void)
{
	return bench_on("corstone-310");
}

static inline u8 byte_at(struct rig *r, u32 addr)
{
	return (u8)(rig_read(r, addr & ~3u) >> 8 * (addr & 3));
}

/* A 1D command with both sizes and both increments, started. */
static inline void copy(struct rig *r, unsigned ch, u32 ctrl, u32 from, u32 to, u32 x_size, u32 increments)
{
	rig_write(r, CH(ch) + CTRL, ctrl | DONE_AT_END);
	rig_write(r, CH(ch) + SRCADDR, from);
	rig_write(r, CH(ch) + DESADDR, to);
	rig_write(r, CH(ch) + XSIZE, x_size);
	rig_write(r, CH(ch) + XADDRINC, increments);
	rig_write(r, CH(ch) + CMD, ENABLE);
}

/* `n` bytes from RAM + from to RAM + 0x1000. */
static inline void copy_bytes(struct rig *r, unsigned ch, u32 ctrl, u32 from, u32 n)
{
	copy(r, ch, ctrl | X_TYPE(1), RAM + from, RAM + 0x1000, n << 16 | n, 1 << 16 | 1);
}

static inline void put_words(struct rig *r, u32 at, const u32 *words, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		rig_write(r, at + 4 * i, words[i]);
}
#define PUT(at, ...) put_words(r, at, (const u32[]){ __VA_ARGS__ }, ARRAY_LEN(((const u32[]){ __VA_ARGS__ })))

static inline void expect_bytes(struct rig *r, u32 at, const u8 *want, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		cr_expect(eq(u8, byte_at(r, at + i), want[i]), "byte %u", i);
}
#define EXPECT(at, ...) \
	expect_bytes(r, at, (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ }))

#endif
