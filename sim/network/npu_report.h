/* SPDX-License-Identifier: Apache-2.0 */
/* What is told about operations of the NPU, of networks alone and of whole machines, and JSON of it. */
#ifndef SIM_NPU_REPORT_H
#define SIM_NPU_REPORT_H

#include "npu/npu.h"
#include "sim/network/npu_names.h"

struct json;

struct npu_layer {
	struct npu_op op;
	struct npu_cost cost;
	struct npu_region_bytes moved;
};

/* What went to and from a memory. */
struct npu_memory_bytes {
	const char *name;
	u64 read, written;
};

enum { NPU_REPORT_MEMORIES = 16 };

struct npu_report {
	bool layers; /* keep every operation */
	const struct npu_names *names; /* NULL: not known */
	const struct npu *npu; /* whose operations they are; NULL: bytes by memory are left out */
	const char *(*memory)(void *ctx, u64 address); /* what lies at a bus address; lives on. NULL: by region */
	void *ctx;
	struct npu_memory_bytes moved[NPU_REPORT_MEMORIES]; /* by all operations */
	unsigned memories;
	u64 cause[NPU_BOUNDS]; /* cycles of all operations by what they were spent on */
	u64 wait[NPU_WAITS];   /* the parts of cause[NPU_BOUND_LATENCY] */
	u64 macs;
	u64 cycles, operations;
	u64 read[NPU_PORTS], written[NPU_PORTS]; /* beats */
	struct npu_layer *list;
	u32 count, room;
};

/* Adds an operation that was executed; host memory that is short only leaves it out of the list. */
void npu_report_add(struct npu_report *r, const struct npu_op *op, const struct npu_cost *cost);
/* Forgets all operations; keeps its room for others. */
void npu_report_clear(struct npu_report *r);
/* Thousandths of what the MAC array could have done in the operation's time. */
u32 npu_report_utilisation(const struct npu_cost *cost, const struct npu_config *config);
/* "stop", "bus_error", ... */
const char *npu_report_end(enum npu_end end);
/* Into an object that is open: schema "fvp-sim-npu-report", version 1, with or without the list of operations. */
void npu_report_write(struct json *j, const struct npu_report *r, const struct npu_result *result, const struct npu_config *config,
		      bool operations);
/* Into an object that is open: all operations together (causes, macs, utilisation, bytes by port), and the list of them
 * ("operations"). */
void npu_report_write_sums(struct json *j, const struct npu_report *r, const struct npu_config *config);
void npu_report_write_operations(struct json *j, const struct npu_report *r, const struct npu_config *config);
void npu_report_free(struct npu_report *r);

#endif
