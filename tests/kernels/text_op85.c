/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of Ethos-U85 as a line of text. */
#include <stdio.h>

#include "tests/kernels/random_op85.h"

const char *op85_text(const struct npu_op *op, char *buffer, size_t bytes)
{
	const struct npu85_op *u = &op->u85;

	snprintf(buffer, bytes,
		 "kind %u mode %u ofm %ux%ux%u b%u s%u zp %d f%u t%u clip %d..%d off %u table %u chain %u trans %u rev %u | "
		 "ifm %ux%ux%u b%u s%u zp %d f%u t%u%u chain %u scalar %u | ifm2 %ux%ux%u b%u s%u zp %d chain %u scalar %u (%d) | "
		 "kernel %ux%u stride %u,%u dil %u,%u pad %u,%u,%u,%u up %u | acc48 %u in %u off %u dyn %u perch %u | "
		 "scale %u>>%u r%u d%u, %u>>%u r%u d%u, %u>>%u r%u d%u | resize %d/%d+%d %d/%d+%d",
		 op->kind, op->mode, op->ofm.height, op->ofm.width, op->ofm.depth, op->ofm.bytes, op->ofm.is_signed,
		 op->ofm.zero_point, u->stored.format, u->stored.tiled, op->lo, op->hi, u->clip_off, u->table,
		 u->ofm_chained, u->transpose, u->reverse, op->ifm.height, op->ifm.width, op->ifm.depth, op->ifm.bytes,
		 op->ifm.is_signed, op->ifm.zero_point, op->ifm.format, op->ifm.tiled, op->ifm.stacked, u->ifm_chained,
		 u->ifm_scalar, op->ifm2.height, op->ifm2.width, op->ifm2.depth, op->ifm2.bytes, op->ifm2.is_signed,
		 op->ifm2.zero_point, u->ifm2_chained, op->ifm2_scalar, op->scalar, op->kernel_h, op->kernel_w,
		 op->stride_y, op->stride_x, op->dilation_y, op->dilation_x, op->pad_top, op->pad_left, op->pad_bottom,
		 op->pad_right, op->upscale, u->acc48, u->acc_input, u->acc_output_off, u->weights_ifm2, op->per_channel,
		 u->ofm_scale.scale, u->ofm_scale.shift, u->ofm_scale.round, u->ofm_scale.dbl, u->ifm_scale.scale,
		 u->ifm_scale.shift, u->ifm_scale.round, u->ifm_scale.dbl, u->ifm2_scale.scale, u->ifm2_scale.shift,
		 u->ifm2_scale.round, u->ifm2_scale.dbl, u->resize_y.n, u->resize_y.d, u->resize_y.offset, u->resize_x.n,
		 u->resize_x.d, u->resize_x.offset);
	return buffer;
}
