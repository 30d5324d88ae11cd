/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of constants, as compilers make them of weights, in jobs that are run again where nobody looks before they end: those that nothing reads before
 * they are written over need not be made. Whatever reads them, writes over parts of them, or ends the job too early, memory is that of a fresh NPU, as are cycles,
 * events, registers and what a listener is told. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"
#include "tests/npu/rig.h"

enum { PROGRAMS = 500, JOBS = 8, KNOWN = 3, MOST_WORDS = 2500, GLOBAL = 1 << 8, INTERNAL = 1 << 8, TABLE_OF_BYTES = 16 };
/* Streams of weights: 16 channels of 32 inputs, which take 8 bits each behind 36 of a header; among constants and elsewhere. */
enum { HEADER = 5, WEIGHTS = 528, RECORD = 10, SCALES = 16 * RECORD, CONSTANT_WEIGHTS = RIG_STREAM + 0x3000, WEIGHTS_OF_A_JOB = 0xb000 };

struct program {
	struct rig rig;
	struct rng *random;
	u32 tables; /* where they lie in internal memory */
};

static u32 below(struct program *p, u32 n)
{
	return rng_below(p->random, n);
}

static bool once_in(struct program *p, u32 n)
{
	return rng_one_in(p->random, n);
}

static void begin(struct program *p)
{
	rig_one_tile(&p->rig);
	rig_c0(&p->rig, NPU_CMD_IFM_PRECISION, 1);
	rig_c1(&p->rig, NPU_CMD_OFM_SCALE, 1);
	rig_c0(&p->rig, NPU_CMD_ACTIVATION_MIN, 0xff80);
	rig_c0(&p->rig, NPU_CMD_ACTIVATION_MAX, 0x7f);
}

/* Few places, so that copies meet. */
static u32 place(struct program *p)
{
	const u32 page = below(p, 10) * 0x1000;

	return page + (once_in(p, 3) ? 16 * below(p, 64) : 0);
}

static void random_weights(struct program *p, u32 at)
{
	const u64 header = 6 | 511 << 3 | 7 << 18 | 1 << 22 | UINT64_C(6) << 33; /* no runs, so many, uncompressed, a palette of its own, without entries */

	for (u32 i = 0; i < WEIGHTS + SCALES; i++)
		p->rig.memory[at + i] = i < HEADER ? (u8)(header >> 8 * i) : (u8)rng_next(p->random);
	p->rig.memory[at + HEADER - 1] &= 15;
	for (u8 *record = p->rig.memory + at + WEIGHTS, *end = record + SCALES; record < end; record += RECORD) {
		record[3] = record[4] = 0; /* of the bias */
		record[8] = (u8)(64 + below(p, 64)); /* of the scale */
		record[9] = (u8)(35 + below(p, 6));
	}
}

static void copy(struct program *p, u32 from, u32 to, u32 bytes, u32 region)
{
	rig_c0(&p->rig, NPU_CMD_DMA0_DST_REGION, region);
	rig_c1(&p->rig, NPU_CMD_DMA0_SRC, from);
	rig_c1(&p->rig, NPU_CMD_DMA0_DST, to);
	rig_c1(&p->rig, NPU_CMD_DMA0_LEN, bytes);
	rig_c0(&p->rig, NPU_CMD_DMA_START, 0);
}

static void copy_constants(struct program *p)
{
	const u32 bytes = 16 * (1 + below(p, once_in(p, 4) ? 200 : 40)), from = RIG_STREAM + 16 * below(p, 200);

	copy(p, from, place(p), bytes, 0);
}

/* The one value of OFM_PRECISION and the stride of pixels decide whether the map is full. */
static void pool(struct program *p, u32 mode)
{
	const u32 h = 1 + below(p, 3), w = 1 + below(p, 24), d = once_in(p, 3) ? 16 : 1 + below(p, 40), gap = once_in(p, 5);

	rig_c0(&p->rig, NPU_CMD_OFM_PRECISION, 1 | GLOBAL);
	rig_c0(&p->rig, NPU_CMD_OFM_HEIGHT_M1, h - 1);
	rig_c0(&p->rig, NPU_CMD_OFM_WIDTH_M1, w - 1);
	rig_c0(&p->rig, NPU_CMD_OFM_DEPTH_M1, d - 1);
	rig_c0(&p->rig, NPU_CMD_IFM_DEPTH_M1, d - 1);
	rig_c1(&p->rig, NPU_CMD_IFM_STRIDE_X, d);
	rig_c1(&p->rig, NPU_CMD_IFM_STRIDE_Y, d * w);
	rig_c1(&p->rig, NPU_CMD_OFM_STRIDE_X, d + gap);
	rig_c1(&p->rig, NPU_CMD_OFM_STRIDE_Y, (d + gap) * w);
	rig_c1(&p->rig, NPU_CMD_IFM_BASE0, place(p));
	rig_c1(&p->rig, NPU_CMD_OFM_BASE0, once_in(p, 300) ? 0x1000000 /* not memory */ : place(p));
	rig_c0(&p->rig, NPU_CMD_ACTIVATION, once_in(p, 9) ? TABLE_OF_BYTES : 0); /* a table that other jobs' operations have changed */
	rig_c0(&p->rig, NPU_CMD_POOL, mode);
}

