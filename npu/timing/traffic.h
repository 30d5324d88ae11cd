/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation moves over the memory ports. Private to npu/timing/. */
#ifndef NPU_TIMING_TRAFFIC_H
#define NPU_TIMING_TRAFFIC_H

#include "npu/timing/geometry.h"
#include "npu/timing/model.h"

struct op_traffic {
	struct traffic total[NPU_PORTS];
	/* The first block's reads and the last block's write: they hide under nothing of this operation. */
	struct traffic first_read[NPU_PORTS], last_write[NPU_PORTS];
};

void traffic_of(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
		    const struct blocks *blocks, struct op_traffic *out);

/* Adds a run of `bytes` contiguous bytes, `times` over, split into transactions of the port's burst. */
void traffic_add(const struct npu_config *config, const struct port_model *port, struct traffic *t,
		     u64 bytes, u64 times, bool write);

#endif
