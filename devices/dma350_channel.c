/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a DMA-350 channel's commands (TRM, DMA channel lifecycle): checks, triggers, portions of data,
 * trigger output, restart, link, end. A channel moves one element a clock cycle, in portions, so that it can be
 * paused and stopped. */
#include "devices/dma350.h"

enum { DONE_COMMAND = 1, DONE_CYCLE = 3 }; /* CTRL.DONETYPE */
enum { RESTART_ENDLESS = 1 << 16 };        /* AUTOCFG */
#define PORTION 4096u
#define INTERRUPTS 0x70fu      /* STATUS, INTREN */
#define REQUEST_TYPES 0x660000u /* CMD */
#define REQUESTS (CMD_SOURCE_REQUEST | CMD_DESTINATION_REQUEST)

/* A cause that appears makes its interrupt where enabled, which stays until the cause goes: taking the
 * enable away does not clear it, enabling late does not make it (TRM, CH_INTREN). */
void dma350_status_changed(struct device *d, unsigned ch)
{
	struct dma350_channel *c = dma350_channel(d, ch);
	u32 *status = dma350_reg(d, CH0_STATUS, ch), causes = *status >> 16 & INTERRUPTS;
	u32 raised = causes & ~c->causes & *dma350_reg(d, CH0_INTREN, ch);

	*status = (*status & ~INTERRUPTS) | (((*status & INTERRUPTS) | raised) & causes);
	c->causes = causes;
	device_wire(d, ch, (*status & INTERRUPTS) != 0);
	dma350_unit_update(d);
}

void dma350_clear(struct device *d, unsigned ch)
{
	dma350_reset_config(d, ch);
	*dma350_reg(d, CH0_CMD, ch) = *dma350_reg(d, CH0_STATUS, ch) = *dma350_reg(d, CH0_ERRINFO, ch) = 0;
	dma350_status_changed(d, ch);
}

/* The channel ends its work for the reason given. */
static void halt(struct device *d, unsigned ch, u32 status)
{
	u32 *flags = dma350_reg(d, CH0_STATUS, ch), *command = dma350_reg(d, CH0_CMD, ch);
	bool clear = *command & CMD_CLEAR;

	device_tell(d, DEVICE_TRANSFER, ch, 0);
	*command = 0;
	*flags = (*flags & ~(u32)(STAT_WAITS | STAT_PAUSED | STAT_RESUME_WAIT)) | status;
	dma350_channel(d, ch)->between = false;
	dma350_channel(d, ch)->acknowledged = false;
	device_schedule(d, (u16)ch, SCHED_NEVER);
	dma350_unit_idle(d, ch);
	dma350_status_changed(d, ch);
	if (clear)
		dma350_clear(d, ch);
}

static void fail(struct device *d, unsigned ch, u32 why)
{
	*dma350_reg(d, CH0_ERRINFO, ch) = why;
	halt(d, ch, STAT_ERROR);
}

/* ---- triggers ---- */

/* The channel that this one's input is connected to waits for it to take its trigger, or the peripheral requests. An
 * input that is not used may name anything. */
static bool sent(struct device *d, u32 input_config)
{
	const struct dma350 *s = d->state;
	unsigned sender = input_config & 0xff;

	if ((input_config >> 8 & 3) == TRIGGER_HARDWARE)
		return sender < DMA350_TRIGGERS && s->requests >> sender & 1;
	return (input_config >> 8 & 3) == TRIGGER_INTERNAL && sender < DMA350_CHANNELS &&
	       *dma350_reg(d, CH0_STATUS, sender) & STAT_ACK_WAIT &&
	       (*dma350_reg(d, CH0_TRIGOUTCFG, sender) >> 8 & 3) == TRIGGER_INTERNAL;
}

