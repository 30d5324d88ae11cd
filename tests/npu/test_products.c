/* SPDX-License-Identifier: Apache-2.0 */
/* Products of bytes and the sums of their maps, as compilers make matrix products of them, in jobs that are run again where nobody looks
 * before they end: maps that need not be made are there when they are read, when their inputs change, and at the end. Where the stream
 * cannot change operations are done one after the other without looking at it; registers, events and cycles are as if it were read. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"
#include "tests/npu/rig.h"

enum { PROGRAMS = 600, JOBS = 7, ROWS = 2, COLUMNS = 20, DEPTH = 100, COMMANDS = 256, LONG = 90 };
/* in memory */
enum { FIRST = 0, SECOND = 0x1000, MAP = 0x2000, OTHER_MAP = 0x6000, OUT = 0xa000, SIGNED8 = 1, SIGNED32 = 1 | 2 << 1, GLOBAL = 1 << 8 };

struct program {
	struct rig rig;
	struct rng *random;
	u32 h, w, d;
	u64 set[2][COMMANDS]; /* what command registers of either kind were set to, and one more; 0: not yet */
};

/* Long products leave no room for words that change nothing. */
static bool changes(struct program *p, bool wide, enum npu_command command, u64 value)
{
	u64 *const set = &p->set[wide][command % COMMANDS];
	const bool other = *set != value + 1;

	*set = value + 1;
	return other;
}

static void c0(struct program *p, enum npu_command command, u32 value)
{
	if (changes(p, false, command, value))
		rig_c0(&p->rig, command, value);
}

static void c1(struct program *p, enum npu_command command, u64 value)
{
	if (changes(p, true, command, value))
		rig_c1(&p->rig, command, value);
}

static void input(struct program *p, u32 at, u32 w, u32 d, u32 bytes)
{
	c1(p, NPU_CMD_IFM_BASE0, at);
	c1(p, NPU_CMD_IFM_STRIDE_X, d * bytes);
	c1(p, NPU_CMD_IFM_STRIDE_Y, w * d * bytes);
	c0(p, NPU_CMD_IFM_DEPTH_M1, d - 1);
}

static void output(struct program *p, u32 at, u32 h, u32 w, u32 d, u32 x, u32 precision)
{
	c1(p, NPU_CMD_OFM_BASE0, at);
	c1(p, NPU_CMD_OFM_STRIDE_X, x);
	c1(p, NPU_CMD_OFM_STRIDE_Y, w * x);
	c0(p, NPU_CMD_OFM_HEIGHT_M1, h - 1);
	c0(p, NPU_CMD_OFM_WIDTH_M1, w - 1);
	c0(p, NPU_CMD_OFM_DEPTH_M1, d - 1);
	c0(p, NPU_CMD_OFM_PRECISION, precision | GLOBAL);
}

/* Sizes of tiles that are never left, and all that stays the same. */
static void begin(struct program *p)
{
	rig_one_tile(&p->rig);
	c0(p, NPU_CMD_ACTIVATION_MIN, 0xff80);
	c0(p, NPU_CMD_ACTIVATION_MAX, 0x7f);
	c1(p, NPU_CMD_OPA_SCALE, 1);
	c1(p, NPU_CMD_OPB_SCALE, 1);
}

struct operands {
	u32 is_signed, zero, second, zero2, broadcast, map, step; /* bytes between the map's pixels */
};

static struct operands random_operands(struct program *p, u32 map)
{
	struct operands o = { .is_signed = rng_below(p->random, 4) != 0, .map = map };

	o.zero = o.is_signed ? rng_below(p->random, 2) * 0xff80 : 3;
	o.second = SECOND + rng_below(p->random, 8) * p->d;
	o.zero2 = rng_one_in(p->random, 4) ? 7 : 0;
	o.broadcast = 2 | rng_one_in(p->random, 3);
	o.step = p->d * 4 + 4 * rng_one_in(p->random, 9);
	return o;
}

