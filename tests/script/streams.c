/* SPDX-License-Identifier: Apache-2.0 */
/* A program with virtual interfaces as drivers of Arm's examples use them: blocks come by VSI0 and its interrupt into a
 * buffer that goes round, go out by VSI1, and VIO has signals and values. */
#include "tests/cli/guest.h"

#ifndef VIRTUAL
#define VIRTUAL 0x4fef0000u /* VIO; VSI0 follows at 0x10000, and so on */
#endif
#define VIO(offset) R32(VIRTUAL + (offset))
#define VSI(n, offset) R32(VIRTUAL + 0x10000u * ((n) + 1) + (offset))
#define NVIC_ISER7 R32(0xe000e11cu)

enum { OUT_MASK = 0, OUT = 4, IN_MASK = 8, IN = 12, VALUES = 16 }; /* of VIO */
enum { IRQ_ENABLE = 0, IRQ_SET = 4, IRQ_CLEAR = 8, IRQ_STATUS = 12, TIMER = 0x100, INTERVAL = 0x104, COUNT = 0x108, DMA = 0x200, ADDRESS = 0x204,
       BLOCK_BYTES = 0x208, BLOCKS = 0x20c, INDEX = 0x210, REGS = 0x300 };
enum { RUN = 1, PERIODIC = 2, INTERRUPT = 4, TRANSFER = 8, TO_PERIPHERAL = 2, VSI0_IRQ = 224 };
enum { BYTES = 64, ROUND = 4, WANTED = 10 };

static uint32_t vectors_in_ram[256] __attribute__((aligned(1024)));
static uint8_t in[ROUND][BYTES] __attribute__((aligned(4))), out[WANTED][BYTES] __attribute__((aligned(4)));
static volatile uint32_t came;

static void number(const char *name, uint32_t n)
{
	char text[9] = "";

	for (int i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[n >> (28 - 4 * i) & 15];
	print(name);
	print(text);
	print("\n");
}

static void block_came(void)
{
	const uint32_t status = VSI(0, IRQ_STATUS);

	VSI(0, IRQ_CLEAR) = status;
	__asm volatile("dsb" ::: "memory");
	for (int i = 0; i < BYTES; i++)
		out[came][i] = in[came % ROUND][i];
	if (++came == WANTED)
		VSI(0, TIMER) = 0;
}

static void take_interrupt(void)
{
	for (int i = 0; i < 16; i++)
		vectors_in_ram[i] = ((volatile uint32_t *)VTOR)[i];
	vectors_in_ram[16 + VSI0_IRQ] = (uint32_t)block_came;
	VTOR = (uint32_t)vectors_in_ram;
	NVIC_ISER7 = 1; /* 224 */
}

static void use_signals(void)
{
	VIO(OUT_MASK) = 0xf0;
	VIO(OUT) = 0xa5;
	VIO(IN_MASK) = 0xff;
	number("signals in ", VIO(IN));
	VIO(VALUES + 4 * 2) = 1234;
	number("value ", VIO(VALUES + 4 * 2));
	number("value ", VIO(VALUES + 4 * 3));
}

static void receive(void)
{
	VSI(0, REGS) = BYTES;
	number("register ", VSI(0, REGS));
	number("register ", VSI(0, REGS + 4 * 63));
	VSI(0, IRQ_ENABLE) = 1;
	VSI(0, ADDRESS) = (uint32_t)in;
	VSI(0, BLOCK_BYTES) = BYTES;
	VSI(0, BLOCKS) = ROUND;
	VSI(0, DMA) = RUN;
	VSI(0, INTERVAL) = 250;
	VSI(0, TIMER) = RUN | PERIODIC | INTERRUPT | TRANSFER;
	while (came < WANTED)
		__asm volatile("wfi");
	number("overflows ", VSI(0, COUNT));
	number("index ", VSI(0, INDEX));
}

static void send(void)
{
	VSI(1, ADDRESS) = (uint32_t)out;
	VSI(1, BLOCK_BYTES) = sizeof out;
	VSI(1, BLOCKS) = 1;
	VSI(1, DMA) = RUN | TO_PERIPHERAL;
	VSI(1, INTERVAL) = 10;
	VSI(1, TIMER) = RUN | TRANSFER;
	while (!VSI(1, COUNT))
		;
	number("runs on ", VSI(1, TIMER) & RUN);
	while (VSI(1, REGS)) /* the script counts down at each read: the loop ends without any event */
		;
}

void ending(void)
{
	take_interrupt();
	use_signals();
	receive();
	send();
	leave(7);
}
