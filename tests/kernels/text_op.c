/* SPDX-License-Identifier: Apache-2.0 */
/* Random operations as text; see random_op.h. */
#include <stdio.h>

#include "tests/kernels/random_op.h"

const char *op_text(const struct npu_op *op, char *buffer, size_t bytes)
{
	snprintf(buffer, bytes,
		 "kind %u mode %u ofm %ux%ux%u b%u s%u f%u t%u out %u | ifm %ux%ux%u b%u s%u zp %d f%u t%u | "
		 "kernel %ux%u stride %u,%u dil %u,%u pad %u,%u,%u,%u up %u cores %u perch %u acc %u "
		 "scale %u>>%u round %u | scalar %u swap %u opscale %u | ifm2 %ux%ux%u",
		 op->kind, op->mode, op->ofm.height, op->ofm.width, op->ofm.depth, op->ofm.bytes,
		 op->ofm.is_signed, op->ofm.format, op->ofm.tiled, op->output, op->ifm.height,
		 op->ifm.width, op->ifm.depth, op->ifm.bytes, op->ifm.is_signed, op->ifm.zero_point,
		 op->ifm.format, op->ifm.tiled, op->kernel_h, op->kernel_w, op->stride_y, op->stride_x,
		 op->dilation_y, op->dilation_x, op->pad_top, op->pad_left, op->pad_bottom,
		 op->pad_right, op->upscale, op->cores, op->per_channel, op->acc_bits,
		 op->ofm_scale.scale, op->ofm_scale.shift, op->ofm_scale.round, op->ifm2_scalar,
		 op->swap, op->operand_scaling, op->ifm2.height, op->ifm2.width, op->ifm2.depth);
	return buffer;
}
