/* SPDX-License-Identifier: Apache-2.0 */
/* A depthwise convolution of Ethos-U85 with 2^28 weights for one pixel, whose order takes long to walk. */
#include "npu_start.h"

enum { CHANNELS = 32767, KERNEL = 64 };
enum { SCALES = DDR + 0x0e800000, IFM = DDR + 0x0f000000, OFM = DDR_2 };

static const unsigned words[] = {
	0x00000100, 0x00000101, 0x00000102, 0x00000103, /* IFM_PAD */
	(CHANNELS - 1u) << 16 | 0x0104, 0x00010105, 0x00000109, 0x0000010f, /* IFM: int8, 64 x 128 */
	0x007f010a, 0x003f010b, 0x003f010c,
	0x00000111, 0x00000112, (CHANNELS - 1u) << 16 | 0x0113, 0x0000011a, 0x0000011b, 0x0000011c, /* OFM: 1 x 1 */
	0x01010114, 0x00000118, 0x0000011f,
	0x00010115, 0x00010116, 0x000f0117, 0x03000124, /* blocks, microblocks of 2 x 2 */
	0x007f0120, 0x003f0121, 0x00000122, 0x00000128, 0x00000129, 0x0000012e, 0x0000012f, /* KERNEL 128 x 64, regions */
	0x00000125, 0xff800126, 0x007f0127,
	0x00004000, IFM, 0x00004004, 0, 0x00004005, 0, 0x00004006, 0, /* IFM_BASE0, strides */
	0x00004010, OFM, 0x00004014, 0, 0x00004015, 0, 0x00004016, 0, /* OFM_BASE0, strides */
	0x00004020, DDR, 0x00004021, 0x0e000000, 0x00004022, SCALES, 0x00004023, 10 * CHANNELS,
	0x00004024, 1, 0x00000003, 0xffff0000, /* OFM_SCALE, DEPTHWISE, STOP */
};

void ending(void)
{
	run_npu(words, sizeof words);
}
