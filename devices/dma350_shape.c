/* SPDX-License-Identifier: Apache-2.0 */
#include "devices/dma350_shape.h"

u64 dma350_elements(const struct dma350_shape *s)
{
	return s->x_type == DMA350_DISABLE ? 0 : (u64)s->to.columns * s->to.lines;
}

/* Place of the n-th set bit, counted from 0; there are more. */
static unsigned place_of(u32 pattern, unsigned n)
{
	while (n--)
		pattern &= pattern - 1;
	return (unsigned)__builtin_ctz(pattern);
}

i64 dma350_distance(const struct dma350_side *side, u64 line, u64 column)
{
	if (side->places) {
		u32 pattern = side->pattern & (u32)((1ull << side->places) - 1);
		unsigned used = (unsigned)__builtin_popcount(pattern);

		return (i64)(column / used * side->places + place_of(pattern, column % used));
	}
	return (i64)line * side->line_step + (i64)column * side->column_step;
}

/* A line or element beyond the last of the source. */
static enum dma350_source beyond(unsigned type, u64 *at, u64 count)
{
	if (type == DMA350_FILL)
		return DMA350_SOURCE_FILL;
	if (type != DMA350_WRAP || !count)
		return DMA350_SOURCE_END;
	*at %= count;
	return DMA350_SOURCE_ELEMENT;
}

/* Lines follow each other without regard to their length. */
static enum dma350_source in_one_stream(const struct dma350_shape *s, u64 k, u64 *line, u64 *column)
{
	u64 count = (u64)s->from.columns * s->from.lines;
	enum dma350_source what = k < count ? DMA350_SOURCE_ELEMENT : beyond(s->y_type, &k, count);

	if (what == DMA350_SOURCE_ELEMENT) {
		*line = k / s->from.columns;
		*column = k % s->from.columns;
	}
	return what;
}

/* Each line of the destination has its line of the source. */
static enum dma350_source line_by_line(const struct dma350_shape *s, u64 *line, u64 *column)
{
	enum dma350_source what = *line < s->from.lines ? DMA350_SOURCE_ELEMENT : beyond(s->y_type, line, s->from.lines);

	if (what == DMA350_SOURCE_ELEMENT && *column >= s->from.columns)
		what = beyond(s->x_type, column, s->from.columns);
	return what;
}

enum dma350_source dma350_element(const struct dma350_shape *s, u64 k, i64 *from, i64 *to)
{
	u64 line = k / s->to.columns, column = k % s->to.columns;

	*to = dma350_distance(&s->to, line, column);
	enum dma350_source what = s->x_type == DMA350_CONTINUE ? in_one_stream(s, k, &line, &column)
							       : line_by_line(s, &line, &column);
	if (what == DMA350_SOURCE_ELEMENT)
		*from = dma350_distance(&s->from, line, column);
	return what;
}
