/* SPDX-License-Identifier: Apache-2.0 */
/* What the operations of the NPU's present or last job have cost. */
#ifndef SIM_GDB_NPU_WATCH_H
#define SIM_GDB_NPU_WATCH_H

#include "sim/machine.h"

enum { NPU_WATCH_OPERATIONS = 4096 }; /* of a job; those behind are not kept */

struct npu_watch {
	struct npu_watch_cost { u32 offset; enum npu_bound bound; u64 cycles, start; const char *name; } cost[NPU_WATCH_OPERATIONS];
	u32 operations; /* of the job */
};

/* Listens from now on; `w` must outlive the machine, or machine_unlisten with it. */
void npu_watch_begin(struct npu_watch *w, struct machine *m);

#endif
