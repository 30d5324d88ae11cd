/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a DMA-350 command: where its elements are, how they move, and what the address and size registers
 * show of that (TRM, command execution status reporting).
 *
 * A security controller refuses Non-secure accesses to Secure addresses when the board checks gates. Which of its two managers the DMA
 * takes for what is not public: all are told as the first one's. */
#include "devices/dma350.h"
#include "devices/sacfg.h"

enum { RELOAD_SIZES = 1 << 18, RELOAD_SOURCE = 1 << 19, RELOAD_DESTINATION = 1 << 20 }; /* CTRL */

static u32 half(u32 word, unsigned side)
{
	return word >> 16 * side & 0xffff;
}

static struct dma350_side side_of(struct device *d, unsigned ch, unsigned side, bool planar)
{
	u32 templates = *dma350_reg(d, CH0_TMPLTCFG, ch) >> (8 + 8 * side) & 0x1f;

	return (struct dma350_side){
		.columns = half(*dma350_reg(d, CH0_XSIZE, ch), side) | half(*dma350_reg(d, CH0_XSIZEHI, ch), side) << 16,
		.lines = planar ? half(*dma350_reg(d, CH0_YSIZE, ch), side) : 1,
		.column_step = (i16)half(*dma350_reg(d, CH0_XADDRINC, ch), side),
		.line_step = (i16)half(*dma350_reg(d, CH0_YADDRSTRIDE, ch), side),
		.pattern = *dma350_reg(d, side ? CH0_DESTMPLT : CH0_SRCTMPLT, ch),
		.places = templates ? templates + 1 : 0,
	};
}

static unsigned size_shift(struct device *d, unsigned ch)
{
	return *dma350_reg(d, CH0_CTRL, ch) & 7;
}

void dma350_transfer_begin(struct device *d, unsigned ch)
{
	struct dma350_channel *c = dma350_channel(d, ch);
	u32 ctrl = *dma350_reg(d, CH0_CTRL, ch), aligned = UINT32_MAX << size_shift(d, ch);
	bool planar = (ctrl >> 12 & 7) != DMA350_DISABLE;

	c->done = 0;
	c->from = *dma350_reg(d, CH0_SRCADDR, ch) & aligned;
	c->to = *dma350_reg(d, CH0_DESADDR, ch) & aligned;
	c->shape = (struct dma350_shape){ side_of(d, ch, 0, planar), side_of(d, ch, 1, planar), ctrl >> 9 & 7, ctrl >> 12 & 7 };
}

/* ---- moving ---- */

/* A Non-secure channel makes no Secure accesses, an unprivileged one no privileged (TRM, CH_SRCTRANSCFG). */
static struct bus_attr attributes(struct device *d, unsigned ch, u32 transfer_config)
{
	return (struct bus_attr){
		.secure = !(transfer_config & TRANSFER_NONSECURE) && !dma350_nonsecure(d, ch),
		.privileged = transfer_config & TRANSFER_PRIVILEGED && dma350_channel(d, ch)->privileged,
		.view = BUS_CPU,
	};
}

static bool is_secure_address(u32 addr)
{
	return addr < 0xe0000000 && addr >> 28 & 1;
}

/* BUS_OK: the access may go on, or `*ignored`: reads zero and writes nothing. */
static enum bus_status pass(struct device *d, u32 addr, struct bus_attr attr, bool *ignored)
{
	*ignored = d->gating && !attr.secure && is_secure_address(addr);
	return *ignored && sacfg_msc_refused(d->peer, MSC_DMA_M0) ? BUS_REFUSED : BUS_OK;
}

static bool read_unit(struct device *d, u32 addr, unsigned bytes, struct bus_attr attr, u32 *value)
{
	bool ignored;

	if (pass(d, addr, attr, &ignored) != BUS_OK)
		return false;
	*value = 0;
	return ignored || bus_read(d->host, addr, bytes, attr, value) == BUS_OK;
}

