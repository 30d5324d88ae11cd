/* SPDX-License-Identifier: Apache-2.0 */
/* State of the DMA-350 and what its files offer each other. A channel is named by its device and number. */
#ifndef DEVICES_DMA350_H
#define DEVICES_DMA350_H

#include "devices/dma350_regs.h"
#include "devices/dma350_shape.h"
#include "devices/dma350_trigger.h"

struct dma350_channel {
	struct dma350_shape shape;                  /* of the command that runs or ran last */
	struct dma350_trigger trigger[DMA350_SIDES];
	u64 done;           /* its elements that were moved */
	u32 from, to;       /* addresses of its first elements */
	u32 causes;         /* of STATUS when interrupts were last looked at */
	u32 between;        /* bool: paused behind a command, before the next */
	u32 acknowledged;   /* bool: another channel took the trigger output */
	u32 privileged;     /* CHCFG.CHPRIV */
};

struct dma350 {
	struct dma350_channel channel[DMA350_CHANNELS];
	u32 requests, unused; /* a bit for each trigger input: its peripheral requests */
};

/* State of channel `ch`, which is below DMA350_CHANNELS. */
static inline struct dma350_channel *dma350_channel(struct device *d, unsigned ch)
{
	return &((struct dma350 *)d->state)->channel[ch];
}

/* A channel's register, named by the offset of channel 0's. */
static inline u32 *dma350_reg(struct device *d, u32 ch0_offset, unsigned ch)
{
	return device_reg(d, ch0_offset + DMA350_CHANNEL_BYTES * ch);
}

/* Does it have a command that has not ended? */
static inline bool dma350_enabled(struct device *d, unsigned ch)
{
	return *dma350_reg(d, CH0_CMD, ch) & CMD_ENABLE;
}

/* Does it belong to the Non-secure world? */
static inline bool dma350_nonsecure(struct device *d, unsigned ch)
{
	return *device_reg(d, SCFG_CHSEC0) >> ch & 1;
}

/* Register of the control frame that a channel belongs to, named by its offset in the Secure one. */
static inline u32 *dma350_control(struct device *d, u32 sec_offset, unsigned ch)
{
	return device_reg(d, sec_offset + (dma350_nonsecure(d, ch) ? DMA350_FRAME_BYTES : 0));
}

/* ---- dma350_channel.c: the life of commands ---- */

/* CMD was written: `value`; it was `old`. */
void dma350_command(struct device *d, unsigned ch, u32 value, u32 old);
/* The channel's event is due: the next portion, or a trigger output was acknowledged. */
void dma350_due(struct device *d, unsigned ch);
/* Ends an enabled channel's work, or holds and releases it, as all channels of its security are told to. */
void dma350_stop(struct device *d, unsigned ch);
void dma350_hold(struct device *d, unsigned ch);
void dma350_release(struct device *d, unsigned ch);
/* STATUS or INTREN changed: interrupts follow. */
void dma350_status_changed(struct device *d, unsigned ch);
/* Puts all registers of a channel that is not enabled in their reset state. */
void dma350_clear(struct device *d, unsigned ch);

/* ---- dma350_transfer.c: moving data ---- */

/* Takes addresses, sizes and types of the command over from the registers. */
void dma350_transfer_begin(struct device *d, unsigned ch);
/* Moves up to `most` elements; 0 or the ERRINFO of a bus error. Counts them in `*moved`. */
u32 dma350_transfer(struct device *d, unsigned ch, u64 most, u64 *moved);
/* True when all of the command's elements have been moved. */
bool dma350_transfer_ended(struct device *d, unsigned ch);
/* Addresses and sizes in the registers show what is left, or after the end (`last`) what CTRL says is reloaded. */
void dma350_transfer_show(struct device *d, unsigned ch, bool last);
/* Reading a register of a channel at work: addresses and sizes count, as Linux's driver has it for what is left;
 * `stored`: what the register holds. */
u32 dma350_transfer_progress(struct device *d, unsigned ch, u32 ch0_offset, u32 stored);
/* WRKREGVAL: working register `number` (TRM, CH_WRKREGPTR). */
u32 dma350_working_register(struct device *d, unsigned ch, unsigned number);

/* ---- dma350_config.c: may the command run? ---- */

/* ERRINFO of the command in the registers: illegal or conflicting settings, triggers in use; 0: it may run. */
u32 dma350_config_error(struct device *d, unsigned ch);

/* ---- dma350_link.c ---- */

/* Loads the command at LINKADDR into the registers; 0 or the ERRINFO of an error. */
u32 dma350_load_link(struct device *d, unsigned ch);
/* Configuration registers of a channel in their reset state: all from INTREN to LINKADDRHI. */
void dma350_reset_config(struct device *d, unsigned ch);

/* ---- dma350_unit.c: registers of all channels together ---- */

/* A register below the channels' frames was written. */
void dma350_unit_write(struct device *d, u32 offset, u32 value, u32 old);
/* Reading CHCFG shows the channel that CHPTR names. */
u32 dma350_unit_read(struct device *d, u32 offset, u32 stored);
/* A channel came to rest: perhaps the last of its security. */
void dma350_unit_idle(struct device *d, unsigned ch);
/* Collects the channels' interrupts. */
void dma350_unit_update(struct device *d);

enum { DMA350_WIRE_SECURE = DMA350_CHANNELS, DMA350_WIRE_NONSECURE, DMA350_WIRE_VIOLATION }; /* after the channels' */

#endif
