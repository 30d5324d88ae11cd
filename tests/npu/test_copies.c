/* SPDX-License-Identifier: Apache-2.0 */
/* Copies as compilers make shuffles of channels and transposes of them, in jobs that are run again where nobody looks before they end: they are done
 * together, in whatever layouts, over each other or not, and up to one that reaches out of memory. Memory, cycles, events, registers and what a
 * listener is told are those of a fresh NPU. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"
#include "tests/npu/rig.h"

enum { PROGRAMS = 400, JOBS = 7, DATA = 0xa000, MOST_WORDS = 3000, GLOBAL = 1 << 8, BYTES16 = 1 << 2, OUT16 = 1 << 1 };

struct program {
	struct rig rig;
	struct rng *random;
	u32 h, w, d, bytes;
};

static u32 below(struct program *p, u32 n)
{
	return rng_below(p->random, n);
}

static bool once_in(struct program *p, u32 n)
{
	return rng_one_in(p->random, n);
}

/* Strides of rows and pixels, either the longer one; now and then elements share bytes. */
static void strides(struct program *p, enum npu_command y, enum npu_command x)
{
	const u32 pixel = p->d * p->bytes, gap = once_in(p, 4) ? p->bytes * below(p, 5) : 0;
	const bool down = below(p, 2);

	rig_c1(&p->rig, x, once_in(p, 12) ? p->bytes : down ? p->h * pixel + gap : pixel);
	rig_c1(&p->rig, y, once_in(p, 12) ? p->bytes : down ? pixel : p->w * pixel + gap);
}

static void shape(struct program *p)
{
	static const u32 depths[] = { 1, 1, 1, 2, 3, 7, 16, 20, 40 };
	const u32 widths[] = { 1, 2, 4, 16 + below(p, 30) };

	p->bytes = 1 + once_in(p, 4);
	p->h = once_in(p, 3) ? widths[3] : 1 + below(p, 4);
	p->w = widths[below(p, 4)];
	p->d = depths[below(p, 9)];
	rig_c0(&p->rig, NPU_CMD_IFM_PRECISION, 1 | (p->bytes == 2 ? BYTES16 : 0));
	rig_c0(&p->rig, NPU_CMD_OFM_PRECISION, 1 | (p->bytes == 2 ? OUT16 : 0) | GLOBAL);
	rig_c0(&p->rig, NPU_CMD_IFM_HEIGHT0_M1, 255);
	rig_c0(&p->rig, NPU_CMD_OFM_HEIGHT_M1, p->h - 1);
	rig_c0(&p->rig, NPU_CMD_OFM_WIDTH_M1, p->w - 1);
	rig_c0(&p->rig, NPU_CMD_OFM_DEPTH_M1, p->d - 1);
	rig_c0(&p->rig, NPU_CMD_IFM_DEPTH_M1, p->d - 1);
	strides(p, NPU_CMD_IFM_STRIDE_Y, NPU_CMD_IFM_STRIDE_X);
	strides(p, NPU_CMD_OFM_STRIDE_Y, NPU_CMD_OFM_STRIDE_X);
}

/* A scale of 1, or next to it; now and then one that changes elements, or a zero point or a clamp that does. */
static void values(struct program *p)
{
	static const u64 scales[] = { 1, UINT64_C(31) << 32 | 0x80000001, UINT64_C(30) << 32 | 0x40000000, UINT64_C(31) << 32 | 0x7fffff00, 3 };
	const u32 lo = p->bytes == 2 ? 0x8000 : 0xff80, hi = p->bytes == 2 ? 0x7fff : 0x7f;

	rig_c1(&p->rig, NPU_CMD_OFM_SCALE, scales[once_in(p, 4) ? below(p, 5) : below(p, 3)]);
	rig_c0(&p->rig, NPU_CMD_IFM_ZERO_POINT, 3);
	rig_c0(&p->rig, NPU_CMD_OFM_ZERO_POINT, once_in(p, 8) ? 4 : 3);
	rig_c0(&p->rig, NPU_CMD_ACTIVATION_MIN, lo);
	rig_c0(&p->rig, NPU_CMD_ACTIVATION_MAX, once_in(p, 8) ? 100 : hi);
}

