/* SPDX-License-Identifier: Apache-2.0 */
/* What one operation of the NPU reads and writes, copied in the order batch, height, width, channel. */
#ifndef SIM_NPU_CAPTURE_H
#define SIM_NPU_CAPTURE_H

#include "npu/npu.h"

enum npu_role { NPU_ROLE_IFM, NPU_ROLE_IFM2, NPU_ROLE_WEIGHTS, NPU_ROLE_OFM, NPU_ROLES };

/* data NULL: the operation has none. */
struct npu_tensor {
	u8 *data;
	u64 bytes;
	u32 shape[4];     /* weights: OFM depth, kernel height, kernel width, IFM depth (depthwise: 1) */
	const char *type; /* numpy's, without the byte order: "i1", "u1", "i2", ... */
	i32 zero_point;   /* weights: 0, it has been subtracted */
};

struct npu_capture {
	struct npu_op op;
	struct npu_view view;
	struct npu_tensor tensor[NPU_ROLES];
};

const char *npu_role_name(enum npu_role role); /* "ifm", "ifm2", "weights", "ofm" */
/* For npu_listener.begins: what is read. What was there before is freed. False: memory is short. */
bool npu_capture_begin(struct npu_capture *c, const struct npu_config *config, const struct npu_op *op, const struct npu_view *view);
/* For npu_listener.operation of the same operation: what was written. False: memory is short. */
bool npu_capture_end(struct npu_capture *c);
/* Frees the tensors. */
void npu_capture_clear(struct npu_capture *c);

#endif
