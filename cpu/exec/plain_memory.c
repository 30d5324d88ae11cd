/* SPDX-License-Identifier: Apache-2.0 */
/* What plain functions do in memory, predicated loads and stores of vectors among them: once for all of them and all sizes. Optimised as
 * the rest of the simulator, which plain functions are not. Arrays of elements and lanes are little-endian, as the host's own are. */
#include "cpu/exec/mve_interleave.h"
#include "cpu/exec/mve_memory.h"

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

static void put_element(void *to, unsigned i, unsigned bytes, u32 v)
{
	u8 *at = (u8 *)to + i * bytes;

	if (bytes == 1)
		memcpy(at, &v, 1);
	else if (bytes == 2)
		memcpy(at, &v, 2);
	else
		memcpy(at, &v, 4);
}

bool plain_store(struct cpu *c, u32 addr, unsigned bytes, unsigned acc, u32 value)
{
	if (!plain_open(c, addr, bytes, acc, PAGE_WRITE))
		return false;
	tell_access(c, GRANULES, addr, bytes, 1, &value);
	put_element(c->mem + addr, 0, bytes, value);
	return true;
}

/* All of it may be accessed at once, and nobody asks for each element. */
static bool simply_open(const struct cpu *c, const enum path path, u32 addr, u32 bytes, u32 aligned_to, u8 right)
{
	return path != SLOW && !c->observed && page_permits(c, FAST, addr, bytes, aligned_to, right);
}

/* One element by a path that only this file knows when it runs. */
static bool load_one(struct cpu *c, const enum path path, u32 addr, unsigned bytes, u32 *v)
{
	if (simply_open(c, path, addr, bytes, bytes, PAGE_READ)) {
		*v = memory_word(c->mem + addr, bytes);
		return true;
	}
	return path == SLOW ? mve_load_one(c, SLOW, addr, bytes, v) : mve_load_one(c, GRANULES, addr, bytes, v);
}

static bool may_store(struct cpu *c, const enum path path, u32 addr, unsigned bytes)
{
	return path == SLOW || simply_open(c, path, addr, bytes, bytes, PAGE_WRITE) || mve_may_store(c, GRANULES, addr, bytes);
}

static bool lane_on(u32 mask, unsigned lane, unsigned bytes) { return mask >> (lane * bytes) & 1; }

static u32 element(const void *from, unsigned i, unsigned bytes) { return memory_word((const u8 *)from + i * bytes, bytes); }

/* Lanes that are one access when the memory is open to all of them: all that are there; predicated loads too, unless somebody wants to
 * know which bytes are read. */
static bool one_access(const struct cpu *c, u32 mask) { return mask == 0xffff || !c->observed; }

static bool store_one(struct cpu *c, const enum path path, u32 addr, unsigned bytes, u32 v)
{
	if (simply_open(c, path, addr, bytes, bytes, PAGE_WRITE)) {
		put_element(c->mem + addr, 0, bytes, v);
		return true;
	}
	return path == SLOW ? mve_store_one(c, SLOW, addr, bytes, v) : mve_store_one(c, GRANULES, addr, bytes, v);
}

/* `bytes` of memory: the sizes that contiguous accesses have. */
static void copy(void *to, const void *from, u32 bytes)
{
	if (bytes == 16)
		memcpy(to, from, 16);
	else if (bytes == 8)
		memcpy(to, from, 8);
	else
		memcpy(to, from, 4);
}

bool mve_load_some(struct cpu *c, const enum path path, u32 addr, unsigned bytes, unsigned lanes, u32 mask, void *raw)
{
	const unsigned lane_bytes = 16 / lanes;

	if (simply_open(c, path, addr, lanes * bytes, bytes, PAGE_READ)) {
		copy(raw, c->mem + addr, lanes * bytes);
		return true;
	}
	if (path != SLOW && one_access(c, mask) &&
	    (page_open(c, GRANULES, addr, lanes * bytes, bytes, PAGE_READ) || access_lanes(c, addr, bytes, lanes, mask))) {
		tell_access(c, GRANULES, addr, bytes, lanes, NULL);
		copy(raw, c->mem + addr, lanes * bytes);
		return true;
	}
	for (unsigned i = 0; i < lanes; i++) {
		u32 v = 0;
		if (lane_on(mask, i, lane_bytes) && !load_one(c, path, addr + i * bytes, bytes, &v))
			return false;
		put_element(raw, i, bytes, v);
	}
	return true;
}

