/* SPDX-License-Identifier: Apache-2.0 */
/* Writes every register that an input of the core can lock and prints the names of those that keep their value. */
#include "guest.h"

static const struct {
	const char *name;
	uint32_t addr, flip; /* bits to change */
} registers[] = {
	{"VTOR_S", 0xe000ed08, 0x20000000}, {"VTOR_NS", 0xe002ed08, 0x20000000}, {"SAU", 0xe000eddc, 0x20000000},
	{"MPU_S", 0xe000ed9c, 0x20000000}, {"MPU_NS", 0xe002ed9c, 0x20000000}, {"PAHBCR", 0xe001e018, 1},
	{"ITGU", 0xe001e500, 1}, {"DTGU", 0xe001e600, 1},
};

void ending(void)
{
	print("locked:");
	for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++) {
		volatile uint32_t *word = (volatile uint32_t *)registers[i].addr;
		const uint32_t before = *word;

		*word = before ^ registers[i].flip;
		if (*word == before) {
			print(" ");
			print(registers[i].name);
		}
		*word = before;
	}
	print(".\n");
	leave(0);
}
