/* SPDX-License-Identifier: Apache-2.0 */
/* What vectors of the level do with results whose way is not the shortest; see sink_wide.h. */
#include "npu/kernels/conv/sink_wide.h"
#include "npu/kernels/rows/rows.h"
#include "npu/kernels/u85/rows.h"

void npu_sink_stage(const struct npu_sink *s, i64 *v, size_t n, u8 *to)
{
	struct npu85_out out; /* its tables are not asked for here */

	if (!s->u85) {
		npu_row_store64(s, v, n, to, s->op->ofm.bytes);
		return;
	}
	out.op = s->op;
	out.table = s->lut;
	out.raw = false;
	npu85_row_store(&out, v, n, to, s->op->ofm.bytes);
}

void npu_sink_whole(i32 *restrict v, unsigned pixels, const i32 *restrict factor)
{
	for (; pixels; pixels--, v += NPU_GROUP)
		for (unsigned c = 0; c < NPU_GROUP; c++)
			v[c] = (i32)((u32)v[c] * (u32)factor[c]);
}
