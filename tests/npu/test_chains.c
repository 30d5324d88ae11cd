/* SPDX-License-Identifier: Apache-2.0 */
/* Single taps onto the accumulators of the one before, as compilers cut kernels with large strides on U85, with copies of their weights in between, in jobs that
 * are run again where nobody looks before they end: they are done at once. Whatever sizes, padding and layouts, whatever stands between them, starts them, stores
 * their results or goes on from their accumulators, memory, cycles, events, registers and what a listener is told are those of a fresh NPU. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"
#include "tests/npu/rig.h"

enum { PROGRAMS = 400, JOBS = 5, MOST_WORDS = 2300, MAPS = 0x9000, RESULTS = 0x9000, STREAMS = 0xb000, CONSTANT_STREAMS = RIG_STREAM + 0x2400, END = RIG_BYTES };
enum { GLOBAL = 1 << 8, TO_WORDS = 2 << 1, BRICKS = 1 << 6, NO_CLIP = 1 << 12, TABLE_OF_BYTES = 4, INTERNAL = 1 << 8, MICROBLOCK = 3 << 8, RECORD = 10, WEIGHTS = 0xe00 };
enum { RESET = 0, GOES_ON = 1, WIDE = 1, KEPT = 1 << 6 };

struct program {
	struct rig rig;
	struct rng *random;
	u32 h, w, d, inputs;
	bool bricks, tables; /* results go through tables */
	bool loud;           /* elements and weights are large, all of one sign */
	u32 wide;            /* accumulators are */
	u32 x, y; /* strides of pixels and rows */
};

static u32 below(struct program *p, u32 n)
{
	return rng_below(p->random, n);
}

static bool once_in(struct program *p, u32 n)
{
	return rng_one_in(p->random, n);
}

static u8 any_byte(struct program *p)
{
	return (u8)(p->loud ? 0x60 + below(p, 32) : rng_next(p->random));
}

static void c0(struct program *p, unsigned command, u32 value)
{
	rig_c0(&p->rig, (enum npu_command)command, value);
}

static void c1(struct program *p, unsigned command, u64 value)
{
	rig_c1(&p->rig, (enum npu_command)command, value);
}

/* Weights in the fast format: any byte with a remainder of 16 may be the first one of a header of 32, and plain weights follow. Constants of channels:
 * any that is a multiple of 2 bytes further, as scales are small and shifts are not. */
static void random_streams(struct program *p, u32 from, u32 end)
{
	for (u32 i = from; i < end; i++)
		p->rig.memory[i] = i % 16 == 0 ? 1 : i % 16 == 13 ? 0 : any_byte(p);
}

static void random_records(struct program *p, u32 at, u32 channels)
{
	const unsigned quiet = p->loud ? 1 : 3;
	const u32 least = once_in(p, 4) ? 28 + below(p, 12) : 38;

	for (u8 *record = p->rig.memory + at, *end = record + (size_t)channels * RECORD; record < end; record += RECORD) {
		const bool negative = rng_below(p->random, 2);
		for (unsigned i = 0; i < RECORD; i++)
			record[i] = i >= quiet && i < 6 ? (negative ? 0xff : 0) : (u8)rng_next(p->random);
		record[7] = (u8)(64 + below(p, 64));
		record[8] = (u8)(once_in(p, 9) ? below(p, 64) : least + below(p, 6));
		if (once_in(p, 200)) { /* sums of more than 32 bits */
			record[3] ^= 0x7f;
			record[2] ^= 0xff;
		}
	}
}

static void copy(struct program *p, u32 from, u32 to, u32 bytes)
{
	c1(p, NPU_CMD_DMA0_SRC, from);
	c1(p, NPU_CMD_DMA0_DST, to);
	c1(p, NPU_CMD_DMA0_LEN, bytes);
	c0(p, NPU_CMD_DMA_START, 0);
}

