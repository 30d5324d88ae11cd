/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of registers: A is the base, Vd the number of bytes. With -DDATA_WAITS the checks of machines with caches, which look at two
 * lines at most. */
#include "cpu/stencil/body.h"

#ifdef DATA_WAITS
#define LIST_PART(name) STENCIL(part, waits_##name)
#else
#define LIST_PART(name) STENCIL(part, name)
#endif

/* With the number of bytes: by name, as the compiler would load it to a register. */
#define WITH_BYTES(op, value) ({ u32 x_ = (value); __asm__(op "l %1, %0" : "+r"(x_) : "i"(H_Vd) : "cc"); x_; })
/* All of a list lies in one page, at words. */
BODY bool list_open(const struct cpu *c, u32 at, u8 right)
{
	return page_permits(c, FAST, at, 1, 1, right) && LIKELY(!(at & 3)) && LIKELY(WITH_BYTES("add", at & 4095) <= 4096);
}
#define OPEN(name, first, fits, right) \
	LIST_PART(open_##name) \
	{ \
		u32 at = (first); \
		if (UNLIKELY(!(fits) || !list_open(c, at, right))) { \
			LOAD_SLOT(); \
			TAIL(H_PLAIN); \
		} \
		s = (const struct slot *)(engine_memory + at); \
		TAIL(H_NEXT); \
	}
OPEN(load, RA, true, PAGE_READ)
OPEN(load_down, WITH_BYTES("sub", RA), true, PAGE_READ)
OPEN(load_sp, c->core.r[13], at >= c->sp_limit, PAGE_READ)
OPEN(store, RA, true, PAGE_WRITE)
OPEN(store_down, WITH_BYTES("sub", RA), true, PAGE_WRITE)
OPEN(store_sp, WITH_BYTES("sub", c->core.r[13]), at >= c->sp_limit, PAGE_WRITE)


#ifndef DATA_WAITS
#define LISTED (*(u32 *)((char *)(uintptr_t)s + (uintptr_t)H_IMM))
LIST_PART(load_one)
{
	RA = LISTED;
	TAIL(H_NEXT);
}
LIST_PART(store_one)
{
	LISTED = RA;
	TAIL(H_NEXT);
}
LIST_PART(load_pc)
{
	latest = LISTED;
	if (UNLIKELY(!jump_plain(latest))) {
		LOAD_SLOT();
		TAIL(H_PLAIN);
	}
	TAIL(H_NEXT);
}
LIST_PART(base_up)
{
	RA = WITH_BYTES("add", RA);
	TAIL(H_NEXT);
}
LIST_PART(base_down)
{
	RA = WITH_BYTES("sub", RA);
	TAIL(H_NEXT);
}
LIST_PART(jump_latest) { ENTER_ADDRESS(latest); }
LIST_PART(leave_latest)
{
	c->core.next_pc = latest;
	TAIL(H_GO);
}
#endif
