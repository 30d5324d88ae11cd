/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350: what concerns its channels together. */
#include "dma350_bench.h"

enum { CHSEC = 0, SCFG_CTRL = 0x40, SEC = 0x100, NSEC = 0x200 };
enum { CHINTRSTATUS = 0, ALL_STATUS = 8, ALL_CTRL = 0xc, CHPTR = 0x14, CHCFG = 0x18 };
enum { ALL_STOP = 1 << 8, ALL_PAUSE = 1 << 9, ALL_IDLE = 1 << 17, ALL_STOPPED = 1 << 18, ALL_PAUSED = 1 << 19 };
enum { PRIVILEGED = 1 << 17 };

Test(dma350_unit, identification)
{
	struct rig *r = bench();

	cr_expect(eq(u32, rig_read(r, DMA + 0xfc8), 0x3a00043b), "what TF-M's driver looks for");
	cr_expect(zero(u32, rig_read(r, DMA + 0xfcc)));
	cr_expect(eq(u32, rig_read(r, DMA + 0xfb0) >> 4 & 0x3f, 1), "channels - 1");
	cr_expect(eq(u32, rig_read(r, CH(1) + 0xfc) & 0x7ff, 0x7ff), "what Linux's driver looks for");
	rig_free(r);
}

Test(dma350_unit, all_channels_stop)
{
	struct rig *r = bench();

	rig_write(r, DMA + CHSEC, 2);
	rig_write(r, DMA + SEC + ALL_CTRL, 1 << 2);
	copy_bytes(r, 0, USE_SOURCE_TRIGGER, 0x20, 2);
	copy_bytes(r, 1, USE_SOURCE_TRIGGER, 0x20, 2);
	rig_write(r, DMA + SEC + ALL_CTRL, ALL_STOP | 1 << 2);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), STOPPED));
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), SOURCE_WAIT), "it is Non-secure");
	cr_expect(eq(u32, rig_read(r, DMA + SEC + ALL_STATUS), ALL_STOPPED | ALL_IDLE | 1 << 2));
	copy_bytes(r, 0, 0, 0x20, 2);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), STOPPED), "at once");
	rig_write(r, DMA + SEC + ALL_STATUS, ALL_STOPPED);
	cr_expect(eq(u32, rig_read(r, DMA + SEC + ALL_CTRL), 1 << 2));
	copy_bytes(r, 0, 0, 0x20, 2);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	rig_free(r);
}

Test(dma350_unit, all_channels_pause)
{
	struct rig *r = bench();

	copy_bytes(r, 0, 0, 0x20, 2);
	rig_write(r, DMA + SEC + ALL_CTRL, ALL_PAUSE);
	copy_bytes(r, 1, 0, 0x20, 2);
	rig_wait(r, SECONDS(1));
	for (unsigned ch = 0; ch < 2; ch++)
		cr_expect(eq(u32, rig_read(r, CH(ch) + STATUS), PAUSED), "channel %u", ch);
	cr_expect(eq(u32, rig_read(r, DMA + SEC + ALL_STATUS), ALL_PAUSED));
	rig_write(r, CH(0) + CMD, PAUSE);
	rig_write(r, DMA + SEC + ALL_STATUS, ALL_PAUSED);
	cr_expect(zero(u32, rig_read(r, DMA + SEC + ALL_CTRL)));
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), PAUSED | RESUME_WAIT), "for another reason");
	cr_expect(eq(u32, rig_read(r, CH(1) + STATUS), DONE));
	rig_write(r, CH(0) + CMD, RESUME);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(eq(u32, rig_read(r, DMA + SEC + ALL_STATUS), ALL_IDLE));
	rig_free(r);
}

/* SSE-320 has lines for all Secure and all Non-secure channels. */
Test(dma350_unit, combined_interrupts)
{
	struct rig *r = bench_on("corstone-320");

	rig_write(r, DMA + CHSEC, 2);
	rig_write(r, DMA + NSEC + ALL_CTRL, 1);
	rig_write(r, CH(1) + INTREN, 1);
	copy_bytes(r, 1, USE_SOURCE_TRIGGER, 0x20, 0);
	rig_write(r, CH(1) + CMD, SOURCE_REQUEST);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, DMA + NSEC + CHINTRSTATUS), 2));
	cr_expect(zero(u32, rig_read(r, DMA + SEC + CHINTRSTATUS)));
	cr_expect(r->irq[25]);
	cr_expect(not(r->irq[24]));
	rig_write(r, CH(1) + STATUS, DONE);
	cr_expect(not(r->irq[25]));
	rig_free(r);
}

struct access { u32 addr; bool secure, privileged; enum bus_status answer; u32 value; };

static void expect_reads(struct rig *r, const struct access *a, unsigned n)
{
	for (; n--; a++) {
		u32 value = 1;

		cr_expect(eq(int, bus_read(r->bus, a->addr, 4, (struct bus_attr){ a->secure, a->privileged, BUS_CPU }, &value), a->answer), "0x%08x", a->addr);
		cr_expect(eq(u32, value, a->value), "0x%08x", a->addr);
	}
}
#define READS(...) \
	expect_reads(r, (const struct access[]){ __VA_ARGS__ }, ARRAY_LEN(((const struct access[]){ __VA_ARGS__ })))