static bool write_unit(struct device *d, u32 addr, unsigned bytes, struct bus_attr attr, u32 value)
{
	bool ignored;

	return pass(d, addr, attr, &ignored) == BUS_OK && (ignored || bus_write(d->host, addr, bytes, attr, value) == BUS_OK);
}

/* Moves one element; NULL `from`: the fill value. 0 or the ERRINFO of a bus error. */
static u32 move_element(struct device *d, unsigned ch, const u32 *from, u32 to)
{
	struct bus_attr read_as = attributes(d, ch, *dma350_reg(d, CH0_SRCTRANSCFG, ch));
	struct bus_attr write_as = attributes(d, ch, *dma350_reg(d, CH0_DESTRANSCFG, ch));
	unsigned bytes = 1u << size_shift(d, ch), unit = bytes < 4 ? bytes : 4;
	u32 value = *dma350_reg(d, CH0_FILLVAL, ch), data[(1 << DMA350_WIDEST) / 4];

	for (unsigned i = 0; i < bytes; i += unit) {
		data[i / unit] = value;
		if (from && !read_unit(d, *from + i, unit, read_as, &data[i / unit]))
			return ERROR_BUS | ERROR_READ;
	}
	for (unsigned i = 0; i < bytes; i += unit)
		if (!write_unit(d, to + i, unit, write_as, data[i / unit]))
			return ERROR_BUS | ERROR_WRITE;
	return 0;
}

bool dma350_transfer_ended(struct device *d, unsigned ch)
{
	const struct dma350_channel *c = dma350_channel(d, ch);

	return c->done >= dma350_elements(&c->shape);
}

u32 dma350_transfer(struct device *d, unsigned ch, u64 most, u64 *moved)
{
	struct dma350_channel *c = dma350_channel(d, ch);
	unsigned shift = size_shift(d, ch);
	u64 all = dma350_elements(&c->shape);

	for (*moved = 0; *moved < most && c->done < all; ++*moved, c->done++) {
		i64 from = 0, to;
		enum dma350_source what = dma350_element(&c->shape, c->done, &from, &to);
		if (what == DMA350_SOURCE_END) {
			c->done = all;
			break;
		}
		u32 source = c->from + (u32)((u64)from << shift), error;
		error = move_element(d, ch, what == DMA350_SOURCE_FILL ? NULL : &source, c->to + (u32)((u64)to << shift));
		if (error)
			return error;
	}
	return 0;
}

/* ---- what the registers show ---- */

/* Distance of the address behind n elements of a side: at the end of a line of a plane, the next line. */
static i64 behind(const struct dma350_side *side, u64 n, bool planar)
{
	if (planar && side->columns)
		return dma350_distance(side, n / side->columns, n % side->columns);
	return dma350_distance(side, 0, n);
}

/* Elements of the source that were read for `done` of the destination, of its last round where it wraps. */
static u64 read_for(const struct dma350_shape *s, u64 done)
{
	u64 all = (u64)s->from.columns * s->from.lines;
	bool wraps = s->x_type == DMA350_WRAP || s->y_type == DMA350_WRAP;

	if (wraps && done < dma350_elements(s) && all)
		return done % all;
	return done < all ? done : all;
}

static i64 next_read(const struct dma350_shape *s, u64 done)
{
	bool planar = s->y_type != DMA350_DISABLE, ended = done >= dma350_elements(s);
	i64 from = 0, to;

	if (ended && (planar ? s->y_type : s->x_type) == DMA350_WRAP)
		return 0; /* the first line, or the start of the only one */
	if (ended && s->x_type == DMA350_WRAP)
		return dma350_distance(&s->from, s->from.lines, 0);
	if (!ended && dma350_element(s, done, &from, &to) == DMA350_SOURCE_ELEMENT)
		return from;
	return behind(&s->from, read_for(s, done), planar);
}

/* Columns and lines that are left of `n` elements of a side; 0, 0 at the end. */
static void left(const struct dma350_side *side, u64 n, u32 *columns, u32 *lines)
{
	bool all = !side->columns || n >= (u64)side->columns * side->lines;

	*columns = all ? 0 : side->columns - (u32)(n % side->columns);
	*lines = all ? 0 : side->lines - (u32)(n / side->columns);
}

