/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes by memory for the report: the board's memories by their names, or the NPU's regions. */
#ifndef SIM_NPU_MEMORIES_H
#define SIM_NPU_MEMORIES_H

#include "sim/network/npu_report.h"

/* What an operation moved, memory by memory; how many there are. */
unsigned npu_memories_of(const struct npu_report *r, const struct npu_op *op, const struct npu_region_bytes *bytes,
			 struct npu_memory_bytes list[NPU_REPORT_MEMORIES]);
/* Adds it to the sums of the report. */
void npu_memories_add(struct npu_report *r, const struct npu_memory_bytes *list, unsigned count);
/* As "memories" of the open object. */
void npu_memories_write(struct json *j, const struct npu_memory_bytes *list, unsigned count);

#endif
