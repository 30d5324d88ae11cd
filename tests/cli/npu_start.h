/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the NPU and sleeps. */
#ifndef TESTS_CLI_NPU_START_H
#define TESTS_CLI_NPU_START_H

#include "guest.h"

#ifdef CORSTONE_320
enum { NPU = 0x50004000 };
#else
enum { NPU = 0x58102000 };
#endif
enum { STREAM = 0x31000000, MAP = 0x31001000 /* region 0 */ };
enum { QBASE = 0x10, QSIZE = 0x20, BASEP0 = 0x80, CMD = 0x08 };
enum { DDR = 0x60000000 - MAP, DDR_2 = 0x70000000 - MAP }; /* places of region 0 */

static inline void run_npu(const unsigned *words, unsigned bytes)
{
	for (unsigned i = 0; i < bytes / sizeof *words; i++)
		R32(STREAM + 4 * i) = words[i];
	R32(NPU + QBASE) = STREAM;
	R32(NPU + QSIZE) = bytes;
	R32(NPU + BASEP0) = MAP;
	R32(NPU + CMD) = 1;
	for (;;)
		__asm volatile("wfi");
}

#endif
