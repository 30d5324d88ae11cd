/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors of which some lanes are read, in memories with wait states. */
#include "cpu/access.h"

#include "cpu/sys/caches.h"
#include "cpu/sys/protect.h"

bool access_lanes(struct cpu *c, u32 addr, unsigned bytes, unsigned lanes, u32 mask)
{
	const u8 need = PERM_WAIT_READ | PERM_NORMAL;
	const unsigned step = 16 / lanes;

	if (c->observed || addr & (bytes - 1) || addr % BUS_PAGE_SIZE > BUS_PAGE_SIZE - bytes * lanes || (c->page_ok[addr >> BUS_PAGE_SHIFT] & need) != need)
		return false;
	for (unsigned i = 0, n; i < lanes; i += n + 1) {
		for (n = 0; i + n < lanes && mask >> (i + n) * step & 1; n++)
			;
		if (n)
			caches_note(c, addr + i * bytes, n * bytes, false, c->core.secure);
	}
	return true;
}
