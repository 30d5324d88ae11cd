/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/inspect.h"

#include <stdlib.h>
#include <string.h>

#include "npu/exec.h"
#include "npu/u85/u85.h"
#include "npu/view.h"

void npu_inspect_map(const struct npu_fm *fm, const u8 *const tiles[NPU_TILES], u8 *out)
{
	for (u32 y = 0; y < fm->height; y++)
		for (u32 x = 0; x < fm->width; x++)
			for (u32 c = 0; c < fm->depth; c++, out += fm->bytes) {
				u32 in_y = y, in_x = x;
				const unsigned t = npu_tile_of(fm, &in_y, &in_x);

				memcpy(out, tiles[t] + npu_offset_of(fm, in_y, in_x, c), fm->bytes);
			}
}

i16 *npu_inspect_weights(const struct npu_config *config, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_exec e = { .config = config, .op = op, .view = view };
	enum npu_exec_status status = NPU_EXEC_OK;

	if (!npu_is_mac(op) || (op->u85.enabled && op->u85.weights_ifm2))
		return NULL;
	return op->u85.enabled ? npu85_weights(&e, &status) : npu_exec_weights(&e, &status);
}

void npu_inspect_plain(struct npu_fm *fm)
{
	fm->format = NPU_NHWC;
	fm->tiled = fm->stacked = 0;
	fm->stride_x = (i64)fm->depth * fm->bytes;
	fm->stride_y = fm->stride_x * fm->width;
	fm->width0 = fm->width;
	fm->height0 = fm->height1 = fm->height;
}

enum npu_inspected npu_inspect_accumulator(const struct npu_config *config, const struct npu_op *op, const struct npu_view *view, u32 y, u32 x,
					   u32 c, i64 *out)
{
	struct npu_exec e = { .config = config, .op = op, .view = view };
	const struct npu85_op *u = &op->u85;
	bool ok;

	if (u->ifm_chained || u->ifm2_chained)
		return NPU_INSPECT_CHAINED;
	if (!npu_is_mac(op) && (op->kind != NPU_POOL || op->mode == NPU_POOL_NONE))
		return NPU_INSPECT_NONE;
	if (u->acc_input == NPU85_ACC_KEEP)
		return NPU_INSPECT_KEPT;
	if (u->enabled)
		ok = npu85_accumulator(&e, y, x, c, out);
	else
		ok = op->kind == NPU_POOL ? npu_exec_pool_accumulator(&e, y, x, c, out) : npu_exec_mac_accumulator(&e, y, x, c, out);
	return ok ? NPU_INSPECT_OK : NPU_INSPECT_FAILED;
}