/* What the registers show of a command: CH0_SRCADDR and on. */
struct progress { u32 from, to, columns[DMA350_SIDES], lines[DMA350_SIDES]; };

/* False: the registers stay as they are. */
static bool progress_of(struct device *d, unsigned ch, bool last, struct progress *p)
{
	const struct dma350_channel *c = dma350_channel(d, ch);
	const struct dma350_shape *s = &c->shape;
	u32 reload = last ? *dma350_reg(d, CH0_CTRL, ch) : 0;
	unsigned shift = size_shift(d, ch);

	if (!dma350_elements(s) || (!last && c->between))
		return false;
	p->from = c->from + (reload & RELOAD_SOURCE ? 0 : (u32)((u64)next_read(s, c->done) << shift));
	p->to = c->to + (reload & RELOAD_DESTINATION ? 0 : (u32)((u64)behind(&s->to, c->done, s->y_type != DMA350_DISABLE) << shift));
	left(&s->from, last ? UINT64_MAX : read_for(s, c->done), &p->columns[0], &p->lines[0]);
	left(&s->to, last ? UINT64_MAX : c->done, &p->columns[1], &p->lines[1]);
	if (reload & RELOAD_SIZES) {
		p->columns[0] = s->from.columns, p->columns[1] = s->to.columns;
		p->lines[0] = s->from.lines, p->lines[1] = s->to.lines;
	}
	return true;
}

static u32 shown_by(const struct progress *p, u32 ch0_offset, u32 stored)
{
	switch (ch0_offset) {
	case CH0_SRCADDR: return p->from;
	case CH0_DESADDR: return p->to;
	case CH0_XSIZE: return (p->columns[0] & 0xffff) | p->columns[1] << 16;
	case CH0_XSIZEHI: return p->columns[0] >> 16 | (p->columns[1] & 0xffff0000);
	case CH0_YSIZE: return (p->lines[0] & 0xffff) | p->lines[1] << 16;
	default: return stored;
	}
}

void dma350_transfer_show(struct device *d, unsigned ch, bool last)
{
	static const u32 shown[] = { CH0_SRCADDR, CH0_DESADDR, CH0_XSIZE, CH0_XSIZEHI, CH0_YSIZE };
	struct progress p;

	if (!progress_of(d, ch, last, &p))
		return;
	for (unsigned i = 0; i < ARRAY_LEN(shown); i++)
		*dma350_reg(d, shown[i], ch) = shown_by(&p, shown[i], 0);
}

u32 dma350_transfer_progress(struct device *d, unsigned ch, u32 ch0_offset, u32 stored)
{
	struct progress p;

	return dma350_enabled(d, ch) && progress_of(d, ch, false, &p) ? shown_by(&p, ch0_offset, stored) : stored;
}

u32 dma350_working_register(struct device *d, unsigned ch, unsigned number)
{
	const struct dma350_channel *c = dma350_channel(d, ch);
	const struct dma350_shape *s = &c->shape;
	u64 from_line = s->from.columns ? read_for(s, c->done) / s->from.columns : 0;
	u64 to_line = s->to.columns ? c->done / s->to.columns : 0;
	bool planar = s->y_type != DMA350_DISABLE;
	unsigned shift = size_shift(d, ch);

	switch (number) {
	case 1: return c->from;
	case 3: return c->to;
	case 5: return s->from.columns;
	case 6: return s->to.columns;
	case 7: return c->from + (planar ? (u32)((u64)dma350_distance(&s->from, from_line, 0) << shift) : 0);
	case 9: return c->to + (planar ? (u32)((u64)dma350_distance(&s->to, to_line, 0) << shift) : 0);
	case 11: return planar ? s->from.lines : 0;
	case 12: return planar ? s->to.lines : 0;
	default: return 0;
	}
}
