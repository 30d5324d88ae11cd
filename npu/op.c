/* SPDX-License-Identifier: Apache-2.0 */
/* What can be said of a decoded operation: its size and its name. */
#include "npu/op.h"

static u64 mul_saturate(u64 a, u64 b)
{
	u64 p;
	return __builtin_mul_overflow(a, b, &p) ? UINT64_MAX : p;
}

u64 npu_op_work(const struct npu_op *op)
{
	u64 work = mul_saturate((u64)op->ofm.height * op->ofm.width, op->ofm.depth);

	switch (op->kind) {
	case NPU_DMA:
		return mul_saturate(mul_saturate(op->dma.length, op->dma.rows), op->dma.planes) / 8 +
		       (u64)op->dma.rows * op->dma.planes;
	case NPU_RESIZE:
	case NPU_ELEMENTWISE:
		return work;
	default:
		work = mul_saturate(work, (u64)op->kernel_h * op->kernel_w);
		if (op->kind == NPU_CONV || op->mode == NPU_POOL_REDUCE_SUM)
			work = mul_saturate(work, op->ifm.depth);
		return work;
	}
}

const char *npu_op_name(const struct npu_op *op)
{
	static const char *const pools[] = { "max pool", "average pool", "reduce sum", "sum pool",
					     "copy", "min pool", "argmax x", "argmax y" };
	static const char *const elementwise[] = {
		"mul", "add", "sub", "min", "max", "lrelu", "abs", "clz", "shr", "shl", "lsr", "div",
		[NPU_EW_CMP_EQ] = "equal", "not equal", "greater equal", "greater",
		[NPU_EW_AND] = "and", "or", "xor", "not", [NPU_EW_AND_NOT] = "and not",
	};
	switch (op->kind) {
	case NPU_CONV: return "conv";
	case NPU_DEPTHWISE: return "depthwise";
	case NPU_POOL: return op->mode < ARRAY_LEN(pools) ? pools[op->mode] : "pool";
	case NPU_ELEMENTWISE:
		return op->mode < ARRAY_LEN(elementwise) && elementwise[op->mode] ? elementwise[op->mode]
										  : "elementwise";
	case NPU_RESIZE: return "resize";
	default: return "dma";
	}
}