/* Takes the request of one side, software's first. Peripherals request single elements, until they are served. */
static void take(struct device *d, unsigned ch, unsigned side)
{
	u32 *command = dma350_reg(d, CH0_CMD, ch), config = dma350_reg(d, CH0_TRIGINCFG, ch)[side];
	u32 request = (u32)CMD_SOURCE_REQUEST << 4 * side;
	unsigned sender = config & 0xff;

	dma350_channel(d, ch)->trigger[side] = dma350_granted(config, *command >> (17 + 4 * side) & 3);
	if (*command & request) {
		*command &= ~request;
		return;
	}
	if ((config >> 8 & 3) != TRIGGER_INTERNAL)
		return;
	dma350_channel(d, sender)->acknowledged = true;
	if (!(*dma350_reg(d, CH0_STATUS, sender) & STAT_PAUSED))
		device_schedule(d, (u16)sender, d->sched->now + d->period);
}

/* Takes the requests when those of both sides are there (TRM, trigger input command mode); false: the
 * channel waits. */
static bool triggered(struct device *d, unsigned ch)
{
	struct dma350_channel *c = dma350_channel(d, ch);
	u32 *status = dma350_reg(d, CH0_STATUS, ch), missing = 0;

	for (unsigned side = 0; side < DMA350_SIDES; side++) {
		bool there = *dma350_reg(d, CH0_CMD, ch) >> (16 + 4 * side) & 1 ||
			     sent(d, dma350_reg(d, CH0_TRIGINCFG, ch)[side]);
		if (!c->trigger[side].may_move && !there)
			missing |= (u32)STAT_INPUT_WAIT << side;
	}
	*status = (*status & ~(u32)(STAT_INPUT_WAIT | STAT_INPUT_WAIT << 1)) | missing;
	for (unsigned side = 0; !missing && side < DMA350_SIDES; side++)
		if (!c->trigger[side].may_move)
			take(d, ch, side);
	return !missing;
}

/* Goes on moving after `ticks`, or waits for a trigger. */
static void go_on(struct device *d, unsigned ch, u64 ticks)
{
	device_schedule(d, (u16)ch, triggered(d, ch) ? d->sched->now + ticks : SCHED_NEVER);
	dma350_status_changed(d, ch);
}

static bool waits_for_input(struct device *d, unsigned ch)
{
	u32 status = *dma350_reg(d, CH0_STATUS, ch);

	return status & (STAT_INPUT_WAIT | STAT_INPUT_WAIT << 1) && !(status & STAT_PAUSED);
}

void dma350_request(void *dma350, unsigned number, bool level)
{
	struct device *d = dma350;
	struct dma350 *s = d->state;

	s->requests = (s->requests & ~(1u << number)) | (u32)level << number;
	for (unsigned ch = 0; level && ch < DMA350_CHANNELS; ch++)
		if (waits_for_input(d, ch))
			go_on(d, ch, d->period);
}

/* The trigger output of a finished command; true: nobody has to take it, or somebody did. */
static bool acknowledged(struct device *d, unsigned ch)
{
	struct dma350_channel *c = dma350_channel(d, ch);
	u32 *command = dma350_reg(d, CH0_CMD, ch), *status = dma350_reg(d, CH0_STATUS, ch);

	if (!(*dma350_reg(d, CH0_CTRL, ch) & CTRL_USE_OUTPUT) || *command & CMD_ACKNOWLEDGE || c->acknowledged) {
		*status &= ~(u32)STAT_ACK_WAIT;
		*command &= ~(REQUESTS | REQUEST_TYPES | CMD_ACKNOWLEDGE);
		c->acknowledged = false;
		return true;
	}
	*status |= STAT_ACK_WAIT;
	device_schedule(d, (u16)ch, SCHED_NEVER);
	dma350_status_changed(d, ch);
	for (unsigned other = 0; other < DMA350_CHANNELS; other++)
		if (other != ch && waits_for_input(d, other))
			go_on(d, other, d->period);
	return false;
}

/* ---- commands ---- */

static bool must_pause(struct device *d, unsigned ch)
{
	return *dma350_reg(d, CH0_STATUS, ch) & STAT_RESUME_WAIT || *dma350_control(d, SEC_CTRL, ch) & ALL_PAUSE;
}

