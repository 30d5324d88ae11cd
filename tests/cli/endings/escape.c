/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a file outside semihosting's folder and one inside. */
#include "guest.h"

void ending(void)
{
	static const char outside[] = "../escape.txt", inside[] = "inside.txt";
	const uint32_t bad[3] = { (uint32_t)outside, 4, sizeof outside - 1 };
	const uint32_t good[3] = { (uint32_t)inside, 4, sizeof inside - 1 };

	leave(call(OPEN, bad) == -1 && call(OPEN, good) > 0 ? 0 : 1);
}
