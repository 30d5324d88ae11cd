/* SPDX-License-Identifier: Apache-2.0 */
/* Command registers to operation. */
#ifndef NPU_DECODE_H
#define NPU_DECODE_H

#include "npu/cmd.h"
#include "npu/config.h"
#include "npu/op.h"

/* What decoding needs besides the registers. */
struct npu_decode_input {
	const struct npu_config *config;
	const struct npu_regs *regs;
	const u64 *basep; /* base addresses of the NPU_REGIONS regions */
};

/* A register field without meaning: which one and what it holds. */
struct npu_decode_fault {
	const char *field; /* "IFM_PRECISION.format"; "mode": of the operation itself */
	u32 value;
};

/* Fills `op` for the operation command (NPU_CMD_CONV, ...) with parameter `param`; offset and
 * index are left to the caller. False: not a legal operation, `fault` says why. */
bool npu_decode(const struct npu_decode_input *in, enum npu_command command, u16 param,
		struct npu_op *op, struct npu_decode_fault *fault);

#endif
