/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350: how commands begin, follow each other and end. */
#include "dma350_bench.h"

Test(dma350_commands, linked_commands)
{
	struct rig *r = bench();

	/* CTRL, SRCADDR, DESADDR, XSIZE, XADDRINC, LINKADDR */
	PUT(RAM + 0x3000, 1u << 3 | 1u << 4 | 1u << 6 | 1u << 8 | 1u << 12 | 1u << 30,
	    X_TYPE(1) | DONE_AT_END, RAM + 0x40, RAM + 0x1004, 2 << 16 | 2, 1 << 16 | 1, 0);
	rig_write(r, CH(0) + LINKADDR, (RAM + 0x3000) | 1);
	copy(r, 0, X_TYPE(1), RAM + 0x20, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 0x20, 0x21, 0, 0, 0x40, 0x41, 0, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS) & (DONE | ERROR), DONE));
	rig_free(r);
}

/* As in TF-M's example for a display: the first command's end sets DONE and interrupts nobody, the last one's does. */
Test(dma350_commands, the_last_of_linked_commands_interrupts)
{
	struct rig *r = bench();

	/* All cleared; INTREN, CTRL: a command without data. */
	PUT(RAM + 0x3000, 1u | 1u << 2 | 1u << 3, 1, X_TYPE(1) | DONE_AT_END);
	rig_write(r, CH(0) + LINKADDR, (RAM + 0x3000) | 1);
	copy_bytes(r, 0, 0, 0x20, 2);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE | 1));
	cr_expect(r->irq[57]);
	rig_write(r, CH(0) + STATUS, DONE);
	cr_expect(not(r->irq[57]));
	rig_free(r);
}

Test(dma350_commands, pause_resume_stop_clear)
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

Test(dma350_commands, a_finished_command_pauses_when_asked_to)
{
	struct rig *r = bench();

	PUT(RAM + 0x2000, 1u << 4 | 1u << 6 | 1u << 8 | 1u << 30, RAM + 8, RAM + 0x1010, 4 << 16 | 4, 0);
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
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS) & (DONE | PAUSED), DONE), "nothing follows, nothing pauses");
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)));
	rig_free(r);
}

/* The pointer to the next command stays as it is unless the command loads another (TRM, CH_LINKADDR). */
Test(dma350_commands, a_link_to_itself_goes_on_until_disabled)
{
	struct rig *r = bench();

	PUT(RAM + 0x3000, 1u << 4 | 1u << 8, RAM + 0x40, 1 << 16 | 1);
	rig_write(r, CH(0) + LINKADDR, (RAM + 0x3000) | 1);
	copy_bytes(r, 0, 0, 0x20, 1);
	rig_wait(r, SECONDS(1) / 10000);
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), ENABLE));
	cr_expect(gt(u32, rig_read(r, CH(0) + DESADDR), RAM + 0x1100));
	rig_write(r, CH(0) + CMD, DISABLE);
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), ENABLE | DISABLE), "the command is completed");
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE | DISABLED));
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)));
	rig_free(r);
}

Test(dma350_commands, headers)
{
	struct rig *r = bench();

	PUT(RAM + 0x3000, 0);
	rig_write(r, CH(0) + LINKADDR, (RAM + 0x3000) | 1);
	copy_bytes(r, 0, 0, 0x20, 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + ERRINFO), 2 | 1 << 24), "an empty header");
	/* Clears all registers, the pointer to the next command too; sets CTRL with a bit that does not exist. */
	PUT(RAM + 0x3000, 1u | 1u << 3 | 1u << 17, 1 << 29 | 1 << 21, 0);
	rig_write(r, CH(0) + FILLVAL, 5);
	copy_bytes(r, 0, 0, 0x20, 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE));
	cr_expect(eq(u32, rig_read(r, CH(0) + CTRL), 1 << 21));
	cr_expect(zero(u32, rig_read(r, CH(0) + FILLVAL)));
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCTMPLT), 1));
	rig_write(r, CH(0) + LINKADDR, NOWHERE | 1);
	copy_bytes(r, 0, 0, 0x20, 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + ERRINFO), 1 | 1 << 16), "nothing to read");
	rig_free(r);
}

