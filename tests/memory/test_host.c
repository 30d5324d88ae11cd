/* SPDX-License-Identifier: Apache-2.0 */
/* The memory file, or the pool where files must stay small (meson.build runs this with `ulimit -f` as well). */
#include "memory/host.h"

#include <criterion/criterion.h>

#define AT 0x60000000u
#define BYTES (UINT64_C(1) << 30)
#define FAR (UINT64_C(256) << 20)

/* A state holds what is used: looking for it must not make the host give memory for the rest. */
Test(host, only_pages_that_hold_something_are_used)
{
	u64 offset, first, last, bytes = 0;
	struct host_memory h;
	bool low = false, high = false;

	cr_assert(host_memory_open(&h));
	cr_assert(host_memory_take(&h, BYTES, &offset));
	cr_assert(host_memory_map(&h, AT, BYTES, offset));
	cr_expect_not(host_memory_used(&h, offset, offset + BYTES, &first, &last));
	h.base[AT + 5] = 1;
	h.base[AT + FAR] = 1;
	for (u64 from = offset; host_memory_used(&h, from, offset + BYTES, &first, &last); from = last + 1) {
		cr_assert(first >= from && last >= first && last < offset + BYTES);
		low |= first <= offset + 5 && offset + 5 <= last;
		high |= first <= offset + FAR && offset + FAR <= last;
		bytes += last + 1 - first;
	}
	cr_expect(low && high);
	cr_expect_lt(bytes, BYTES / 16, "%llu bytes", (unsigned long long)bytes);
	host_memory_close(&h);
}
