/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the unit of a case at which two machines part, and explains it. */
#ifndef TESTS_DIFFERENTIAL_REPORT_H
#define TESTS_DIFFERENTIAL_REPORT_H

#include "tests/differential/batch.h"
#include "tests/differential/board.h"

/* One of QEMU's deviations and how many cases it explained, in the order of their coming. */
struct deviation_count { const char *reason; u64 cases; };
#define MAX_REASONS 64

struct compare {
	struct gen *g;
	const char *elf;
	const u8 *image;
	u64 image_bytes;
	u64 seed;
	struct board_options options;
	unsigned max_reports;    /* per run of the program */
	unsigned reports;
	u64 *row_bad;            /* per row: cases that part at it */
	u64 bad, deviations;
	struct deviation_count reasons[MAX_REASONS];
};

/* A case on which the two result files differ. */
struct difference { const struct case_out *ours, *theirs; };
/* Shrinks and reports such cases. */
void report_differences(struct compare *c, const struct difference *cases, u32 count);

#endif
