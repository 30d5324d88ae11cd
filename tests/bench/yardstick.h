/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the host is at the moment, so that figures of different hosts can be compared. */
#ifndef TESTS_BENCH_YARDSTICK_H
#define TESTS_BENCH_YARDSTICK_H

#include "npu/kernels/simd/simd.h"

/* Additions a second that each wait for the one before: clock, and what of it others take. */
double yardstick_adds(void);

/* Multiply-and-adds a second that the level's own inner loop reaches on data in the first cache;
 * the most that a network can run at. */
double yardstick_products(const struct npu_simd *level);

/* CPU time of the thread, and time that passes, in seconds. */
double yardstick_now(void);
double yardstick_clock(void);

/* What is between two readings of such a clock with nothing between them, at least: short times are less by that. */
double yardstick_reading(double (*now)(void));

#endif
