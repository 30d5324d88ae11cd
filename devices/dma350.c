/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350 with two channels (Arm CoreLink DMA-350 TRM): a register file that software can identify and
 * program. Nothing is transferred: enabling a channel ends at once with its error status and a
 * message. No released runner image uses it. */
#include "devices/classes.h"

#define CHANNEL(R, b, n)                                                                \
	R(b + 0x00, 1, CH##n##_CMD, RW, 0, 0x3f, "0 enable, 1 clear, 2 disable, 3 stop, 4 pause, 5 resume") \
	R(b + 0x04, 1, CH##n##_STATUS, RW, 0, 0x07ff07ff, "10:0 interrupts, 26:16 their causes: 16 done, 17 error") \
	R(b + 0x08, 1, CH##n##_INTREN, RW, 0, 0x7ff, "interrupt enable")                \
	R(b + 0x0c, 1, CH##n##_CTRL, RW, 0x00200200, 0x7fffffff, "2:0 size, 11:9 x type, 14:12 y type, 23:21 done type") \
	R(b + 0x10, 1, CH##n##_SRCADDR, RW, 0, 0xffffffff, "source")                    \
	R(b + 0x14, 1, CH##n##_SRCADDRHI, RW, 0, 0xffffffff, "source, high word")       \
	R(b + 0x18, 1, CH##n##_DESADDR, RW, 0, 0xffffffff, "destination")               \
	R(b + 0x1c, 1, CH##n##_DESADDRHI, RW, 0, 0xffffffff, "destination, high word")  \
	R(b + 0x20, 1, CH##n##_XSIZE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination units of a line") \
	R(b + 0x24, 1, CH##n##_XSIZEHI, RW, 0, 0xffffffff, "XSIZE, high halves")        \
	R(b + 0x28, 1, CH##n##_SRCTRANSCFG, RW, 0, 0x000f0fff, "source bus attributes") \
	R(b + 0x2c, 1, CH##n##_DESTRANSCFG, RW, 0, 0x000f0fff, "destination bus attributes") \
	R(b + 0x30, 1, CH##n##_XADDRINC, RW, 0, 0xffffffff, "15:0 source, 31:16 destination increment in units") \
	R(b + 0x34, 1, CH##n##_YADDRSTRIDE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination stride in units") \
	R(b + 0x38, 1, CH##n##_FILLVAL, RW, 0, 0xffffffff, "fill pattern")              \
	R(b + 0x3c, 1, CH##n##_YSIZE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination lines") \
	R(b + 0x40, 1, CH##n##_TMPLTCFG, RW, 0, 0xffffffff, "template sizes")           \
	R(b + 0x44, 5, CH##n##_TEMPLATES, RW, 0, 0xffffffff, "templates and triggers")  \
	R(b + 0x58, 3, CH##n##_GPO, RW, 0, 0xffffffff, "general purpose outputs")       \
	R(b + 0x68, 3, CH##n##_STREAM, RW, 0, 0xffffffff, "streams, link attributes")   \
	R(b + 0x74, 3, CH##n##_AUTOCFG, RW, 0, 0xffffffff, "automatic restart, command link") \
	R(b + 0x80, 4, CH##n##_WRKREG, RW, 0, 0xffffffff, "working registers")          \
	R(b + 0x90, 1, CH##n##_ERRINFO, RO, 0, 0xffffffff, "0 bus error, 1 configuration error") \
	R(b + 0xc8, 1, CH##n##_IIDR, RO, 0x3a00043b, 0xffffffff, "implementer")         \
	R(b + 0xcc, 1, CH##n##_AIDR, RO, 0, 0xff, "architecture")                       \
	R(b + 0xe8, 1, CH##n##_ISSUECAP, RW, 7, 7, "outstanding transfers")             \
	R(b + 0xf8, 2, CH##n##_BUILDCFG, RO, 0, 0xffffffff, "build configuration")

#define REGS(R)                                                                   \
	R(0x000, 3, SECCFG, RW, 0, 0xffffffff, "security of channels and triggers") \
	R(0x028, 1, TRIGOUTSEC0, RW, 0, 0xffffffff, "security of output triggers")\
	R(0x040, 1, SECCFG_CTRL, RW, 0, 0x80000001, "security violation response")\
	R(0x044, 1, SECCFG_INTRSTATUS, RW, 0, 0x00010001, "security violation")   \
	R(0x100, 1, SEC_CHINTRSTATUS0, RO, 0, 3, "channels with interrupts")      \
	R(0x108, 1, SEC_STATUS, RW, 0, 0xffffffff, "status")                      \
	R(0x10c, 1, SEC_CTRL, RW, 0, 0xffffffff, "control")                       \
	R(0x114, 2, SEC_CHPTR, RW, 0, 0xffffffff, "channel pointer, configuration") \
	R(0x200, 1, NSEC_CHINTRSTATUS0, RO, 0, 3, "channels with interrupts")     \
	R(0x208, 1, NSEC_STATUS, RW, 0, 0xffffffff, "status")                     \
	R(0x20c, 1, NSEC_CTRL, RW, 0, 0xffffffff, "control")                      \
	R(0x214, 2, NSEC_CHPTR, RW, 0, 0xffffffff, "channel pointer, configuration") \
	R(0xfb0, 1, DMA_BUILDCFG0, RO, 0x00000010, 0xffffffff, "9:4 channels - 1")\
	R(0xfb4, 2, DMA_BUILDCFG1, RO, 0, 0xffffffff, "build configuration")      \
	R(0xfc8, 1, IIDR, RO, 0x3a00043b, 0xffffffff, "implementer")              \
	R(0xfcc, 1, AIDR, RO, 0, 0xff, "architecture")                            \
	CHANNEL(R, 0x1000, 0)                                                     \
	CHANNEL(R, 0x1100, 1)

REG_TABLE(REGS)

enum { CMD_ENABLE = 1, CMD_CLEAR = 2 };
enum { STAT_INTERRUPTS = 0x7ff, STAT_ERROR = 1u << 17 };
#define CHANNEL_BASE 0x1000u
#define CHANNEL_BYTES 0x100u
static const char *const wires[] = {"channel 0", "channel 1", NULL};

/* Register of a channel. */
static u32 *channel_reg(struct device *d, u32 ch0_offset, unsigned ch)
{
	return device_reg(d, ch0_offset + CHANNEL_BYTES * ch);
}

/* Causes in the upper half of STATUS become interrupts in the lower where enabled. */
static void update(struct device *d, unsigned ch)
{
	u32 *status = channel_reg(d, CH0_STATUS, ch);
	u32 raised = *status >> 16 & *channel_reg(d, CH0_INTREN, ch);

	*status = (*status & ~(u32)STAT_INTERRUPTS) | raised;
	device_wire(d, ch, raised != 0);
	*device_reg(d, SEC_CHINTRSTATUS0) = d->wire_level & 3;
}

static void command(struct device *d, unsigned ch, u32 value)
{
	if (value & CMD_CLEAR)
		*channel_reg(d, CH0_STATUS, ch) = 0;
	if (value & CMD_ENABLE) {
		diag_report(d->diag, DIAG_NOT_MODELLED, "DEV005",
			    "%s: transfer of channel %u from 0x%08x to 0x%08x is refused with an error: "
			    "copy with the processor", d->name, ch, *channel_reg(d, CH0_SRCADDR, ch),
			    *channel_reg(d, CH0_DESADDR, ch));
		*channel_reg(d, CH0_STATUS, ch) |= STAT_ERROR;
		*channel_reg(d, CH0_ERRINFO, ch) = 1;
	}
	*channel_reg(d, CH0_CMD, ch) = 0;
}

static void dma350_write(struct device *d, u32 offset, u32 value, u32 old)
{
	unsigned ch = offset >= CHANNEL_BASE + CHANNEL_BYTES;

	if (offset < CHANNEL_BASE)
		return;
	switch (offset - CHANNEL_BYTES * ch) {
	case CH0_CMD:
		command(d, ch, value);
		break;
	case CH0_STATUS: /* causes are cleared by writing 1 */
		*device_reg(d, offset) = old & ~value;
		break;
	}
	update(d, ch);
}

const struct device_class dma350_class = {
	.kind = "DMA-350", .size = 0x2000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.wires = wires, .write = dma350_write,
};