/* Channel 0 is Secure and privileged, channel 1 neither. */
Test(dma350_unit, who_may_access_what)
{
	enum { SCFG_INTRSTATUS = 0x44, BUS_ERROR = 2, INTERRUPT = 1, VIOLATION = 1 << 16 };
	const u32 ns = DMA - 0x10000000;
	struct rig *r = bench_on("corstone-320");

	rig_write(r, DMA + CHSEC, 2);
	rig_write(r, DMA + SEC + CHCFG, PRIVILEGED);
	rig_write(r, CH(0) + FILLVAL, 5);
	rig_write(r, CH(1) + FILLVAL, 6);
	rig_write(r, DMA + NSEC + CHPTR, 7);
	READS({ CH(1) + FILLVAL, false, false, BUS_OK, 6 }, { CH(1) + FILLVAL, true, false, BUS_OK, 6 },
	      { ns + NSEC + CHPTR, false, true, BUS_OK, 7 }, { ns + NSEC + CHPTR, false, false, BUS_OK, 0 },
	      { CH(0) + FILLVAL, true, false, BUS_OK, 0 }, { ns + 0xfc8, false, false, BUS_OK, 0x3a00043b },
	      { CH(7) + FILLVAL, false, false, BUS_OK, 0 });
	cr_expect(zero(u32, rig_read(r, DMA + SCFG_INTRSTATUS)), "no violation of security");
	READS({ CH(0) - 0x10000000 + FILLVAL, false, true, BUS_OK, 0 });
	cr_expect(eq(u32, rig_read(r, DMA + SCFG_INTRSTATUS), VIOLATION));
	rig_write(r, DMA + SCFG_INTRSTATUS, VIOLATION);
	rig_write(r, DMA + SCFG_CTRL, BUS_ERROR | INTERRUPT);
	READS({ CH(0) + FILLVAL, true, false, BUS_REFUSED, 0 }, { ns + SEC + CHPTR, false, true, BUS_REFUSED, 0 });
	cr_expect(eq(int, bus_write(r->bus, ns + CHSEC, 4, (struct bus_attr){ false, true, BUS_CPU }, 3), BUS_REFUSED));
	cr_expect(eq(u32, rig_read(r, DMA + CHSEC), 2));
	cr_expect(eq(u32, rig_read(r, DMA + SCFG_INTRSTATUS), VIOLATION | INTERRUPT));
	cr_expect(r->irq[26]);
	rig_write(r, DMA + SCFG_INTRSTATUS, VIOLATION);
	cr_expect(not(r->irq[26]));
	rig_write(r, DMA + SCFG_CTRL, 0x80000000);
	rig_write(r, DMA + SCFG_CTRL, BUS_ERROR);
	cr_expect(eq(u32, rig_read(r, DMA + SCFG_CTRL), 0x80000000), "locked");
	rig_free(r);
}

/* Bits of what a channel may not do are tied. */
Test(dma350_unit, attributes_of_transfers)
{
	enum { NONSECURE = 1 << 10, PRIVILEGED_TRANSFER = 1 << 11 };
	struct rig *r = bench();

	rig_write(r, CH(0) + SRCTRANSCFG, PRIVILEGED_TRANSFER);
	cr_expect(zero(u32, rig_read(r, CH(0) + SRCTRANSCFG)));
	rig_write(r, DMA + SEC + CHCFG, PRIVILEGED);
	rig_write(r, CH(0) + SRCTRANSCFG, PRIVILEGED_TRANSFER);
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCTRANSCFG), PRIVILEGED_TRANSFER));
	rig_write(r, DMA + CHSEC, 1);
	rig_write(r, CH(0) + SRCTRANSCFG, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCTRANSCFG), NONSECURE));
	rig_free(r);
}

/* What TF-M does at its start: channel 1 becomes Non-secure, both privileged. */
Test(dma350_unit, security_and_privilege)
{
	struct rig *r = bench();

	rig_write(r, CH(1) + FILLVAL, 5);
	rig_write(r, DMA + CHSEC, 2);
	cr_expect(zero(u32, rig_read(r, CH(1) + FILLVAL)), "a change clears the channel");
	for (unsigned ch = 0; ch < 2; ch++) {
		u32 frame = ch ? NSEC : SEC;

		rig_write(r, DMA + frame + CHPTR, ch);
		rig_write(r, DMA + frame + CHCFG, PRIVILEGED);
		cr_expect(eq(u32, rig_read(r, DMA + frame + CHCFG), PRIVILEGED), "channel %u", ch);
		rig_write(r, DMA + frame + CHPTR, 1 - ch);
		cr_expect(zero(u32, rig_read(r, DMA + frame + CHCFG)), "the other one is not of this frame");
	}
	copy_bytes(r, 0, USE_SOURCE_TRIGGER, 0x20, 2);
	rig_write(r, DMA + CHSEC, 3);
	cr_expect(eq(u32, rig_read(r, DMA + CHSEC), 2), "not while it runs");
	rig_write(r, DMA + SCFG_CTRL, 0x80000000);
	rig_write(r, DMA + SCFG_CTRL, 0);
	rig_write(r, DMA + CHSEC, 0);
	cr_expect(eq(u32, rig_read(r, DMA + CHSEC), 2), "locked");
	cr_expect(eq(u32, rig_read(r, DMA + SCFG_CTRL), 0x80000000));
	rig_free(r);
}
