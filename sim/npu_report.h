/* SPDX-License-Identifier: Apache-2.0 */
/* What `fvp-sim npu` tells about a run: a table of operations, a JSON report. */
#ifndef SIM_NPU_REPORT_H
#define SIM_NPU_REPORT_H

#include "npu/npu.h"

struct npu_layer {
	struct npu_op op;
	struct npu_cost cost;
};

struct npu_report {
	bool layers; /* keep every operation */
	struct npu_layer *list;
	u32 count, room;
};

/* Collects operations while the NPU runs. */
struct npu_listener npu_report_listener(struct npu_report *r);
/* The table on standard output, the sum below. */
void npu_report_print(const struct npu_report *r, const struct npu_result *result, const struct npu_config *config);
/* False with a line in `why`. Schema "fvp-sim-npu-report", version 1. */
bool npu_report_write(const struct npu_report *r, const struct npu_result *result,
		      const struct npu_config *config, const char *path, char *why, size_t why_size);
void npu_report_free(struct npu_report *r);

#endif