/* Two more rounds; the source begins anew, the destination goes on. */
Test(dma350_commands, restarts_count_down)
{
	struct rig *r = bench();

	rig_write(r, CH(0) + AUTOCFG, 2);
	copy_bytes(r, 0, 3 << 18, 0x20, 2);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 0x20, 0x21, 0x20, 0x21, 0x20, 0x21, 0);
	cr_expect(zero(u32, rig_read(r, CH(0) + AUTOCFG)));
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCADDR), RAM + 0x20));
	cr_expect(eq(u32, rig_read(r, CH(0) + XSIZE), 2 << 16 | 2));
	rig_free(r);
}

Test(dma350_commands, errors)
{
	struct rig *r = bench();

	copy(r, 0, X_TYPE(1), NOWHERE, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ERROR));
	cr_expect(eq(u32, rig_read(r, CH(0) + ERRINFO), 1 | 1 << 16), "reading");
	rig_write(r, CH(0) + STATUS, ERROR);
	cr_expect(zero(u32, rig_read(r, CH(0) + ERRINFO)), "the reason goes with the error");
	copy(r, 0, X_TYPE(1), RAM, NOWHERE, 2 << 16 | 2, 1 << 16 | 1);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(0) + ERRINFO), 1 | 1 << 17), "writing");
	rig_free(r);
}

/* TRM, channel configuration: what is illegal, and what does not go together. */
Test(dma350_commands, refused_settings)
{
	enum { ILLEGAL = 2 | 1 << 25, CONFLICT = 2 | 1 << 26 };
	static const struct { u32 ctrl, reg, value, reg2, value2, why; } cases[] = {
		{ X_TYPE(1) | 5, 0, 0, 0, 0, ILLEGAL },                                           /* wider than the bus */
		{ X_TYPE(4), 0, 0, 0, 0, ILLEGAL },
		{ X_TYPE(1) | Y_TYPE(5), 0, 0, 0, 0, ILLEGAL },
		{ X_TYPE(1) | 2 << 18, 0, 0, 0, 0, ILLEGAL },                                     /* reload type */
		{ X_TYPE(1) | 4 << 21, 0, 0, 0, 0, ILLEGAL },                                     /* done type */
		{ X_TYPE(1) | USE_SOURCE_TRIGGER, SRCTRIGINCFG, 1 << 8, 0, 0, ILLEGAL },          /* trigger type */
		{ X_TYPE(1) | USE_SOURCE_TRIGGER, SRCTRIGINCFG, 1 << 10, 0, 0, ILLEGAL },         /* mode */
		{ X_TYPE(1) | USE_SOURCE_TRIGGER, SRCTRIGINCFG, 2 << 8 | 8, 0, 0, ILLEGAL },      /* eight inputs */
		{ X_TYPE(1) | USE_SOURCE_TRIGGER, SRCTRIGINCFG, 3 << 8 | 2, 0, 0, ILLEGAL },      /* two channels */
		{ X_TYPE(1) | USE_DESTINATION_TRIGGER, DESTRIGINCFG, 3 << 8, 0, 0, ILLEGAL },     /* itself */
		{ X_TYPE(1) | USE_TRIGGER_OUTPUT, TRIGOUTCFG, 2 << 8 | 8, 0, 0, ILLEGAL },
		{ X_TYPE(1) | Y_TYPE(1), TMPLTCFG, 1 << 8, 0, 0, CONFLICT },                      /* template of a plane */
		{ X_TYPE(1) | Y_TYPE(1) | USE_SOURCE_TRIGGER, SRCTRIGINCFG, 2 << 10, YSIZE, 1 << 16 | 2, CONFLICT },
		{ X_TYPE(1) | Y_TYPE(1) | USE_DESTINATION_TRIGGER, DESTRIGINCFG, 2 << 10, YSIZE, 2 << 16 | 1, CONFLICT },
		{ X_TYPE(2) | USE_SOURCE_TRIGGER, SRCTRIGINCFG, 3 << 10, 0, 0, CONFLICT },        /* wraps */
		{ X_TYPE(0) | USE_DESTINATION_TRIGGER, DESTRIGINCFG, 2 << 10, 0, 0, CONFLICT },   /* no data */
		{ X_TYPE(1) | Y_TYPE(1) | USE_SOURCE_TRIGGER, SRCTRIGINCFG, 2 << 10, YSIZE, 1 << 16, CONFLICT },
	};

	for (unsigned i = 0; i < ARRAY_LEN(cases); i++) {
		struct rig *r = bench();

		rig_write(r, CH(0) + (cases[i].reg ? cases[i].reg : FILLVAL), cases[i].value);
		rig_write(r, CH(0) + (cases[i].reg2 ? cases[i].reg2 : FILLVAL), cases[i].value2);
		copy(r, 0, cases[i].ctrl, RAM, RAM + 0x1000, 2 << 16 | 2, 1 << 16 | 1);
		cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), ERROR), "case %u", i);
		cr_expect(eq(u32, rig_read(r, CH(0) + ERRINFO), cases[i].why), "case %u", i);
		rig_wait(r, SECONDS(1));
		EXPECT(RAM + 0x1000, 0);
		rig_free(r);
	}
}