static void product(struct program *p, const struct operands *o)
{
	const u32 d = p->d;

	input(p, FIRST, p->w, d, 1);
	c0(p, NPU_CMD_IFM_PRECISION, o->is_signed);
	c0(p, NPU_CMD_IFM_ZERO_POINT, o->zero);
	c1(p, NPU_CMD_IFM2_BASE0, o->second);
	c1(p, NPU_CMD_IFM2_STRIDE_X, d);
	c1(p, NPU_CMD_IFM2_STRIDE_Y, d);
	c0(p, NPU_CMD_IFM2_PRECISION, o->is_signed);
	c0(p, NPU_CMD_IFM2_ZERO_POINT, o->zero2);
	c0(p, NPU_CMD_IFM2_BROADCAST, o->broadcast);
	c1(p, NPU_CMD_OFM_SCALE, 1);
	output(p, o->map, p->h, p->w, d, o->step, SIGNED32);
	c0(p, NPU_CMD_OFM_ZERO_POINT, 0);
	rig_c0(&p->rig, NPU_CMD_ELEMENTWISE, NPU_EW_MUL);
}

struct results {
	u32 at, step, precision, zero;
	u64 scale;
};

static struct results random_results(struct program *p)
{
	static const u32 to[] = { FIRST, SECOND, MAP, OTHER_MAP };
	const bool apart = rng_below(p->random, 3);
	const u32 map = apart ? OUT : to[rng_below(p->random, 4)], at = map + rng_below(p->random, apart ? 16 : 64);
	const bool bytes = rng_below(p->random, 3);
	const u64 shift = 31 + rng_below(p->random, 9);
	struct results r = { .at = bytes ? at : at & ~15u, .precision = bytes ? SIGNED8 : SIGNED32 };

	r.step = bytes ? 1 + 15 * rng_below(p->random, 2) : 4;
	r.zero = rng_below(p->random, 2) * 9;
	r.scale = shift << 32 | (0x40000000 + rng_below(p->random, 0x3fffffff));
	return r;
}

static void sum(struct program *p, u32 map, const struct results *r)
{
	input(p, map, p->w, p->d, 4);
	c0(p, NPU_CMD_IFM_PRECISION, 1 | 2 << 2);
	c0(p, NPU_CMD_IFM_ZERO_POINT, 0);
	c1(p, NPU_CMD_OFM_SCALE, r->scale);
	output(p, r->at, p->h, p->w, 1, r->step, r->precision);
	c0(p, NPU_CMD_OFM_ZERO_POINT, r->zero);
	rig_c0(&p->rig, NPU_CMD_POOL, NPU_POOL_REDUCE_SUM);
}

/* Neighbouring columns of a matrix product; now and then one that is another's, or lies where it should not. */
static void matrix(struct program *p)
{
	struct operands o = random_operands(p, MAP);
	struct results r = random_results(p);
	const bool many = p->h * p->w <= 16 && rng_below(p->random, 2);
	const u32 bytes = r.precision == SIGNED32 ? 4 : 1, columns = 1 + rng_below(p->random, many ? LONG : 36), rare = many ? 200 : 40;

	r.step = rng_below(p->random, 5) ? bytes * (columns + rng_below(p->random, 4)) : r.step;
	o.zero2 = rng_below(p->random, 2) ? 0 : o.zero2;
	o.second = rng_below(p->random, 3) ? SECOND : o.second;
	for (u32 i = 0; i < columns; i++, r.at += bytes) {
		struct results odd = random_results(p);
		struct operands other = random_operands(p, MAP);
		const u32 at = odd.at & ~3u, kind = rng_below(p->random, 4);
		if (kind == 0) { /* only its place */
			odd = r;
			odd.at = at;
		} else if (kind < 3) { /* all but its place */
			odd.at = r.at & ~(odd.precision == SIGNED32 ? 3u : 0);
			odd.step = r.step;
		}
		other.second = o.second;
		o.map = rng_one_in(p->random, rare) ? OTHER_MAP : MAP;
		product(p, rng_one_in(p->random, rare) ? &other : &o);
		sum(p, o.map, rng_one_in(p->random, rare) ? &odd : &r);
		o.second = SECOND + (i + 1) % 32 * p->d;
	}
}

/* One of the maps. */
static u32 place(struct program *p)
{
	static const u32 places[] = { FIRST, SECOND, MAP, OTHER_MAP, OUT };

	return places[rng_below(p->random, 5)];
}

