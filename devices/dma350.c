/* SPDX-License-Identifier: Apache-2.0 */
/* DMA-350 with two channels (Arm CoreLink DMA-350 TRM): 1D and 2D copies and fills, command links, automatic
 * restart, triggers by software. A channel moves one element a clock cycle, in portions, so that it can be
 * paused and stopped. Trigger wires are not connected: software may give the triggers in their place.
 * Streams, templates and general purpose outputs: a command that needs one ends with a configuration
 * error and a message. */
#include "devices/classes.h"
#include "devices/dma350_shape.h"
#include "devices/dma350_trigger.h"

#define CHANNEL(R, b, n)                                                                \
	R(b + 0x00, 1, CH##n##_CMD, RW, 0, 0x0177003f, "0 enable, 1 clear, 2 disable, 3 stop, 4 pause, 5 resume, 16, 20 triggers, 24 acknowledge") \
	R(b + 0x04, 1, CH##n##_STATUS, RW, 0, 0x07ff07ff, "10:0 interrupts, 26:16 their causes: 16 done, 17 error") \
	R(b + 0x08, 1, CH##n##_INTREN, RW, 0, 0x7ff, "interrupt enable")                \
	R(b + 0x0c, 1, CH##n##_CTRL, RW, 0x00200200, 0x7fffffff, "2:0 size, 11:9 x type, 14:12 y type, 23:21 done type, 24 done pauses") \
	R(b + 0x10, 1, CH##n##_SRCADDR, RW, 0, 0xffffffff, "source")                    \
	R(b + 0x14, 1, CH##n##_SRCADDRHI, RW, 0, 0xffffffff, "source, high word")       \
	R(b + 0x18, 1, CH##n##_DESADDR, RW, 0, 0xffffffff, "destination")               \
	R(b + 0x1c, 1, CH##n##_DESADDRHI, RW, 0, 0xffffffff, "destination, high word")  \
	R(b + 0x20, 1, CH##n##_XSIZE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination units of a line") \
	R(b + 0x24, 1, CH##n##_XSIZEHI, RW, 0, 0xffffffff, "XSIZE, high halves")        \
	R(b + 0x28, 1, CH##n##_SRCTRANSCFG, RW, 0x000f0400, 0x000f0fff, "source bus attributes: 10 Non-secure, 11 privileged") \
	R(b + 0x2c, 1, CH##n##_DESTRANSCFG, RW, 0x000f0400, 0x000f0fff, "destination bus attributes") \
	R(b + 0x30, 1, CH##n##_XADDRINC, RW, 0, 0xffffffff, "15:0 source, 31:16 destination increment in units") \
	R(b + 0x34, 1, CH##n##_YADDRSTRIDE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination stride in units") \
	R(b + 0x38, 1, CH##n##_FILLVAL, RW, 0, 0xffffffff, "fill pattern")              \
	R(b + 0x3c, 1, CH##n##_YSIZE, RW, 0, 0xffffffff, "15:0 source, 31:16 destination lines") \
	R(b + 0x40, 1, CH##n##_TMPLTCFG, RW, 0, 0xffffffff, "template sizes")           \
	R(b + 0x44, 2, CH##n##_TEMPLATES, RW, 0, 0xffffffff, "templates")               \
	R(b + 0x4c, 2, CH##n##_TRIGINCFG, RW, 0, 0x00ff0fff, "source, destination trigger: 9:8 type, 11:10 mode, 23:16 block size - 1") \
	R(b + 0x54, 1, CH##n##_TRIGOUTCFG, RW, 0, 0x0000033f, "trigger output: 9:8 type") \
	R(b + 0x58, 3, CH##n##_GPO, RW, 0, 0xffffffff, "general purpose outputs")       \
	R(b + 0x68, 3, CH##n##_STREAM, RW, 0, 0xffffffff, "streams, link attributes")   \
	R(b + 0x74, 1, CH##n##_AUTOCFG, RW, 0, 0x0001ffff, "automatic restart: 15:0 times, 16 without end") \
	R(b + 0x78, 1, CH##n##_LINKADDR, RW, 0, 0xfffffffd, "next command, 0 enable")   \
	R(b + 0x7c, 1, CH##n##_LINKADDRHI, RW, 0, 0xffffffff, "next command, high word") \
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

enum { CMD_ENABLE = 1, CMD_CLEAR = 2, CMD_DISABLE = 4, CMD_STOP = 8, CMD_PAUSE = 0x10, CMD_RESUME = 0x20 };
enum { STAT_INTERRUPTS = 0x7ff, STAT_DONE = 1 << 16, STAT_ERROR = 1 << 17, STAT_DISABLED = 1 << 18,
       STAT_STOPPED = 1 << 19, STAT_PAUSED = 1 << 20, STAT_RESUME_WAIT = 1 << 21, STAT_ENDS = 0xf << 16,
       STAT_INPUT_WAIT = 1 << 24, STAT_ACK_WAIT = 1 << 26 };
enum { ERROR_BUS = 1, ERROR_CONFIG = 2 };
enum { DONE_COMMAND = 1, DONE_CYCLE = 3, DONE_PAUSES = 1 << 24 };
/* Triggers: fields of CTRL and CMD. */
enum { USE_INPUT = 1 << 25, USE_OUTPUT = 1 << 27, SOFTWARE_REQUEST = 1 << 16, SOFTWARE_ACK = 1 << 24 };
enum { DESTINATION_REQUEST = 4 /* bits further left */, REQUEST_TYPE = 17 };
#define TRIGGER_BITS 0x01770000u /* CMD */
#define NEEDS_OTHERS 0x30000000u /* CTRL: outputs, streams */
#define RELOAD_SIZES 1u
#define RELOAD_SOURCE 2u
#define RELOAD_DESTINATION 4u
#define CHANNELS 2
#define CHANNEL_BASE 0x1000u
#define CHANNEL_BYTES 0x100u
#define PORTION 4096u /* elements between two looks at the command register */
static const char *const wires[] = {"channel 0", "channel 1", NULL};

struct channel {
	u64 done;      /* elements of the current command */
	u32 restarts;  /* automatic ones so far */
	struct dma350_shape shape;
	u32 from, to;  /* first elements */
	bool ended;    /* paused behind the current command */
	struct dma350_trigger trigger[DMA350_SIDES];
};

struct dma350 { struct channel channel[CHANNELS]; };

static struct channel *channel_of(struct device *d, unsigned ch)
{
	return &((struct dma350 *)d->state)->channel[ch];
}

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

	*status = (*status & ~(u32)STAT_INTERRUPTS) | (raised & STAT_INTERRUPTS);
	device_wire(d, ch, (raised & STAT_INTERRUPTS) != 0);
	*device_reg(d, SEC_CHINTRSTATUS0) = *device_reg(d, NSEC_CHINTRSTATUS0) = d->wire_level & 3;
}

/* The channel stops running for the reason given. */
static void halt(struct device *d, unsigned ch, u32 status)
{
	u32 *flags = channel_reg(d, CH0_STATUS, ch);

	*channel_reg(d, CH0_CMD, ch) = 0;
	*flags = (*flags & ~(u32)(STAT_INPUT_WAIT | STAT_INPUT_WAIT << 1 | STAT_ACK_WAIT)) | status;
	device_schedule(d, (u16)ch, SCHED_NEVER);
	update(d, ch);
}

static void pause(struct device *d, unsigned ch)
{
	device_schedule(d, (u16)ch, SCHED_NEVER);
	*channel_reg(d, CH0_STATUS, ch) |= STAT_PAUSED | STAT_RESUME_WAIT;
}

static void fail(struct device *d, unsigned ch, u32 why)
{
	*channel_reg(d, CH0_ERRINFO, ch) = why;
	halt(d, ch, STAT_ERROR);
}

static u32 both_halves(struct device *d, unsigned ch, bool destination)
{
	unsigned shift = destination ? 16 : 0;

	return (*channel_reg(d, CH0_XSIZE, ch) >> shift & 0xffff) | (*channel_reg(d, CH0_XSIZEHI, ch) >> shift & 0xffff) << 16;
}

static struct dma350_side side(struct device *d, unsigned ch, bool destination, bool planar)
{
	unsigned shift = destination ? 16 : 0;

	return (struct dma350_side){
		.columns = both_halves(d, ch, destination),
		.lines = planar ? *channel_reg(d, CH0_YSIZE, ch) >> shift & 0xffff : 1,
		.column_step = (i16)(*channel_reg(d, CH0_XADDRINC, ch) >> shift),
		.line_step = (i16)(*channel_reg(d, CH0_YADDRSTRIDE, ch) >> shift),
	};
}

/* Takes the requests that are there; false: the channel waits for one. */
static bool triggered(struct device *d, unsigned ch)
{
	struct channel *c = channel_of(d, ch);
	u32 *command = channel_reg(d, CH0_CMD, ch), *status = channel_reg(d, CH0_STATUS, ch);
	bool all = true;

	for (unsigned side = 0; side < DMA350_SIDES; side++) {
		u32 request = *command >> DESTINATION_REQUEST * side;

		*status &= ~(u32)(STAT_INPUT_WAIT << side);
		if (c->trigger[side].may_move)
			continue;
		if (request & SOFTWARE_REQUEST) {
			c->trigger[side] = dma350_granted(channel_reg(d, CH0_TRIGINCFG, ch)[side], request >> REQUEST_TYPE & 3);
			*command &= ~(u32)(SOFTWARE_REQUEST << DESTINATION_REQUEST * side);
		} else {
			*status |= (u32)(STAT_INPUT_WAIT << side);
			all = false;
		}
	}
	return all;
}

/* Goes on moving after `ticks`, or waits for a trigger. */
static void go_on(struct device *d, unsigned ch, u64 ticks)
{
	device_schedule(d, (u16)ch, triggered(d, ch) ? d->sched->now + ticks : SCHED_NEVER);
	update(d, ch);
}

/* Takes the registers over and begins to move. */
static void begin_command(struct device *d, unsigned ch)
{
	struct channel *c = channel_of(d, ch);
	u32 ctrl = *channel_reg(d, CH0_CTRL, ch);
	bool planar = (ctrl >> 12 & 7) != DMA350_DISABLE;

	if (ctrl & NEEDS_OTHERS || (ctrl >> 9 & 7) > DMA350_FILL || (ctrl >> 12 & 7) > DMA350_FILL) {
		diag_report(d->diag, DIAG_NOT_MODELLED, "DEV005",
			    "%s: channel %u needs a stream or an output, which are not connected (CTRL = 0x%08x): "
			    "it ends with a configuration error", d->name, ch, ctrl);
		fail(d, ch, ERROR_CONFIG);
		return;
	}
	c->done = 0;
	c->ended = false;
	for (unsigned side = 0; side < DMA350_SIDES; side++)
		c->trigger[side] = ctrl & USE_INPUT << side ? (struct dma350_trigger){ 0 } : dma350_untriggered;
	c->from = *channel_reg(d, CH0_SRCADDR, ch);
	c->to = *channel_reg(d, CH0_DESADDR, ch);
	c->shape = (struct dma350_shape){ side(d, ch, false, planar), side(d, ch, true, planar), ctrl >> 9 & 7, ctrl >> 12 & 7 };
	go_on(d, ch, d->period);
}

static struct bus_attr attributes(u32 transfer_config)
{
	return (struct bus_attr){ .secure = !(transfer_config >> 10 & 1), .privileged = transfer_config >> 11 & 1, .view = BUS_CPU };
}

/* Moves one element of `bytes` (1 to 128) bytes; NULL `from`: the fill value. */
static bool move_element(struct device *d, unsigned ch, const u32 *from, u32 to, unsigned bytes)
{
	struct bus_attr read_as = attributes(*channel_reg(d, CH0_SRCTRANSCFG, ch));
	struct bus_attr write_as = attributes(*channel_reg(d, CH0_DESTRANSCFG, ch));
	unsigned unit = bytes < 4 ? bytes : 4;
	u32 value = *channel_reg(d, CH0_FILLVAL, ch), data[32];

	for (unsigned i = 0; i < bytes; i += unit) {
		data[i / unit] = value;
		if (from && bus_read(d->host, *from + i, unit, read_as, &data[i / unit]) != BUS_OK)
			return false;
	}
	for (unsigned i = 0; i < bytes; i += unit)
		if (bus_write(d->host, to + i, unit, write_as, data[i / unit]) != BUS_OK)
			return false;
	return true;
}

/* Addresses and sizes show what is left, or what the next round begins with. */
static void write_back(struct device *d, unsigned ch, u32 reload)
{
	const struct channel *c = channel_of(d, ch);
	unsigned bytes = 1u << (*channel_reg(d, CH0_CTRL, ch) & 7);
	i64 from = (i64)c->shape.from.columns * c->shape.from.column_step;
	i64 to = (i64)c->shape.to.columns * c->shape.to.column_step;

	if (!(reload & RELOAD_SOURCE) && c->shape.from.lines == 1)
		*channel_reg(d, CH0_SRCADDR, ch) = c->from + (u32)(from * bytes);
	if (!(reload & RELOAD_DESTINATION) && c->shape.to.lines == 1)
		*channel_reg(d, CH0_DESADDR, ch) = c->to + (u32)(to * bytes);
	if (!(reload & RELOAD_SIZES))
		*channel_reg(d, CH0_XSIZE, ch) = *channel_reg(d, CH0_XSIZEHI, ch) = *channel_reg(d, CH0_YSIZE, ch) = 0;
}

/* Puts the registers of a channel in the state after reset, but for command and status. */
static void clear_registers(struct device *d, unsigned ch)
{
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].offset >= CHANNEL_BASE + 8 && rows[i].offset < CHANNEL_BASE + 0x80)
			for (unsigned n = 0; n < rows[i].count; n++)
				*channel_reg(d, rows[i].offset + 4 * n, ch) = rows[i].reset;
}

/* Loads the command at LINKADDR: a word that says which registers follow, by their offset / 4. */
static bool load_link(struct device *d, unsigned ch)
{
	u32 at = *channel_reg(d, CH0_LINKADDR, ch) & ~3u, header;
	struct bus_attr as = { .secure = true, .privileged = true, .view = BUS_CPU };

	if (bus_read(d->host, at, 4, as, &header) != BUS_OK)
		return false;
	*channel_reg(d, CH0_LINKADDR, ch) = 0;
	if (header & 1)
		clear_registers(d, ch);
	for (unsigned n = 2; n < 32; n++)
		if (header >> n & 1) {
			at += 4;
			if (bus_read(d->host, at, 4, as, channel_reg(d, CHANNEL_BASE + 4 * n, ch)) != BUS_OK)
				return false;
		}
	return true;
}

/* The trigger output of a finished command; true: it was acknowledged. */
static bool acknowledged(struct device *d, unsigned ch)
{
	u32 *command = channel_reg(d, CH0_CMD, ch), *status = channel_reg(d, CH0_STATUS, ch);

	*status &= ~(u32)STAT_ACK_WAIT;
	if (!(*channel_reg(d, CH0_CTRL, ch) & USE_OUTPUT) || *command & SOFTWARE_ACK) {
		*command &= ~TRIGGER_BITS;
		return true;
	}
	*status |= STAT_ACK_WAIT;
	device_schedule(d, (u16)ch, SCHED_NEVER);
	update(d, ch);
	return false;
}

static bool restarts(struct device *d, unsigned ch)
{
	u32 auto_config = *channel_reg(d, CH0_AUTOCFG, ch);

	return auto_config >> 16 & 1 || channel_of(d, ch)->restarts < (auto_config & 0xffff);
}

/* After a command: restart, next command or end. */
static void next_command(struct device *d, unsigned ch)
{
	struct channel *c = channel_of(d, ch);

	c->ended = false;
	if (restarts(d, ch)) {
		c->restarts++;
		begin_command(d, ch);
		return;
	}
	c->restarts = 0;
	if (!(*channel_reg(d, CH0_LINKADDR, ch) & 1))
		halt(d, ch, 0);
	else if (load_link(d, ch))
		begin_command(d, ch);
	else
		fail(d, ch, ERROR_BUS);
}

/* All elements are moved. */
static void end_command(struct device *d, unsigned ch)
{
	if (!acknowledged(d, ch))
		return;

	u32 ctrl = *channel_reg(d, CH0_CTRL, ch), *status = channel_reg(d, CH0_STATUS, ch);
	unsigned done_type = ctrl >> 21 & 7;
	bool done = done_type == DONE_CYCLE || (done_type == DONE_COMMAND && !restarts(d, ch));

	write_back(d, ch, ctrl >> 18 & 7);
	*status |= done ? STAT_DONE : 0;
	channel_of(d, ch)->ended = done && ctrl & DONE_PAUSES;
	if (channel_of(d, ch)->ended)
		pause(d, ch);
	else
		next_command(d, ch);
	update(d, ch);
}

static void moved(struct device *d, const struct sched_event *ev)
{
	unsigned ch = ev->kind, shift = *channel_reg(d, CH0_CTRL, ch) & 7;
	struct channel *c = channel_of(d, ch);
	u64 all = dma350_elements(&c->shape), most = dma350_may_move(c->trigger, PORTION), n = 0;

	for (; n < most && c->done < all; n++, c->done++) {
		i64 from = 0, to;
		enum dma350_source what = dma350_element(&c->shape, c->done, &from, &to);
		if (what == DMA350_SOURCE_END) {
			c->done = all;
			break;
		}
		u32 source = c->from + (u32)((u64)from << shift);
		if (!move_element(d, ch, what == DMA350_SOURCE_FILL ? NULL : &source, c->to + (u32)((u64)to << shift), 1u << shift)) {
			fail(d, ch, ERROR_BUS);
			return;
		}
	}
	if (dma350_moved(c->trigger, n) || c->done >= all)
		end_command(d, ch);
	else
		go_on(d, ch, n * d->period);
}

/* After a pause, or when a trigger or its acknowledgement may have come. */
static void resume(struct device *d, unsigned ch)
{
	if (channel_of(d, ch)->ended)
		next_command(d, ch);
	else if (*channel_reg(d, CH0_STATUS, ch) & STAT_ACK_WAIT)
		end_command(d, ch);
	else
		go_on(d, ch, d->period);
}

static void command(struct device *d, unsigned ch, u32 value, u32 running)
{
	u32 *status = channel_reg(d, CH0_STATUS, ch);

	*channel_reg(d, CH0_CMD, ch) = running & CMD_ENABLE ? (running & (CMD_ENABLE | TRIGGER_BITS)) | (value & TRIGGER_BITS) : 0;
	if (value & CMD_CLEAR && !running) {
		clear_registers(d, ch);
		*status = 0;
	}
	if (running && value & (CMD_STOP | CMD_DISABLE)) {
		halt(d, ch, value & CMD_STOP ? STAT_STOPPED : STAT_DISABLED);
	} else if (running && value & CMD_PAUSE) {
		pause(d, ch);
	} else if (running && value & CMD_RESUME && *status & STAT_RESUME_WAIT) {
		*status &= ~(u32)(STAT_PAUSED | STAT_RESUME_WAIT);
		resume(d, ch);
	} else if (!running && value & CMD_ENABLE) {
		*channel_reg(d, CH0_CMD, ch) = CMD_ENABLE | (value & TRIGGER_BITS);
		*channel_reg(d, CH0_ERRINFO, ch) = 0;
		*status &= ~(u32)STAT_ENDS;
		begin_command(d, ch);
	} else if (running && !(*status & STAT_PAUSED) && *status & (STAT_INPUT_WAIT | STAT_INPUT_WAIT << 1 | STAT_ACK_WAIT)) {
		resume(d, ch);
	}
}

static void dma350_write(struct device *d, u32 offset, u32 value, u32 old)
{
	unsigned ch = offset >= CHANNEL_BASE + CHANNEL_BYTES;

	if (offset < CHANNEL_BASE)
		return;
	switch (offset - CHANNEL_BYTES * ch) {
	case CH0_CMD:
		command(d, ch, value, old);
		break;
	case CH0_STATUS: /* causes are cleared by writing 1 */
		*device_reg(d, offset) = old & ~(value & STAT_ENDS);
		break;
	}
	update(d, ch);
}

static bool dma350_start(struct device *d, struct bus *bus)
{
	d->host = bus;
	return true;
}

const struct device_class dma350_class = {
	.kind = "DMA-350", .size = 0x2000, .rows = rows, .row_count = ARRAY_LEN(rows),
	.wires = wires, .state_size = sizeof(struct dma350), .write = dma350_write, .event = moved, .start = dma350_start,
};
