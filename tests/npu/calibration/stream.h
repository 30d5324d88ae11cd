/* SPDX-License-Identifier: Apache-2.0 */
/* What the timing model was called with: a byte that says which call, then the arguments as they lie in memory. */
#ifndef TESTS_NPU_STREAM_H
#define TESTS_NPU_STREAM_H

#include "npu/timing/timing.h"

enum { STREAM_START, STREAM_OP, STREAM_WAIT };

struct stream_op {
	struct npu_config config;
	struct npu_ports ports;
	struct npu_op op;
	u32 bytes;
};

struct stream_wait {
	bool dma;
	unsigned n;
};

#endif
