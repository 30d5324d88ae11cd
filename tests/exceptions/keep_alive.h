/* SPDX-License-Identifier: Apache-2.0 */
/* MPU regions under which a random scenario always goes on: code, and all data but what lies between
 * 0x20002000 and `after`, which its own regions decide. alias: 0, or 0x20000 for the Non-secure MPU. */
#ifndef TESTS_EXCEPTIONS_KEEP_ALIVE_H
#define TESTS_EXCEPTIONS_KEEP_ALIVE_H

#include "lib.h"

static void keep_alive(u32 alias, u32 after)
{
	const u32 map[4][3] = {
		{ 0x00000000, 0x0007FFFF, 3 << 1 }, { 0x20000000, 0x20001FFF, 1 << 1 | 1 },
		{ after, 0x2004FFFF, 1 << 1 | 1 }, { 0x50000000, 0x5FFFFFFF, 1 << 1 | 1 },
	};
	R32(0xE000EDC0 + alias) = 0xFFFFFFFF;
	for (u32 i = 0; i < 4; i++) {
		R32(0xE000ED98 + alias) = i;
		R32(0xE000ED9C + alias) = map[i][0] | map[i][2];
		R32(0xE000EDA0 + alias) = (map[i][1] & ~31u) | 1;
	}
}

#endif