Test(dma350_commands, no_streams)
{
	struct rig *r = bench();

	copy_bytes(r, 0, 1 << 29, 0x20, 2);
	rig_wait(r, SECONDS(1));
	cr_expect(strstr(r->last_message, "DEV003 DMA350.CH0_CTRL") != NULL, "%s", r->last_message);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE), "the bit does not exist");
	rig_free(r);
}

Test(dma350_commands, a_running_channel_has_its_registers_for_itself)
{
	struct rig *r = bench();

	copy_bytes(r, 0, USE_SOURCE_TRIGGER, 0x20, 2);
	rig_write(r, CH(0) + SRCADDR, RAM);
	rig_write(r, CH(0) + INTREN, 1);
	cr_expect(eq(u32, rig_read(r, CH(0) + SRCADDR), RAM + 0x20));
	cr_expect(zero(u32, rig_read(r, CH(0) + INTREN)));
	rig_write(r, CH(0) + CMD, CLEAR);
	cr_expect(eq(u32, rig_read(r, CH(0) + CMD), ENABLE | CLEAR), "the end comes first");
	rig_write(r, CH(0) + CMD, SOURCE_REQUEST);
	rig_wait(r, SECONDS(1));
	EXPECT(RAM + 0x1000, 0x20, 0x21, 0);
	cr_expect(zero(u32, rig_read(r, CH(0) + STATUS)));
	cr_expect(zero(u32, rig_read(r, CH(0) + CMD)));
	cr_expect(eq(u32, rig_read(r, CH(0) + CTRL), 0x00200200));
	rig_free(r);
}

/* TRM, CH_INTREN: a cause makes its interrupt when it appears, and the interrupt stays as long as the cause. */
Test(dma350_commands, interrupts_are_made_when_causes_appear)
{
	struct rig *r = bench();

	copy_bytes(r, 0, 0, 0x20, 2);
	rig_wait(r, SECONDS(1));
	rig_write(r, CH(0) + INTREN, 1);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE), "too late");
	copy_bytes(r, 0, 0, 0x20, 2);
	rig_wait(r, SECONDS(1));
	rig_write(r, CH(0) + INTREN, 0);
	cr_expect(eq(u32, rig_read(r, CH(0) + STATUS), DONE | 1), "too late");
	cr_expect(r->irq[57]);
	rig_write(r, CH(0) + STATUS, DONE);
	cr_expect(not(r->irq[57]));
	rig_free(r);
}

/* An empty command may set outputs; those that are not named stay. */
Test(dma350_commands, general_purpose_outputs)
{
	struct rig *r = bench();

	rig_write(r, CH(1) + GPOEN0, 0xff);
	rig_write(r, CH(1) + GPOVAL0, 0x5a5a);
	copy(r, 1, USE_GPO, RAM, RAM, 0, 0);
	rig_wait(r, SECONDS(1));
	cr_expect(eq(u32, rig_read(r, CH(1) + GPOREAD0), 0x5a));
	rig_write(r, CH(1) + GPOEN0, 0xf0f);
	rig_write(r, CH(1) + GPOVAL0, 0xf00);
	copy(r, 1, USE_GPO, RAM, RAM, 0, 0);
	cr_expect(eq(u32, rig_read(r, CH(1) + GPOREAD0), 0xf50));
	cr_expect(zero(u32, rig_read(r, CH(0) + GPOREAD0)), "each channel has its own");
	rig_free(r);
}
