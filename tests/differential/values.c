/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/values.h"

static u32 pick(struct insn_random *r, const u32 *list, u32 count)
{
	return list[insn_random_below(r, count)];
}
#define PICK(r, list) pick(r, list, ARRAY_LEN(list))

static u32 word_any(struct insn_random *r)
{
	static const u32 corners[] = {
		0, 1, 2, 0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0x55555555,
		0xaaaaaaaa, 0xffff, 0x10000, 0x8000, 0x7fff, 0xff, 0x80, 0x7f, 31, 32, 33,
	};
	return insn_random_below(r, 3) ? insn_random_u32(r) : PICK(r, corners);
}

static u32 word_f32(struct insn_random *r)
{
	static const u32 corners[] = {
		0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff,
		0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0x7fa00000,
		0x3f800000, 0xbf800000, 0x3f000000, 0x4b000001, 0x4f000000, 0xcf000000, 0x5f000000,
		0x33800000, 0x38800000, 0x477fe000, 0x477ff000, 0x40490fdb, 0x3effffff, 0x4effffff,
	};
	switch (insn_random_below(r, 4)) {
	case 0: return PICK(r, corners);
	case 1: return insn_random_u32(r);
	/* Exponents near each other, so that sums and products round. */
	case 2: return (insn_random_u32(r) & 0x80ffffff) + (0x3b000000 + (insn_random_below(r, 10) << 24));
	default: return (insn_random_u32(r) & 0x80ff0000) + 0x3f000000;
	}
}

static u32 half(struct insn_random *r)
{
	static const u32 corners[] = {
		0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
		0xfe12, 0x7c01, 0x7d00, 0x3c00, 0xbc00, 0x3800, 0x6400, 0x7800, 0x1400,
	};
	switch (insn_random_below(r, 3)) {
	case 0: return PICK(r, corners);
	case 1: return insn_random_u32(r) & 0xffff;
	default: return (insn_random_u32(r) & 0x83ff) + 0x3000 + (insn_random_below(r, 8) << 10);
	}
}

static u32 word_f64_high(struct insn_random *r)
{
	static const u32 corners[] = {
		0, 0x80000000, 0x000fffff, 0x00100000, 0x7fefffff, 0x7ff00000, 0xfff00000, 0x7ff80000,
		0x7ff00001, 0xfff40000, 0x3ff00000, 0xbff00000, 0x41dfffff, 0x41e00000, 0x43300000,
		0x47efffff, 0x36a00000, 0x38100000, 0x380fffff, 0x3f100000, 0x40effe00,
	};
	switch (insn_random_below(r, 3)) {
	case 0: return PICK(r, corners);
	case 1: return insn_random_u32(r);
	default: return (insn_random_u32(r) & 0x800fffff) + 0x3e000000 + (insn_random_below(r, 64) << 20);
	}
}

static u32 word_lanes(struct insn_random *r)
{
	static const u32 bytes[] = {0, 1, 0x7f, 0x80, 0x81, 0xff, 0xfe, 2, 0x40, 0xc0, 8, 7};
	static const u32 halves[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0xfffe, 0x100, 0xff, 0x80, 16, 15};
	u32 word = 0;

	if (insn_random_below(r, 2))
		for (unsigned i = 0; i < 4; i++)
			word = word << 8 | (insn_random_below(r, 3) ? PICK(r, bytes) : insn_random_below(r, 256));
	else
		for (unsigned i = 0; i < 2; i++)
			word = word << 16 | (insn_random_below(r, 3) ? PICK(r, halves) : insn_random_below(r, 65536));
	return word;
}

u32 value_word(struct insn_random *r, enum flavour flavour, bool odd_word)
{
	switch (flavour) {
	case FLAVOUR_SMALL: return insn_random_below(r, 40) - (insn_random_below(r, 4) ? 0 : 20);
	case FLAVOUR_F32: return word_f32(r);
	case FLAVOUR_F16: return half(r) | half(r) << 16;
	case FLAVOUR_F64: return odd_word ? word_f64_high(r) : insn_random_below(r, 3) ? insn_random_u32(r) : 0;
	case FLAVOUR_LANES: return word_lanes(r);
	default: return word_any(r);
	}
}

u32 value_fpscr(struct insn_random *r)
{
	u32 v = insn_random_u32(r) & 0xf0000000; /* N Z C V */

	if (insn_random_below(r, 2))
		v |= insn_random_u32(r) & 0x07c80000; /* AHP DN FZ RMode FZ16 */
	if (insn_random_below(r, 4) == 0)
		v |= insn_random_u32(r) & 0x0800009f; /* QC and cumulative flags */
	if (insn_random_below(r, 10) == 0)
		return v | insn_random_below(r, 4) << 16; /* tail predication by LR */
	return v | 4 << 16;
}

u32 value_vpr(struct insn_random *r)
{
	return insn_random_below(r, 3) ? 0 : insn_random_u32(r) & 0xffff;
}
