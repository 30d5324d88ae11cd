/* SPDX-License-Identifier: Apache-2.0 */
/* The least board that runs the guest program: TCMs, a core, semihosting on two memory buffers. */
#ifndef TESTS_DIFFERENTIAL_BOARD_H
#define TESTS_DIFFERENTIAL_BOARD_H

#include "cpu/observe.h"

struct board_result {
	u8 *data;        /* what the guest wrote; the caller frees it */
	u64 bytes;
	u64 cycles, insns;
	const char *problem; /* NULL: it left by itself with exit code 0 */
};

/* What may be varied without changing the result. */
struct board_options {
	enum cpu_engine engine;
	enum cpu_timing timing;
	bool traced;
	u64 slice;       /* ticks per cpu_run; 0: as far as it goes */
};

/* Runs the guest image (loaded at 0) over a batch file. */
void board_run(const u8 *image, u64 image_bytes, const u8 *batch, u64 batch_bytes,
	       const struct board_options *options, struct board_result *out);

#endif