static void copy(struct program *p)
{
	const u32 from = place(p), to = place(p);

	c1(p, NPU_CMD_DMA0_SRC, from + rng_below(p->random, 64));
	c1(p, NPU_CMD_DMA0_DST, to + rng_below(p->random, 64));
	c1(p, NPU_CMD_DMA0_LEN, 1 + rng_below(p->random, 200));
	rig_c0(&p->rig, NPU_CMD_DMA_START, 0);
	rig_c0(&p->rig, NPU_CMD_DMA_WAIT, 0);
}

/* A copy of a few bytes by a sum with nothing. */
static void other(struct program *p)
{
	const u32 from = place(p), to = place(p);

	input(p, from + rng_below(p->random, 64), 1, 32, 1);
	c0(p, NPU_CMD_IFM_PRECISION, SIGNED8);
	c0(p, NPU_CMD_IFM_ZERO_POINT, 0);
	c0(p, NPU_CMD_IFM2_PRECISION, SIGNED8);
	c0(p, NPU_CMD_IFM2_BROADCAST, 1 << 7);
	c0(p, NPU_CMD_IFM2_SCALAR, 1);
	c1(p, NPU_CMD_OFM_SCALE, 1);
	output(p, to + rng_below(p->random, 64), 1, 1, 32, 32, SIGNED8);
	rig_c0(&p->rig, NPU_CMD_ELEMENTWISE, NPU_EW_ADD);
}

static void write_program(struct program *p)
{
	static const u32 depths[] = { 8, 16, 20, 32, 33, 50, 64, DEPTH };
	u32 map = MAP;

	p->h = 1 + rng_below(p->random, ROWS);
	p->w = 1 + rng_below(p->random, rng_one_in(p->random, 3) ? 3 : COLUMNS);
	p->d = depths[rng_below(p->random, 8)];
	begin(p);
	if (rng_one_in(p->random, 2))
		matrix(p);
	for (unsigned i = 2 + rng_below(p->random, 10); i--;) {
		map = rng_one_in(p->random, 6) ? OTHER_MAP : MAP;
		const struct operands o = random_operands(p, map);
		const struct results r = random_results(p);
		if (rng_below(p->random, 8))
			product(p, &o);
		if (rng_below(p->random, 6))
			sum(p, rng_one_in(p->random, 8) ? OTHER_MAP : map, &r);
		if (rng_one_in(p->random, 4))
			other(p);
		if (rng_one_in(p->random, 4))
			copy(p);
	}
	if (rng_below(p->random, 8))
		rig_stop(&p->rig); /* else the stream just ends */
}

static void change_word(struct rig *r)
{
	u32 word;

	for (u32 i = r->words / 2; i < r->words; i++) {
		memcpy(&word, r->memory + RIG_STREAM + 4 * i, 4);
		if ((word & NPU_CMD_MASK) != NPU_CMD_IFM_ZERO_POINT)
			continue;
		word = NPU_CMD_IFM_ZERO_POINT | 1u << 16;
		memcpy(r->memory + RIG_STREAM + 4 * i, &word, 4);
		return;
	}
}

/* JOBS of one program, each on other data; the stream changes before the last one, if it can. */
static void run_program(struct program *p, unsigned number)
{
	char text[64];

	for (unsigned job = 0; job < JOBS; job++) {
		for (u32 i = 0; i < OUT; i++)
			p->rig.memory[i] = (u8)rng_next(p->random);
		if (job == JOBS - 1 && !p->rig.constant)
			change_word(&p->rig);
		snprintf(text, sizeof text, "program %u, job %u", number, job);
		rig_start_beside_fresh(&p->rig, "ethos-u55-128", text);
	}
}

Test(npu_products, maps_that_need_not_be_made)
{
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng random = { 4711 };

	for (unsigned i = 0; i < PROGRAMS; i++) {
		static struct program p;

		p.random = &random;
		rig_open_alone(&p.rig, "ethos-u55-128", i % 2 ? RIG_BYTES - RIG_STREAM : 0, level[i / 2 % levels]->name);
		memset(p.set, 0, sizeof p.set);
		write_program(&p);
		run_program(&p, i);
		rig_close(&p.rig);
	}
}
