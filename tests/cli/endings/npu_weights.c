/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution with 2^25 weights for one pixel; their stream, all zeros, has each in a slice of its own. */
#include "npu_start.h"

enum { OUTPUTS = 8192, INPUTS = 4096 };
enum { SCALES = DDR + 0x0e800000, IFM = DDR + 0x0f000000, OFM = DDR_2 };

static const unsigned words[] = {
	0x00000100, 0x00000101, 0x00000102, 0x00000103, /* IFM_PAD */
	(INPUTS - 1u) << 16 | 0x0104, 0x00010105, 0x00000109, 0x0000010f, 0x000c010d, /* IFM: int8, 1 x 1 */
	0x0000010a, 0x0000010b, 0x0000010c,
	0x00000111, 0x00000112, (OUTPUTS - 1u) << 16 | 0x0113, 0x0000011a, 0x0000011b, 0x0000011c, /* OFM */
	0x00010114, 0x00000118, 0x0000011f,
	0x00070115, 0x00070116, 0x000f0117, 0x0028012d, 0x00000124, /* blocks */
	0x00000120, 0x00000121, 0x00000122, 0x00000128, 0x00000129, 0x0000012f, /* KERNEL 1 x 1, regions */
	0x00000125, 0xff800126, 0x007f0127,
	0x00004000, IFM, 0x00004004, 0, 0x00004005, 0, 0x00004006, 0, /* IFM_BASE0, strides */
	0x00004010, OFM, 0x00004014, 0, 0x00004015, 0, 0x00004016, 0, /* OFM_BASE0, strides */
	0x00004020, DDR, 0x00004021, 0x0e000000, 0x00004022, SCALES, 0x00004023, 10 * OUTPUTS,
	0x00004024, 1, 0x00000002, 0xffff0000, /* OFM_SCALE, CONV, STOP */
};

void ending(void)
{
	run_npu(words, sizeof words);
}
