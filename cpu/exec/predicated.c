/* SPDX-License-Identifier: Apache-2.0 */
/* What predicated vector instructions do at their ends, and plain functions in memory: once for all of them. Optimised as the rest of the
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

bool plain_permits(const struct cpu *c, u32 addr, u32 bytes, u32 aligned_to, u8 right)
{
	return (c->cut && page_permits(c, CUT, addr, bytes, aligned_to, right)) || page_permits(c, FAST, addr, bytes, aligned_to, right);
}

static bool plain_open(struct cpu *c, u32 addr, unsigned bytes, unsigned acc, u8 right)
{
	return !(acc & ACC_UNPRIV) && (plain_permits(c, addr, bytes, bytes, right) || access_direct(c, addr, bytes, acc, right));
}

bool plain_load(struct cpu *c, u32 addr, unsigned bytes, unsigned acc, u32 *out)
{
	if (!plain_open(c, addr, bytes, acc, PAGE_READ))
		return false;
	tell_access(c, GRANULES, addr, bytes, 1, NULL);
	*out = memory_word(c->mem + addr, bytes);
	return true;
}

bool plain_store(struct cpu *c, u32 addr, unsigned bytes, unsigned acc, u32 value)
{
	if (!plain_open(c, addr, bytes, acc, PAGE_WRITE))
		return false;
	tell_access(c, GRANULES, addr, bytes, 1, &value);
	if (bytes == 4)
		memcpy(c->mem + addr, &value, 4);
	else
		memcpy(c->mem + addr, &value, bytes);
	return true;
}
