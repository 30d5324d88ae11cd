/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350 with two channels (Arm CoreLink DMA-350 TRM, 102482): the registers and who answers for them.
 * Streams are left out of the build. */
#include "devices/classes.h"
#include "devices/dma350.h"

const struct reg_row dma350_rows[] = { DMA350_REGS(REG_ROW) };
const unsigned dma350_row_count = ARRAY_LEN(dma350_rows);

static const char *const wires[] = {"channel 0", "channel 1", "Secure", "Non-secure", "security violation", NULL};

static unsigned channel_at(u32 offset)
{
	return (offset - DMA350_CHANNEL_BASE) / DMA350_CHANNEL_BYTES;
}

/* An enabled channel's registers are the hardware's, but for three (TRM, DMA channel lifecycle). */
static bool frozen(struct device *d, u32 ch0_offset, unsigned ch)
{
	return dma350_enabled(d, ch) && ch0_offset != CH0_STATUS && ch0_offset != CH0_WRKREGPTR;
}

static void dma350_write(struct device *d, u32 offset, u32 value, u32 old)
{
	if (offset < DMA350_CHANNEL_BASE) {
		dma350_unit_write(d, offset, value, old);
		return;
	}

	unsigned ch = channel_at(offset);
	u32 ch0_offset = offset - DMA350_CHANNEL_BYTES * ch;

	if (ch0_offset == CH0_CMD) {
		dma350_command(d, ch, value, old);
	} else if (ch0_offset == CH0_STATUS) { /* ends are cleared by writing 1 */
		*device_reg(d, offset) = old & ~(value & STAT_ENDS);
		if (value & STAT_ERROR)
			*dma350_reg(d, CH0_ERRINFO, ch) = 0;
		dma350_status_changed(d, ch);
	} else if (frozen(d, ch0_offset, ch)) {
		*device_reg(d, offset) = old;
	} else if (ch0_offset == CH0_SRCTMPLT || ch0_offset == CH0_DESTMPLT) {
		*device_reg(d, offset) |= 1;
	}
}

static u32 dma350_read(struct device *d, u32 offset, u32 stored)
{
	if (offset < DMA350_CHANNEL_BASE)
		return dma350_unit_read(d, offset, stored);

	unsigned ch = channel_at(offset);

	switch (offset - DMA350_CHANNEL_BYTES * ch) {
	case CH0_WRKREGVAL:
		return dma350_working_register(d, ch, *dma350_reg(d, CH0_WRKREGPTR, ch));
	case CH0_SRCTRANSCFG: /* what a channel may not do is tied */
	case CH0_DESTRANSCFG:
		return (stored | (dma350_nonsecure(d, ch) ? TRANSFER_NONSECURE : 0)) &
		       ~(dma350_channel(d, ch)->privileged ? 0 : (u32)TRANSFER_PRIVILEGED);
	default:
		return dma350_transfer_progress(d, ch, offset - DMA350_CHANNEL_BYTES * ch, stored);
	}
}

/* Control frames are for privileged software, those of Secure channels and what says which these are for Secure; a
 * channel's registers for software with the channel's rights. */
static bool allowed(struct device *d, u32 offset, struct bus_attr attr, bool *security)
{
	const bool channel = offset >= DMA350_CHANNEL_BASE;
	unsigned ch = channel ? channel_at(offset) : 0;

	*security = false;
	if (ch >= DMA350_CHANNELS)
		return true;
	*security = !attr.secure && (channel ? !dma350_nonsecure(d, ch) : offset < NSEC_CHINTRSTATUS0);
	if (*security)
		return false;
	return attr.privileged || (channel ? !dma350_channel(d, ch)->privileged : offset >= DMA_BUILDCFG0);
}

static bool dma350_admits(struct device *d, u32 offset, struct bus_attr attr, enum bus_status *answer)
{
	bool security;

	if (allowed(d, offset, attr, &security))
		return true;
	if (security) {
		*device_reg(d, SCFG_INTRSTATUS) |= VIOLATION_STATUS;
		dma350_unit_update(d);
	}
	*answer = *device_reg(d, SCFG_CTRL) & VIOLATION_BUS_ERROR ? BUS_REFUSED : BUS_OK;
	return false;
}

static void dma350_event(struct device *d, const struct sched_event *ev)
{
	dma350_due(d, ev->kind);
}

static bool dma350_start(struct device *d, struct bus *bus)
{
	d->host = bus;
	return true;
}

const struct device_class dma350_class = {
	.kind = "DMA-350", .size = 0x2000, .rows = dma350_rows, .row_count = ARRAY_LEN(dma350_rows),
	.pidr = 0x140bb3a0, .wires = wires, .state_size = sizeof(struct dma350),
	.admits = dma350_admits, .read = dma350_read, .write = dma350_write, .event = dma350_event, .start = dma350_start,
};