void dma350_hold(struct device *d, unsigned ch)
{
	dma350_transfer_show(d, ch, false);
	device_schedule(d, (u16)ch, SCHED_NEVER);
	*dma350_reg(d, CH0_STATUS, ch) |= STAT_PAUSED;
}

/* Takes the registers over and begins to move. */
static void begin_command(struct device *d, unsigned ch)
{
	u32 ctrl = *dma350_reg(d, CH0_CTRL, ch), error = dma350_config_error(d, ch);
	u32 set = ctrl & CTRL_USE_GPO ? *dma350_reg(d, CH0_GPOEN0, ch) : 0, *outputs = dma350_reg(d, CH0_GPOREAD0, ch);

	if (*dma350_control(d, SEC_CTRL, ch) & ALL_STOP) {
		halt(d, ch, STAT_STOPPED);
		return;
	}
	if (error) {
		fail(d, ch, error);
		return;
	}
	*outputs = (*outputs & ~set) | (*dma350_reg(d, CH0_GPOVAL0, ch) & set);
	for (unsigned side = 0; side < DMA350_SIDES; side++)
		dma350_channel(d, ch)->trigger[side] = ctrl & (u32)CTRL_USE_INPUT << side ? dma350_waiting : dma350_untriggered;
	dma350_transfer_begin(d, ch);
	device_tell(d, DEVICE_TRANSFER, ch, 1);
	if (must_pause(d, ch))
		dma350_hold(d, ch);
	else
		go_on(d, ch, d->period);
}

/* What follows: the same command, the next, or nothing. */
enum next { NEXT_RESTART, NEXT_LINK, NEXT_NONE };

static enum next next_of(struct device *d, unsigned ch)
{
	if (*dma350_reg(d, CH0_CMD, ch) & CMD_DISABLE)
		return NEXT_NONE;
	if (*dma350_reg(d, CH0_AUTOCFG, ch))
		return NEXT_RESTART;
	return *dma350_reg(d, CH0_LINKADDR, ch) & 1 ? NEXT_LINK : NEXT_NONE;
}

static void next_command(struct device *d, unsigned ch)
{
	u32 *restarts = dma350_reg(d, CH0_AUTOCFG, ch), error = 0;
	enum next next = next_of(d, ch);

	dma350_channel(d, ch)->between = false;
	if (next == NEXT_NONE) {
		halt(d, ch, *dma350_reg(d, CH0_CMD, ch) & CMD_DISABLE ? STAT_DISABLED : 0);
		return;
	}
	if (next == NEXT_LINK)
		error = dma350_load_link(d, ch);
	else if (!(*restarts & RESTART_ENDLESS))
		--*restarts;
	if (error)
		fail(d, ch, error);
	else
		begin_command(d, ch);
}

/* All elements are moved. */
static void end_command(struct device *d, unsigned ch)
{
	if (!acknowledged(d, ch))
		return;

	u32 ctrl = *dma350_reg(d, CH0_CTRL, ch), *status = dma350_reg(d, CH0_STATUS, ch);
	enum next next = next_of(d, ch);
	bool done = (ctrl >> 21 & 7) == DONE_CYCLE || ((ctrl >> 21 & 7) == DONE_COMMAND && next != NEXT_RESTART);

	dma350_transfer_show(d, ch, true);
	if (done) { /* anew, also where that of a command before was not cleared */
		*status |= STAT_DONE;
		dma350_channel(d, ch)->causes &= ~(u32)(STAT_DONE >> 16);
		dma350_status_changed(d, ch);
	}
	if (done && ctrl & CTRL_DONE_PAUSES && next != NEXT_NONE) {
		dma350_channel(d, ch)->between = true;
		*status |= STAT_RESUME_WAIT;
		dma350_hold(d, ch);
	} else {
		next_command(d, ch);
	}
	dma350_status_changed(d, ch);
}