static u32 place(struct program *p)
{
	const u32 at = below(p, 5) * 0x2000;

	return at + p->bytes * below(p, 64);
}

/* From one copy to the next. */
static u32 step(struct program *p)
{
	const u32 pixel = p->d * p->bytes, map = p->h * p->w * pixel;
	const u32 gap = p->bytes * below(p, 9), any = p->bytes * below(p, 40);
	const u32 steps[] = { map, map, map, map + gap, pixel, p->w * pixel, 0, 0 - map, any };

	return steps[below(p, 9)];
}

static void pool(struct program *p, u32 from, u32 to)
{
	rig_c1(&p->rig, NPU_CMD_IFM_BASE0, from % DATA);
	rig_c1(&p->rig, NPU_CMD_OFM_BASE0, to % DATA);
	rig_c0(&p->rig, NPU_CMD_POOL, once_in(p, 30) ? NPU_POOL_MAX : NPU_POOL_AVERAGE);
}

static void copy(struct program *p, u32 from, u32 to, u32 bytes)
{
	rig_c1(&p->rig, NPU_CMD_DMA0_SRC, from % DATA);
	rig_c1(&p->rig, NPU_CMD_DMA0_DST, to % DATA);
	rig_c1(&p->rig, NPU_CMD_DMA0_LEN, bytes);
	rig_c0(&p->rig, NPU_CMD_DMA_START, 0);
}

/* Copies that follow each other in equal steps; now and then one that does not, or something else. */
static void run(struct program *p)
{
	const u32 count = 1 + below(p, 40), from_step = step(p), to_step = step(p), across = below(p, 2) ? 0 : 1 + below(p, 6), dma = once_in(p, 4) ? 1 + below(p, 90) : 0;
	u32 from = place(p), to = place(p);

	for (u32 i = 0; i < count && p->rig.words < MOST_WORDS; i++) {
		if (dma)
			copy(p, from, to, dma);
		else
			pool(p, from, to);
		from += from_step;
		to += to_step;
		if (across && i % across == across - 1) { /* the next row of copies */
			from += 16 * p->bytes;
			to += 32 * p->bytes;
		}
		if (once_in(p, 60))
			from += p->bytes;
		if (once_in(p, 60))
			values(p);
		if (once_in(p, 60)) {
			const u32 source = place(p), target = place(p);
			copy(p, source, target, 1 + below(p, 80));
		}
	}
}

static void write_program(struct program *p)
{
	rig_one_tile(&p->rig);
	for (unsigned i = 1 + below(p, 8); i--;) {
		shape(p);
		values(p);
		run(p);
		if (once_in(p, 60)) {
			rig_c1(&p->rig, NPU_CMD_OFM_BASE0, 0x1000000); /* not memory */
			rig_c0(&p->rig, NPU_CMD_POOL, NPU_POOL_AVERAGE);
		}
	}
	rig_stop(&p->rig);
}

/* JOBS of one program, each on other data. */
static void run_program(struct program *p, const char *accelerator, unsigned number)
{
	char text[64];

	for (unsigned job = 0; job < JOBS; job++) {
		for (u32 i = 0; i < RIG_STREAM; i++)
			p->rig.memory[i] = (u8)rng_next(p->random);
		snprintf(text, sizeof text, "program %u, job %u", number, job);
		rig_start_beside_fresh(&p->rig, accelerator, text);
	}
}

Test(npu_copies, many_at_once)
{
	static const char *const accelerators[] = { "ethos-u55-128", "ethos-u65-512" };
	const struct npu_simd *level[8];
	const unsigned levels = npu_simd_list(level);
	struct rng random = { 815 };

	for (unsigned i = 0; i < PROGRAMS; i++) {
		static struct program p;

		p.random = &random;
		rig_open_alone(&p.rig, accelerators[i % 2], i % 5 ? RIG_BYTES - RIG_STREAM : 0, level[i / 2 % levels]->name);
		write_program(&p);
		run_program(&p, accelerators[i % 2], i);
		rig_close(&p.rig);
	}
}