/* By a window. */
static void large_pool(struct program *p)
{
	rig_c0(&p->rig, NPU_CMD_KERNEL_WIDTH_M1, 1);
	pool(p, NPU_POOL_MAX);
	rig_c0(&p->rig, NPU_CMD_KERNEL_WIDTH_M1, 0);
}

static void convolution(struct program *p, u32 weights)
{
	const u32 w = 1 + below(p, 24), to = place(p), from = (to + 0x2000 + 0x1000 * below(p, 6)) % 0xa000;

	rig_c0(&p->rig, NPU_CMD_OFM_PRECISION, 1);
	rig_c0(&p->rig, NPU_CMD_OFM_HEIGHT_M1, 0);
	rig_c0(&p->rig, NPU_CMD_OFM_WIDTH_M1, w - 1);
	rig_c0(&p->rig, NPU_CMD_OFM_DEPTH_M1, 15);
	rig_c0(&p->rig, NPU_CMD_IFM_DEPTH_M1, 31);
	rig_c1(&p->rig, NPU_CMD_IFM_STRIDE_X, 32);
	rig_c1(&p->rig, NPU_CMD_OFM_STRIDE_X, 16);
	rig_c1(&p->rig, NPU_CMD_IFM_BASE0, from);
	rig_c1(&p->rig, NPU_CMD_OFM_BASE0, to);
	rig_c0(&p->rig, NPU_CMD_ACTIVATION, 0);
	rig_c1(&p->rig, NPU_CMD_WEIGHT_BASE, weights);
	rig_c1(&p->rig, NPU_CMD_WEIGHT_LENGTH, WEIGHTS);
	rig_c1(&p->rig, NPU_CMD_SCALE_BASE, weights + WEIGHTS);
	rig_c1(&p->rig, NPU_CMD_SCALE_LENGTH, SCALES);
	rig_c0(&p->rig, NPU_CMD_CONV, 0);
}

/* As compilers have weights copied, mostly. */
static void layer(struct program *p)
{
	const u32 to = place(p);

	if (once_in(p, 6)) {
		convolution(p, once_in(p, 2) ? CONSTANT_WEIGHTS : WEIGHTS_OF_A_JOB);
		return;
	}
	copy(p, CONSTANT_WEIGHTS, to, WEIGHTS + SCALES, 0);
	if (once_in(p, 8))
		copy_constants(p);
	convolution(p, to);
}

static void copy_anything(struct program *p)
{
	const u32 from = place(p), to = place(p);

	copy(p, from, to, 1 + below(p, 700), 0);
}

static void write_program(struct program *p)
{
	const u32 pools = 1 + below(p, 6);

	begin(p);
	copy(p, place(p), p->tables, 256, INTERNAL); /* a fresh NPU has another one */
	for (unsigned i = 5 + below(p, 80); i-- && p->rig.words < MOST_WORDS;) {
		if (once_in(p, 70))
			copy(p, place(p), p->tables, 256, INTERNAL);
		else if (once_in(p, 12))
			copy_anything(p);
		else if (once_in(p, 99))
			large_pool(p);
		else if (once_in(p, pools))
			pool(p, NPU_POOL_AVERAGE);
		else if (once_in(p, 3))
			layer(p);
		else
			copy_constants(p);
	}
	rig_stop(&p->rig);
}

/* JOBS of one program, each on other data. Some end where they find that weights are none. */
static void run_program(struct program *p, const char *accelerator, unsigned number)
{
	char text[64];

	for (unsigned job = 0; job < JOBS; job++) {
		for (u32 i = 0; i < WEIGHTS_OF_A_JOB; i++)
			p->rig.memory[i] = (u8)rng_next(p->random);
		if (job == 0 || job >= KNOWN)
			random_weights(p, WEIGHTS_OF_A_JOB);
		if (job >= KNOWN && once_in(p, 3))
			p->rig.memory[WEIGHTS_OF_A_JOB] = 5; /* reserved */
		snprintf(text, sizeof text, "program %u, job %u", number, job);
		rig_start_beside_fresh(&p->rig, accelerator, text);
	}
}

Test(npu_unread, copies_of_constants)
{
	static const char *const accelerators[] = { "ethos-u55-128", "ethos-u65-256" };
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng random = { 4711 };

	for (unsigned i = 0; i < PROGRAMS; i++) {
		static struct program p;

		p.random = &random;
		p.tables = npu_config_find(accelerators[i % 2])->lut_base;
		rig_open_alone(&p.rig, accelerators[i % 2], i % 5 ? RIG_BYTES - RIG_STREAM : 0, level[i / 2 % levels]->name);
		random_weights(&p, CONSTANT_WEIGHTS);
		write_program(&p);
		run_program(&p, accelerators[i % 2], i);
		rig_close(&p.rig);
	}
}
