/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the DMA-350 that concern its channels together: their security, and one control frame for the
 * Secure and one for the Non-secure channels (TRM, DMASECCFG, DMASECCTRL, DMANSECCTRL). */
#include "devices/dma350.h"

#define LOCK 0x80000000u       /* SCFG_CTRL */
#define PRIVILEGED 0x00020000u /* CHCFG */
enum { ALL_IDLE_STATUS = 1 << 17, ALL_STOPPED_STATUS = 1 << 18, ALL_PAUSED_STATUS = 1 << 19 };
enum { ANY_INTERRUPT = 1, STATE_INTERRUPTS = 0xe };

/* Channels of a frame: 0 the Secure, 1 the Non-secure ones. */
static u32 members(struct device *d, unsigned frame)
{
	u32 nonsecure = *device_reg(d, SCFG_CHSEC0);

	return (frame ? nonsecure : ~nonsecure) & ((1u << DMA350_CHANNELS) - 1);
}

static u32 *frame_reg(struct device *d, u32 sec_offset, unsigned frame)
{
	return device_reg(d, sec_offset + DMA350_FRAME_BYTES * frame);
}

void dma350_unit_update(struct device *d)
{
	u32 *violation = device_reg(d, SCFG_INTRSTATUS);

	*violation &= VIOLATION_STATUS;
	if (*violation && *device_reg(d, SCFG_CTRL) & VIOLATION_INTERRUPT)
		*violation |= VIOLATION_INTERRUPT;
	device_wire(d, DMA350_WIRE_VIOLATION, *violation & VIOLATION_INTERRUPT);
	for (unsigned frame = 0; frame < 2; frame++) {
		u32 *status = frame_reg(d, SEC_STATUS, frame), enables = *frame_reg(d, SEC_CTRL, frame);
		u32 channels = *d->wire_level & members(d, frame);

		*frame_reg(d, SEC_CHINTRSTATUS0, frame) = channels;
		*status = (*status & ~(u32)(ANY_INTERRUPT | STATE_INTERRUPTS)) | (*status >> 16 & enables & STATE_INTERRUPTS) |
			  (channels ? enables & ANY_INTERRUPT : 0);
		device_wire(d, DMA350_WIRE_SECURE + frame, (*status & (ANY_INTERRUPT | STATE_INTERRUPTS)) != 0);
	}
}

void dma350_unit_idle(struct device *d, unsigned ch)
{
	unsigned frame = dma350_nonsecure(d, ch);

	for (unsigned other = 0; other < DMA350_CHANNELS; other++)
		if (members(d, frame) >> other & 1 && dma350_enabled(d, other))
			return;
	*frame_reg(d, SEC_STATUS, frame) |= ALL_IDLE_STATUS;
}

/* `what` for all enabled channels of the frame. */
static void for_all(struct device *d, unsigned frame, void (*what)(struct device *d, unsigned ch))
{
	for (unsigned ch = 0; ch < DMA350_CHANNELS; ch++)
		if (members(d, frame) >> ch & 1 && dma350_enabled(d, ch))
			what(d, ch);
}

/* Requests stay until their status is cleared. */
static void control_written(struct device *d, unsigned frame, u32 value, u32 old)
{
	u32 *status = frame_reg(d, SEC_STATUS, frame);

	*frame_reg(d, SEC_CTRL, frame) |= old & (ALL_STOP | ALL_PAUSE);
	if (value & ALL_STOP) {
		for_all(d, frame, dma350_stop);
		*status |= ALL_STOPPED_STATUS;
	}
	if (value & ALL_PAUSE) {
		for_all(d, frame, dma350_hold);
		*status |= ALL_PAUSED_STATUS;
	}
}

static void status_written(struct device *d, unsigned frame, u32 value, u32 old)
{
	u32 *control = frame_reg(d, SEC_CTRL, frame);

	*frame_reg(d, SEC_STATUS, frame) = old & ~(value & (ALL_IDLE_STATUS | ALL_STOPPED_STATUS | ALL_PAUSED_STATUS));
	if (value & ALL_STOPPED_STATUS)
		*control &= ~(u32)ALL_STOP;
	if (value & old & ALL_PAUSED_STATUS) {
		*control &= ~(u32)ALL_PAUSE;
		for_all(d, frame, dma350_release);
	}
}

/* The channel that CHPTR of the frame names; NULL: none of the frame's. */
static struct dma350_channel *named(struct device *d, unsigned frame)
{
	u32 ch = *frame_reg(d, SEC_CHPTR, frame);

	return ch < DMA350_CHANNELS && members(d, frame) >> ch & 1 ? dma350_channel(d, ch) : NULL;
}

/* Security and privilege change while a channel rests, which clears its registers (TRM, initialization). */
static void privilege_written(struct device *d, unsigned frame, u32 value)
{
	struct dma350_channel *c = named(d, frame);
	u32 ch = *frame_reg(d, SEC_CHPTR, frame), wanted = (value & PRIVILEGED) != 0;

	if (!c || dma350_enabled(d, ch) || c->privileged == wanted)
		return;
	c->privileged = wanted;
	dma350_clear(d, ch);
}

static void security_written(struct device *d, u32 old)
{
	u32 *security = device_reg(d, SCFG_CHSEC0), changed = *security ^ old;

	for (unsigned ch = 0; ch < DMA350_CHANNELS; ch++)
		if (changed >> ch & 1 && dma350_enabled(d, ch))
			*security ^= 1u << ch;
		else if (changed >> ch & 1)
			dma350_clear(d, ch);
}

static void security_config_written(struct device *d, u32 offset, u32 old)
{
	u32 locked = (offset == SCFG_CTRL ? old : *device_reg(d, SCFG_CTRL)) & LOCK;

	if (locked && offset != SCFG_INTRSTATUS)
		*device_reg(d, offset) = old;
	else if (offset == SCFG_CHSEC0)
		security_written(d, old);
}

void dma350_unit_write(struct device *d, u32 offset, u32 value, u32 old)
{
	unsigned frame = offset >= NSEC_CHINTRSTATUS0;

	switch (offset - DMA350_FRAME_BYTES * frame) {
	case SEC_STATUS:
		status_written(d, frame, value, old);
		break;
	case SEC_CTRL:
		control_written(d, frame, value, old);
		break;
	case SEC_CHCFG:
		privilege_written(d, frame, value);
		break;
	default:
		if (offset < SEC_CHINTRSTATUS0)
			security_config_written(d, offset, old);
	}
	dma350_unit_update(d);
}

u32 dma350_unit_read(struct device *d, u32 offset, u32 stored)
{
	unsigned frame = offset >= NSEC_CHINTRSTATUS0;

	if (offset - DMA350_FRAME_BYTES * frame != SEC_CHCFG)
		return stored;
	const struct dma350_channel *c = named(d, frame);
	return c && c->privileged ? PRIVILEGED : 0;
}