static void sizes(struct program *p)
{
	static const u32 inputs[] = { 1, 1, 2, 3, 3, 4, 5, 16 };

	p->h = once_in(p, 2) ? 1 : 1 + below(p, 5);
	p->w = once_in(p, 3) ? 1 + below(p, 90) : 1 + below(p, 24);
	p->d = once_in(p, 2) ? 16 : 1 + below(p, 40);
	p->inputs = inputs[below(p, 8)];
	p->bricks = once_in(p, 3);
	p->x = (p->bricks ? 16 : p->inputs) * (once_in(p, 4) ? 1 : 1 + below(p, 8));
	p->y = p->x * (p->w + below(p, 4));
	if (p->h * p->y > MAPS / 2 && !once_in(p, 30)) { /* now and then not all of it is memory */
		sizes(p);
		return;
	}
	c0(p, NPU_CMD_IFM_PRECISION, below(p, 2) | (p->bricks ? BRICKS : 0));
	c0(p, NPU_CMD_IFM_DEPTH_M1, p->inputs - 1);
	c0(p, NPU_CMD_IFM_ZERO_POINT, once_in(p, 2) ? 0 : below(p, 100));
	c0(p, NPU_CMD_OFM_HEIGHT_M1, p->h - 1);
	c0(p, NPU_CMD_OFM_WIDTH_M1, p->w - 1);
	c0(p, NPU_CMD_OFM_DEPTH_M1, p->d - 1);
	c1(p, NPU_CMD_IFM_STRIDE_X, p->x);
	c1(p, NPU_CMD_IFM_STRIDE_Y, p->y);
	c1(p, NPU_CMD_IFM_STRIDE_C, 16);
	c0(p, NPU_CMD_KERNEL_STRIDE, once_in(p, 4) ? below(p, 4) : 0);
}

/* Where results go, and as what. */
static void results(struct program *p)
{
	const bool bricks = once_in(p, 3), words = once_in(p, 12);
	const u32 bytes = words ? 4 : 1, channels = (p->d + 15) / 16 * 16;

	c0(p, NPU_CMD_OFM_PRECISION, (words ? TO_WORDS : 0) | 1 | (bricks ? BRICKS : 0) | (once_in(p, 6) ? GLOBAL : 0) | (once_in(p, 20) ? 1 << 11 : 0));
	c1(p, NPU_CMD_OFM_BASE0, once_in(p, 9) ? below(p, MAPS) / 16 * 16 : RESULTS);
	c1(p, NPU_CMD_OFM_STRIDE_X, bytes * (bricks ? 16 : p->d));
	c1(p, NPU_CMD_OFM_STRIDE_Y, bytes * p->w * (bricks ? channels : p->d));
	c1(p, NPU_CMD_OFM_STRIDE_C, bytes * 16 * p->w);
	c1(p, NPU_CMD_OFM_SCALE, UINT64_C(1) << 45 | UINT64_C(40) << 32 | (1 << 30));
	c0(p, NPU_CMD_OFM_ZERO_POINT, once_in(p, 2) ? 0 : below(p, 50));
	c0(p, NPU_CMD_ACTIVATION, p->tables && once_in(p, 4) ? TABLE_OF_BYTES : words ? NO_CLIP : 0);
	c0(p, NPU_CMD_ACTIVATION_MIN, once_in(p, 2) ? 0xff80 : 0xffe0);
	c0(p, NPU_CMD_ACTIVATION_MAX, once_in(p, 2) ? 0x7f : 0x40);
}

static void padding(struct program *p)
{
	c0(p, NPU_CMD_IFM_PAD_TOP, once_in(p, 3) ? below(p, p->h) : 0);
	c0(p, NPU_CMD_IFM_PAD_LEFT, once_in(p, 3) ? below(p, p->w) : 0);
	c0(p, NPU_CMD_IFM_PAD_RIGHT, once_in(p, 4) ? below(p, p->w) : 0);
	c0(p, NPU_CMD_IFM_PAD_BOTTOM, once_in(p, 4) ? below(p, p->h) : 0);
}

/* Streams among constants, or copied from there. */
static void weights(struct program *p)
{
	const u32 from = CONSTANT_STREAMS + 16 * below(p, 64);
	u32 at = from;

	if (once_in(p, 3)) {
		at = STREAMS + 16 * below(p, 16);
		copy(p, from, at, WEIGHTS);
	}
	c1(p, NPU_CMD_WEIGHT_BASE, at);
	c1(p, NPU_CMD_WEIGHT_LENGTH, WEIGHTS);
}

static void tap(struct program *p, u32 input, u32 accumulators)
{
	weights(p);
	if (once_in(p, 2))
		padding(p);
	c1(p, NPU_CMD_IFM_BASE0, input);
	c0(p, NPU85_CMD_ACC_FORMAT, MICROBLOCK | p->wide | accumulators);
	c0(p, NPU_CMD_CONV, 0);
}

