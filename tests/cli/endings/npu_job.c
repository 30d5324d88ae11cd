/* SPDX-License-Identifier: Apache-2.0 */
/* One operation of the NPU that takes the host minutes: an average over 256 x 256 elements for each of 2^22, all of which
 * are the same byte (the strides are 0). */
#include "npu_start.h"

static const unsigned words[] = {
	0x00000100, 0x00000101, 0x00000102, 0x00000103, /* IFM_PAD */
	0x00000104,             /* IFM_DEPTH_M1 0 */
	0x00010105,             /* IFM_PRECISION int8 */
	0x00000109, 0x0000010f, /* zero point, region 0 */
	0x08fe010a, 0x08fe010b, 0x08fe010c, /* 2303 x 2303 elements */
	0x07ff0111, 0x07ff0112, 0x00000113, /* the OFM: 2048 x 2048 x 1 */
	0x07ff011a, 0x07ff011b, 0x07ff011c,
	0x01010114, 0x00000118, 0x0000011f,
	0x00ff0120, 0x00ff0121, 0x00000122, /* KERNEL 256 x 256, stride 1 */
	0x00000125, 0xff800126, 0x007f0127,
	0x00004000, 0, 0x00004004, 0, 0x00004005, 0, 0x00004006, 0, /* IFM_BASE0, strides */
	0x00004010, 16, 0x00004014, 0, 0x00004015, 0, 0x00004016, 0, /* OFM_BASE0, strides */
	0x00004024, 1, 0x00010005, 0xffff0000, /* OFM_SCALE, POOL average, STOP */
};

void ending(void)
{
	run_npu(words, sizeof words);
}
