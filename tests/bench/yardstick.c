/* SPDX-License-Identifier: Apache-2.0 */
/* The host's speed; see yardstick.h. Best of many short runs: others use the host, too. */
#include "tests/bench/yardstick.h"

#include <string.h>
#include <time.h>

#define TRIES 200
#define ADDS 100000
#define ROW 256
#define CALLS 100

static double seconds(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double yardstick_now(void)
{
	return seconds(CLOCK_THREAD_CPUTIME_ID);
}

double yardstick_clock(void)
{
	return seconds(CLOCK_MONOTONIC);
}

double yardstick_reading(double (*now)(void))
{
	double least = 1e9;

	for (unsigned i = 0; i < TRIES; i++) {
		const double t = now(), took = now() - t;
		least = took < least ? took : least;
	}
	return least;
}

double yardstick_adds(void)
{
	double best = 1e9;

	for (unsigned i = 0; i < TRIES; i++) {
		u64 sum = i;
		double t = yardstick_now();
#pragma GCC unroll 16
		for (unsigned k = 0; k < ADDS; k++) {
			sum += 3;
			__asm__ volatile("" : "+r"(sum)); /* one by one */
		}
		t = yardstick_now() - t;
		best = t < best ? t : best;
	}
	return ADDS / best;
}

double yardstick_products(const struct npu_simd *level)
{
	static u8 panel[NPU_TILE * ROW * sizeof(i16)] __attribute__((aligned(64)));
	static u8 weights[2 * NPU_GROUP * ROW * sizeof(i16)] __attribute__((aligned(64)));
	static const i32 bias[2 * NPU_GROUP];
	i32 acc[2 * NPU_TILE * NPU_GROUP];
	double best = 1e9;

	memset(panel, 3, sizeof(panel));
	memset(weights, 1, sizeof(weights));
	for (unsigned i = 0; i < TRIES; i++) {
		double t = yardstick_now();
		for (unsigned k = 0; k < CALLS; k++) {
			if (level->gemm_u8)
				level->gemm_u8(panel, ROW, true, NPU_TILE, (const i8 *)weights, 2,
					       NPU_GROUP * ROW, bias, acc);
			else
				level->gemm_i16((const i16 *)(const void *)panel, ROW, true, NPU_TILE,
						(const i16 *)(const void *)weights, 2, NPU_GROUP * ROW, bias,
						acc);
		}
		t = yardstick_now() - t;
		best = t < best ? t : best;
	}
	return (double)CALLS * NPU_TILE * 2 * NPU_GROUP * ROW / best;
}
