/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation moves over the memory ports. Private to npu/timing/. */
#ifndef NPU_TIMING_TRAFFIC_H
#define NPU_TIMING_TRAFFIC_H

#include "npu/timing/geometry.h"
#include "npu/timing/model.h"

struct op_traffic {
	struct traffic channel[CHANNELS][NPU_PORTS];
	/* What the first block waits for and what the last one leaves behind: they hide under nothing of this
	 * operation. */
	struct traffic first_ifm[NPU_PORTS], first_weights[NPU_PORTS], last_ofm[NPU_PORTS];
};

/* What the operation moves, block by block; `blocks`: blocks_of() of it. */
void traffic_of(const struct npu_config *config, const struct memory_model *m, const struct npu_op *op,
		const struct blocks *blocks, struct op_traffic *out);

/* Bytes that a channel may have on their way, 0 = no limit. */
u64 bytes_in_flight(const struct npu_config *config, const struct npu_op *op, enum channel channel);

/* U85: bytes of the IFM buffer. */
u64 ifm_buffer(const struct npu_config *config);

#endif
