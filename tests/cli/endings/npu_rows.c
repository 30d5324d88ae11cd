/* SPDX-License-Identifier: Apache-2.0 */
/* 900 elementwise operations of the NPU on maps of 128 MiB each: CLZ of 4096 x 8192 words. */
#include "npu_start.h"

static const unsigned words[] = {
	0x00000104,             /* IFM_DEPTH_M1 0 */
	0x00090105,             /* IFM_PRECISION int32 */
	0x00000109, 0x0000010f, /* zero point, region 0 */
	0x1fff010a, 0x0fff010b, 0x0fff010c, /* 8192 x 4096 elements */
	0x1fff0111, 0x0fff0112, 0x00000113, 0x1fff011a, 0x0fff011b, 0x0fff011c,
	0x01050114, 0x00000118, 0x0000011f, /* OFM_PRECISION int32, zero point, region 0 */
	0x00000125, 0x80000126, 0x7fff0127, /* no activation */
	0x00004000, DDR, 0x00004004, 4, 0x00004005, 4 * 8192, 0x00004006, 4, /* IFM_BASE0, strides */
	0x00004010, DDR_2, 0x00004014, 4, 0x00004015, 4 * 8192, 0x00004016, 4, /* OFM_BASE0, strides */
	0x00004024, 1, [37 ... 936] = 0x00070006, 0xffff0000, /* OFM_SCALE, ELEMENTWISE CLZ, STOP */
};

void ending(void)
{
	run_npu(words, sizeof words);
}
