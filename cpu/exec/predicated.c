/* SPDX-License-Identifier: Apache-2.0 */
/* What predicated vector instructions do at their ends, and lane by lane in memory: once for all of them. Optimised as the rest of the
 * simulator, which plain functions are not. */
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

void mve_write_some(struct cpu *c, union vec *q, const union vec *r)
{
	const bytes16 mask = mask_bytes(mve_lanes(c));
	bytes16 old, new;

	memcpy(&old, q, sizeof(old));
	memcpy(&new, r, sizeof(new));
	new = (new & mask) | (old & ~mask);
	memcpy(q, &new, sizeof(new));
	mve_advance(c);
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

/* fn(arguments, bytes) with a constant for the element's size. */
#define BY_SIZE(bytes, call) ((bytes) == 1 ? call(1) : (bytes) == 2 ? call(2) : call(4))

bool mve_load_lane(struct cpu *c, u32 addr, unsigned bytes, u32 *v)
{
#define LOAD(n) load(c, GRANULES, addr, n, ACC_ALIGNED, v)
	return BY_SIZE(bytes, LOAD);
#undef LOAD
}

bool mve_store_lane(struct cpu *c, u32 addr, unsigned bytes, u32 v)
{
#define STORE(n) store(c, GRANULES, addr, n, ACC_ALIGNED, v)
	return BY_SIZE(bytes, STORE);
#undef STORE
}

bool mve_may_store_lane(const struct cpu *c, u32 addr, unsigned bytes)
{
	return page_permits(c, GRANULES, addr, bytes, bytes, PAGE_WRITE);
}
