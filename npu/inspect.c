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

bool npu_inspect_accumulator(const struct npu_config *config, const struct npu_op *op, const struct npu_view *view, u32 y, u32 x, u32 c,
			     i64 *out)
{
	struct npu_exec e = { .config = config, .op = op, .view = view };

	return npu_is_mac(op) && !op->u85.enabled && npu_exec_mac_accumulator(&e, y, x, c, out);
}
