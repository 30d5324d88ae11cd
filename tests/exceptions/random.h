/* SPDX-License-Identifier: Apache-2.0 */
/* What the random scenarios share: repeatable numbers, and a hash of what was seen (FNV-1a, by
 * words). Included by one file per program. */
#ifndef TESTS_EXCEPTIONS_RANDOM_H
#define TESTS_EXCEPTIONS_RANDOM_H

#include "lib.h"

static u32 hash = 0x811C9DC5;

/* xorshift32; seeds are never 0. */
static u32 next_random(u32 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static void note(u32 value) { hash = (hash ^ value) * 0x01000193; }

#endif