static void table(struct program *p)
{
	c0(p, NPU85_CMD_DMA0_DST_REGION, INTERNAL);
	copy(p, below(p, MAPS), 0, 256);
	c0(p, NPU85_CMD_DMA0_DST_REGION, 0);
}

/* What a chain need not survive, behind a tap of `input`. */
static void disturb(struct program *p, u32 input)
{
	switch (below(p, 8)) {
	case 0:
		copy(p, below(p, MAPS), once_in(p, 3) ? below(p, MAPS) : input, 1 + below(p, 300));
		break;
	case 1:
		c0(p, NPU_CMD_IFM_ZERO_POINT, below(p, 9));
		break;
	case 2:
		c0(p, NPU_CMD_OFM_DEPTH_M1, p->d / 2);
		break;
	case 3:
		table(p);
		break;
	case 4:
		c0(p, NPU_CMD_IFM_PRECISION, below(p, 2) | (p->bricks ? BRICKS : 0));
		break;
	case 5:
		c0(p, NPU_CMD_KERNEL_WIDTH_M1, below(p, 2));
		break;
	case 6:
		tap(p, below(p, MAPS / 4), RESET | (once_in(p, 2) ? WIDE : 0) | KEPT);
		break;
	default:
		tap(p, below(p, MAPS / 4), GOES_ON << 4 | (once_in(p, 2) ? WIDE : 0) | (once_in(p, 2) ? KEPT : 0));
		break;
	}
}

static void chain(struct program *p)
{
	const u32 taps = 2 + below(p, once_in(p, 3) ? 60 : 12), step = once_in(p, 4) ? below(p, 40) : p->inputs, down = 2 + below(p, 8);
	u32 input = below(p, MAPS / 8);

	for (u32 i = 0; i < taps && p->rig.words < MOST_WORDS; i++) {
		const bool last = i == taps - 1;
		tap(p, input, (i || once_in(p, 9) ? GOES_ON << 4 : RESET) | (last && !once_in(p, 9) ? 0 : KEPT));
		if (once_in(p, 25))
			disturb(p, input);
		input += i % down == down - 1 ? p->y / 4 : step;
	}
	if (once_in(p, 2)) /* what accumulators are left */
		tap(p, input, GOES_ON << 4);
}

static void write_program(struct program *p)
{
	rig_one_tile(&p->rig);
	c0(p, NPU85_CMD_WEIGHT_FORMAT, 1);
	c1(p, NPU_CMD_SCALE_BASE, END - 40 * RECORD);
	c1(p, NPU_CMD_SCALE_LENGTH, 40 * RECORD);
	p->tables = once_in(p, 2);
	if (p->tables)
		table(p); /* a fresh NPU has another one */
	for (unsigned i = 1 + below(p, 5); i--;) {
		sizes(p);
		results(p);
		padding(p);
		p->wide = once_in(p, 12) ? WIDE : 0;
		c0(p, NPU_CMD_KERNEL_WIDTH_M1, 0);
		chain(p);
	}
	rig_stop(&p->rig);
}

/* JOBS of one program, each on other data. */
static void run_program(struct program *p, const char *accelerator, unsigned number)
{
	char text[64];

	for (unsigned job = 0; job < JOBS; job++) {
		for (u32 i = 0; i < RIG_STREAM; i++)
			p->rig.memory[i] = any_byte(p);
		random_streams(p, STREAMS, RIG_STREAM);
		snprintf(text, sizeof text, "program %u, job %u", number, job);
		rig_start_beside_fresh(&p->rig, accelerator, text);
	}
}

Test(npu_chains, taps)
{
	static const char *const accelerators[] = { "ethos-u85-256", "ethos-u85-512" };
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng random = { 8547 };

	for (unsigned i = 0; i < PROGRAMS; i++) {
		static struct program p;

		p.random = &random;
		rig_open_alone(&p.rig, accelerators[i % 2], i % 5 ? RIG_BYTES - RIG_STREAM : 0, level[i / 2 % levels]->name);
		p.loud = rng_one_in(&random, 4);
		random_streams(&p, CONSTANT_STREAMS, END);
		random_records(&p, END - 40 * RECORD, 40);
		write_program(&p);
		run_program(&p, accelerators[i % 2], i);
		rig_close(&p.rig);
	}
}
