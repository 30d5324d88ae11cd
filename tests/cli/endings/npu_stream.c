/* SPDX-License-Identifier: Apache-2.0 */
/* A command stream whose third operation reads what is not memory; the program waits for its end and for ever. */
#include "guest.h"

enum { NPU = 0x58102000, STREAM = 0x31000000, FROM = 0x31001000, QBASE = 0x10, QSIZE = 0x20, BASEP0 = 0x80, CMD = 0x08 };

static const unsigned words[] = {
	0x00000130, 0x00000131,                     /* DMA0_SRC_REGION 0, DMA0_DST_REGION 0 */
	0x00004030, 0, 0x00004031, 256, 0x00004032, 16, /* SRC, DST, LEN */
	0x00000010,                                 /* DMA_START */
	0x00004031, 512, 0x00000010,
	0x00004030, 0x1e000000, 0x00000010,         /* 0x4f001000: nothing is there */
	0xffff0000,                                 /* STOP */
};

__attribute__((noinline)) static void run_job(void)
{
	R32(NPU + CMD) = 1;
	for (;;)
		__asm volatile("wfi");
}

__attribute__((noinline)) static void invoke(void)
{
	run_job();
}

void ending(void)
{
	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		R32(STREAM + 4 * i) = words[i];
	R32(NPU + QBASE) = STREAM;
	R32(NPU + QSIZE) = sizeof words;
	R32(NPU + BASEP0) = FROM;
	invoke();
}
