/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what the board ties to the core and the subsystem, as software finds it: ITGU_CFG, DTGU_CFG, CCSIDR of the data and the instruction
 * cache, the system counter, which nobody has started, and DAUTHSTATUS, also when SYSCTRL allows Non-secure debug only. */
#include "guest.h"

#define WORD(addr) (*(volatile uint32_t *)(addr))

static void print_hex(uint32_t value)
{
	char text[] = "00000000 ";

	for (int i = 0; i < 8; i++)
		text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
	print(text);
}

void ending(void)
{
	const uint32_t first = WORD(0x58101000);

	print_hex(WORD(0xe001e504));
	print_hex(WORD(0xe001e604));
	for (uint32_t cache = 0; cache < 2; cache++) {
		WORD(0xe000ed84) = cache;
		print_hex(WORD(0xe000ed80));
	}
	print(WORD(0x58101000) == first ? "counter stands.\n" : "counter runs.\n");
	print("debug ");
	print_hex(WORD(0xe000efb8));
	WORD(0x58021004) = 0xaf;
	print_hex(WORD(0xe000efb8));
	print("\n");
	leave(0);
}