void dma350_due(struct device *d, unsigned ch)
{
	struct dma350_channel *c = dma350_channel(d, ch);
	u64 moved = 0;
	u32 error;

	if (*dma350_reg(d, CH0_STATUS, ch) & STAT_ACK_WAIT) {
		end_command(d, ch);
		return;
	}
	error = dma350_transfer(d, ch, dma350_may_move(c->trigger, PORTION), &moved);
	if (error) {
		dma350_transfer_show(d, ch, false);
		fail(d, ch, error);
	} else if (dma350_moved(c->trigger, moved) || dma350_transfer_ended(d, ch)) {
		end_command(d, ch);
	} else {
		go_on(d, ch, moved * d->period);
	}
}

void dma350_release(struct device *d, unsigned ch)
{
	u32 *status = dma350_reg(d, CH0_STATUS, ch);

	if (!(*status & STAT_PAUSED) || must_pause(d, ch))
		return;
	*status &= ~(u32)STAT_PAUSED;
	if (dma350_channel(d, ch)->between)
		next_command(d, ch);
	else if (*status & STAT_ACK_WAIT)
		end_command(d, ch);
	else
		go_on(d, ch, d->period);
}

void dma350_stop(struct device *d, unsigned ch)
{
	dma350_transfer_show(d, ch, false);
	halt(d, ch, STAT_STOPPED);
}

/* ---- CMD ---- */

/* Trigger bits of CMD after a write: requests stay until they are taken, and their types with them. */
static u32 trigger_bits(u32 value, u32 old)
{
	u32 bits = (old | value) & (REQUESTS | CMD_ACKNOWLEDGE);

	for (unsigned side = 0; side < DMA350_SIDES; side++) {
		u32 type = (u32)3 << (17 + 4 * side), request = (u32)CMD_SOURCE_REQUEST << 4 * side;

		bits |= (old & request ? old : value) & type;
	}
	return bits;
}

static void enable(struct device *d, unsigned ch, u32 value)
{
	*dma350_reg(d, CH0_CMD, ch) = CMD_ENABLE | (value & CMD_CLEAR) | trigger_bits(value, 0);
	*dma350_reg(d, CH0_ERRINFO, ch) = 0;
	*dma350_reg(d, CH0_STATUS, ch) &= ~(u32)STAT_ENDS;
	dma350_status_changed(d, ch);
	begin_command(d, ch);
}

/* Of an enabled channel. */
static void control(struct device *d, unsigned ch, u32 value)
{
	u32 *status = dma350_reg(d, CH0_STATUS, ch), *command = dma350_reg(d, CH0_CMD, ch);

	if (value & CMD_STOP) {
		dma350_stop(d, ch);
	} else if (value & CMD_PAUSE && !(*status & STAT_RESUME_WAIT)) {
		*command |= CMD_PAUSE;
		*status |= STAT_RESUME_WAIT;
		dma350_hold(d, ch);
	} else if (value & CMD_RESUME && *status & STAT_RESUME_WAIT) {
		*command &= ~(u32)CMD_PAUSE;
		*status &= ~(u32)STAT_RESUME_WAIT;
		dma350_release(d, ch);
	} else if (waits_for_input(d, ch)) {
		go_on(d, ch, d->period);
	} else if (*status & STAT_ACK_WAIT && !(*status & STAT_PAUSED)) {
		end_command(d, ch);
	}
	dma350_status_changed(d, ch);
}

void dma350_command(struct device *d, unsigned ch, u32 value, u32 old)
{
	u32 *command = dma350_reg(d, CH0_CMD, ch);

	*command = old;
	if (old & CMD_ENABLE) {
		*command = (old & ~(REQUESTS | REQUEST_TYPES)) | trigger_bits(value, old) | (value & (CMD_CLEAR | CMD_DISABLE));
		control(d, ch, value);
	} else if (value & CMD_ENABLE) {
		enable(d, ch, value);
	} else if (value & CMD_CLEAR) {
		dma350_clear(d, ch);
	}
}
