/* SPDX-License-Identifier: Apache-2.0 */
/* Which lines a table is; see straight.h. Each entry says between which bounds the slope of its line is. */
#include "npu/kernels/rows/straight.h"

enum { ONE = 1 << 15, HALF = ONE / 2, MOST_UP = 6 };

static i32 value_of(const u8 table[256], i32 v)
{
	return (i8)table[(u8)v];
}

static i32 floor_of(i32 v, i32 by)
{
	return v / by - (v % by < 0);
}

/* What a slope may be: m for which each (distance * m + HALF) >> 15 is what the table has. */
struct slopes { i32 lo, hi; };

/* One entry; what is at an end of the bytes may be beyond it. `distance` > 0, of the entry from where the lines meet, on one `side` or the other. */
static void narrow_down(struct slopes *s, i32 distance, i32 side, i32 change, bool lowest, bool highest)
{
	const i32 least = side > 0 ? change * ONE - HALF : -change * ONE - HALF + 1, most = side > 0 ? change * ONE + HALF - 1 : -change * ONE + HALF;
	const bool any_less = side > 0 ? lowest : highest, any_more = side > 0 ? highest : lowest;

	if (!any_less && -floor_of(-least, distance) > s->lo)
		s->lo = -floor_of(-least, distance);
	if (!any_more && floor_of(most, distance) < s->hi)
		s->hi = floor_of(most, distance);
}

static bool find_slope(const u8 table[256], i32 from, i32 side, unsigned up, i16 *slope)
{
	struct slopes s = { -INT16_MAX, INT16_MAX };
	const i32 to = value_of(table, from);

	for (i32 v = from + side; v >= INT8_MIN && v <= INT8_MAX && s.lo <= s.hi; v += side) {
		const i32 y = value_of(table, v);
		narrow_down(&s, ((v - from) * side) << up, side, y - to, y == INT8_MIN, y == INT8_MAX);
	}
	*slope = (i16)(s.lo + (s.hi - s.lo) / 2);
	return s.lo <= s.hi;
}

/* As npu_simd.straight has it. */
static i32 computed(const struct npu_straight *s, i32 v)
{
	const i32 d = v - s->from, y = s->to + ((d * (1 << s->up) * (d < 0 ? s->below : s->above) + HALF) >> 15);

	return y < INT8_MIN ? INT8_MIN : y > INT8_MAX ? INT8_MAX : y;
}

static bool is_table(const struct npu_straight *s, const u8 table[256])
{
	bool same = true;

	for (i32 v = INT8_MIN; v <= INT8_MAX; v++)
		same &= computed(s, v) == value_of(table, v);
	return same;
}

bool npu_straight_find(struct npu_straight *s, const u8 table[256], i32 from)
{
	if (from < INT8_MIN || from > INT8_MAX)
		return false;
	*s = (struct npu_straight){ .from = (i16)from, .to = (i16)value_of(table, from) };
	for (; s->up <= MOST_UP; s->up++)
		if (find_slope(table, from, 1, s->up, &s->above) && find_slope(table, from, -1, s->up, &s->below) && is_table(s, table))
			return true;
	return false;
}