bool mve_store_some(struct cpu *c, const enum path path, u32 addr, unsigned bytes, unsigned lanes, u32 mask, const void *raw)
{
	const unsigned lane_bytes = 16 / lanes;

	if (path != SLOW && mask == 0xffff && page_open(c, GRANULES, addr, lanes * bytes, bytes, PAGE_WRITE)) {
		tell_access(c, GRANULES, addr, bytes, lanes, raw);
		copy(c->mem + addr, raw, lanes * bytes);
		return true;
	}
	const bool open = simply_open(c, path, addr, lanes * bytes, bytes, PAGE_WRITE);
	for (unsigned i = 0; i < lanes && !open; i++)
		if (lane_on(mask, i, lane_bytes) && !may_store(c, path, addr + i * bytes, bytes))
			return false;
	for (unsigned i = 0; i < lanes; i++)
		if (lane_on(mask, i, lane_bytes) && !store_one(c, path, addr + i * bytes, bytes, element(raw, i, bytes)))
			return false;
	return true;
}

bool mve_gather_some(struct cpu *c, const enum path path, union vec *q, u32 base, const union vec *offsets, struct lanes_access how)
{
	union vec r;

	for (unsigned i = 0; i < 16u / how.lane_bytes; i++) {
		u32 v = 0;
		if (lane_on(how.mask, i, how.lane_bytes) &&
		    !load_one(c, path, base + (element(offsets, i, how.lane_bytes) << how.shift), how.bytes, &v))
			return false;
		if (how.extends_sign)
			v = how.bytes == 1 ? (u32)(i8)v : (u32)(i16)v;
		put_element(&r, i, how.lane_bytes, v);
	}
	mve_end_load(c, q, &r, how.lane_bytes, how.mask);
	return true;
}

bool mve_scatter_some(struct cpu *c, const enum path path, const union vec *q, u32 base, const union vec *offsets, struct lanes_access how)
{
	for (unsigned i = 0; i < 16u / how.lane_bytes; i++)
		if (lane_on(how.mask, i, how.lane_bytes) &&
		    !may_store(c, path, base + (element(offsets, i, how.lane_bytes) << how.shift), how.bytes))
			return false;
	for (unsigned i = 0; i < 16u / how.lane_bytes; i++)
		if (lane_on(how.mask, i, how.lane_bytes) &&
		    !store_one(c, path, base + (element(offsets, i, how.lane_bytes) << how.shift), how.bytes, element(q, i, how.lane_bytes)))
			return false;
	mve_advance(c);
	return true;
}

bool mve_gather_some_words(const struct slot *s, struct cpu *c, const enum path path, bool wide, bool has_base)
{
	return path == SLOW ? mve_gather_words(s, c, SLOW, true, wide, has_base) : mve_gather_words(s, c, GRANULES, true, wide, has_base);
}

bool mve_scatter_some_words(const struct slot *s, struct cpu *c, const enum path path, bool wide, bool has_base)
{
	return path == SLOW ? mve_scatter_words(s, c, SLOW, true, wide, has_base) : mve_scatter_words(s, c, GRANULES, true, wide, has_base);
}

bool mve_interleave_some(const struct slot *s, struct cpu *c, const enum path path, unsigned log_n, unsigned log_bytes, bool is_store)
{
	return path == SLOW ? mve_interleave(s, c, SLOW, true, log_n, log_bytes, is_store) :
			      mve_interleave(s, c, GRANULES, true, log_n, log_bytes, is_store);
}
