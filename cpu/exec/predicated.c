/* SPDX-License-Identifier: Apache-2.0 */
/* What predicated vector instructions do at their ends: once for all of them. Optimised as the rest of the simulator, which plain
 * functions are not. */
#include "cpu/exec/mve_memory.h"
#include "cpu/exec/mve_pred.h"

typedef u8 bytes16 __attribute__((vector_size(16)));
typedef u64 halves16 __attribute__((vector_size(16)));

/* Bit i to byte i, as 0 or 0xff. */
static inline bytes16 mask_bytes(u32 mask)
{
	const u64 ones = 0x0101010101010101, each = 0x8040201008040201;
	const halves16 bits = { (mask & 0xff) * ones & each, (mask >> 8) * ones & each };

	return (bytes16)((bytes16)bits != 0);
}

static inline bytes16 bytes_of(const union vec *v)
{
	bytes16 bytes;

	memcpy(&bytes, v, sizeof(bytes));
	return bytes;
}

/* Where `mask` is 0 what was there stays. */
static inline void merge(union vec *q, bytes16 new, bytes16 mask)
{
	new = (new & mask) | (bytes_of(q) & ~mask);
	memcpy(q, &new, sizeof(new));
}

void mve_write_some(struct cpu *c, union vec *q, const union vec *r)
{
	merge(q, bytes_of(r), mask_bytes(mve_lanes(c)));
	mve_advance(c);
}

/* The bit of a lane's lowest byte decides about all of the lane. */
static u32 whole_lanes(u32 mask, unsigned lane_bytes)
{
	switch (lane_bytes) {
	case 1: return mask;
	case 2: return (mask & 0x5555) * 3;
	default: return (mask & 0x1111) * 15;
	}
}

void mve_end_load(struct cpu *c, union vec *q, const union vec *r, unsigned lane_bytes, u32 mask)
{
	merge(q, bytes_of(r) & mask_bytes(whole_lanes(mask, lane_bytes)), mask_bytes(mve_eci_lanes(c)));
	mve_advance(c);
}

void mve_keep_active(const struct cpu *c, union vec *v, unsigned lane_bytes, u32 other)
{
	const u32 each = lane_bytes == 1 ? (other & 0xff) * 0x01010101u : lane_bytes == 2 ? (other & 0xffff) * 0x10001u : other;
	const union vec others = { .w = { each, each, each, each } };
	const union vec lanes = *v;

	*v = others;
	merge(v, bytes_of(&lanes), mask_bytes(whole_lanes(mve_lanes(c), lane_bytes)));
}

void mve_some_saturated(struct cpu *c, const union vec *sat)
{
	if (!(sat->d[0] | sat->d[1]))
		return;
	const u32 mask = mve_lanes(c);
	const u64 any = (sat->d[0] & mve_spread(mask)) | (sat->d[1] & mve_spread(mask >> 8));

	c->fp.fpscr |= (u32)(any != 0) << 27;
}

void mve_put_some_p0(struct cpu *c, u32 bits)
{
	const u32 beats = mve_eci_lanes(c);

	c->fp.vpr = (c->fp.vpr & ~beats) | (bits & mve_lanes(c) & beats);
	mve_advance(c);
}
