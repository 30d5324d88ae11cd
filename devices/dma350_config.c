/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that the DMA-350 refuses (TRM, channel configuration; error handling). */
#include "devices/dma350.h"

static u32 input_config(struct device *d, unsigned ch, unsigned side)
{
	return dma350_reg(d, CH0_TRIGINCFG, ch)[side];
}

static bool uses_input(struct device *d, unsigned ch, unsigned side)
{
	return *dma350_reg(d, CH0_CTRL, ch) & (u32)CTRL_USE_INPUT << side;
}

/* Does a trigger setting name something that there is not? `channels`: it may name a channel, but its own. */
static bool illegal_trigger(u32 config, unsigned ch, bool channels)
{
	unsigned type = config >> 8 & 3, which = config & 0xff;

	if (type == TRIGGER_INTERNAL)
		return channels && (which >= DMA350_CHANNELS || which == ch);
	return type == TRIGGER_HARDWARE ? which >= DMA350_TRIGGERS : type != TRIGGER_SOFTWARE;
}

static bool illegal_value(struct device *d, unsigned ch)
{
	u32 ctrl = *dma350_reg(d, CH0_CTRL, ch), reload = ctrl >> 18 & 7, done = ctrl >> 21 & 7;

	if ((ctrl & 7) > DMA350_WIDEST || (ctrl >> 9 & 7) > DMA350_FILL || (ctrl >> 12 & 7) > DMA350_FILL)
		return true;
	if ((reload && !(reload & 1)) || done == 2 || done > 3)
		return true;
	for (unsigned side = 0; side < DMA350_SIDES; side++) {
		u32 config = input_config(d, ch, side);

		if (uses_input(d, ch, side) && (illegal_trigger(config, ch, true) || (config >> 10 & 3) == 1))
			return true;
	}
	return ctrl & CTRL_USE_OUTPUT && illegal_trigger(*dma350_reg(d, CH0_TRIGOUTCFG, ch), ch, false);
}

/* A side without width or height. */
static bool empty(struct device *d, unsigned ch, unsigned side, bool planar)
{
	u32 columns = *dma350_reg(d, CH0_XSIZE, ch) | *dma350_reg(d, CH0_XSIZEHI, ch);

	return !(columns >> 16 * side & 0xffff) || (planar && !(*dma350_reg(d, CH0_YSIZE, ch) >> 16 * side & 0xffff));
}

/* Flow control needs data on its side, in one line, and a source that does not wrap. */
static bool conflicting_flow(struct device *d, unsigned ch, unsigned side)
{
	u32 ctrl = *dma350_reg(d, CH0_CTRL, ch);
	unsigned x_type = ctrl >> 9 & 7, y_type = ctrl >> 12 & 7;
	bool planar = y_type != DMA350_DISABLE, fills = (planar ? y_type : x_type) == DMA350_FILL;
	bool no_source = empty(d, ch, 0, planar) && (side == 0 || !fills);

	if (x_type == DMA350_DISABLE || no_source || empty(d, ch, 1, planar))
		return true;
	if (planar && (*dma350_reg(d, CH0_YSIZE, ch) >> 16 * side & 0xffff) > 1)
		return true;
	return side == 0 && (x_type == DMA350_WRAP || y_type == DMA350_WRAP);
}

static bool conflicting(struct device *d, unsigned ch)
{
	bool planar = (*dma350_reg(d, CH0_CTRL, ch) >> 12 & 7) != DMA350_DISABLE;

	for (unsigned side = 0; side < DMA350_SIDES; side++)
		if (uses_input(d, ch, side) && dma350_flow_control(input_config(d, ch, side)) && conflicting_flow(d, ch, side))
			return true;
	return planar && *dma350_reg(d, CH0_TMPLTCFG, ch);
}

/* What an input is connected to, in one number; 0: nothing but software. */
static u32 connection(struct device *d, unsigned ch, unsigned side)
{
	u32 config = input_config(d, ch, side);

	return dma350_enabled(d, ch) && uses_input(d, ch, side) && config >> 9 & 1 ? config & 0x3ff : 0;
}

/* Is a trigger of another channel, or of the other side, the one of this side? */
static bool input_taken(struct device *d, unsigned ch, unsigned side)
{
	u32 wanted = connection(d, ch, side);

	for (unsigned other = 0; wanted && other < DMA350_CHANNELS; other++)
		for (unsigned n = 0; n < DMA350_SIDES; n++)
			if ((other != ch || n != side) && connection(d, other, n) == wanted)
				return true;
	return false;
}

/* The hardware trigger that a channel's output drives, in one number; 0: none. */
static u32 driven(struct device *d, unsigned ch)
{
	u32 config = *dma350_reg(d, CH0_TRIGOUTCFG, ch);
	bool hardware = (config >> 8 & 3) == TRIGGER_HARDWARE && *dma350_reg(d, CH0_CTRL, ch) & CTRL_USE_OUTPUT;

	return dma350_enabled(d, ch) && hardware ? config : 0;
}

static bool output_taken(struct device *d, unsigned ch)
{
	for (unsigned other = 0; driven(d, ch) && other < DMA350_CHANNELS; other++)
		if (other != ch && driven(d, other) == driven(d, ch))
			return true;
	return false;
}

u32 dma350_config_error(struct device *d, unsigned ch)
{
	if (illegal_value(d, ch))
		return ERROR_CONFIG | ERROR_VALUE;
	if (conflicting(d, ch))
		return ERROR_CONFIG | ERROR_CONFLICT;
	return (input_taken(d, ch, 0) ? ERROR_INPUT_TAKEN : 0u) | (input_taken(d, ch, 1) ? ERROR_INPUT_TAKEN << 1 : 0u) |
	       (output_taken(d, ch) ? ERROR_OUTPUT_TAKEN : 0u);
}
