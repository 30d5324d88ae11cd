/* SPDX-License-Identifier: Apache-2.0 */
/* The memory file, or the pool where files must stay small (meson.build runs this with `ulimit -f` as well). */
#include "memory/host.h"

#include <criterion/criterion.h>
#include <string.h>

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

/* What is dropped may be less than a page of the host: what lies beside it stays. */
Test(host, memory_beside_what_is_dropped_stays)
{
	const u64 page = 4096;
	u64 offset, first, last;
	struct host_memory h;

	cr_assert(host_memory_open(&h));
	cr_assert(host_memory_take(&h, 2 * HOST_PAGE_MAX, &offset));
	cr_assert(host_memory_map(&h, AT, 2 * HOST_PAGE_MAX, offset));
	memset(h.base + AT, 1, 2 * HOST_PAGE_MAX);
	for (u64 at = 0; at < 2 * HOST_PAGE_MAX; at += 8 * page)
		if (!host_memory_drop(&h, offset + at, page))
			memset(h.base + AT + at, 0, page);
	for (u64 at = 0; at < 2 * HOST_PAGE_MAX; at += page)
		cr_expect_eq(h.base[AT + at + 5], at % (8 * page) != 0, "at %llu", (unsigned long long)at);
	cr_expect(host_memory_drop(&h, offset, 2 * HOST_PAGE_MAX));
	cr_expect_not(host_memory_used(&h, offset, offset + 2 * HOST_PAGE_MAX, &first, &last));
	host_memory_close(&h);
}

/* Memories of any number of 4 KiB: the next begins on a page of any host, and the end of the last page is found as well. */
Test(host, small_memories_have_pages_of_their_own)
{
	u64 offset[3], first, last;
	struct host_memory h;

	cr_assert(host_memory_open(&h));
	for (u32 i = 0; i < 3; i++) {
		cr_assert(host_memory_take(&h, 0x5000, &offset[i]));
		cr_expect_eq(offset[i], i * HOST_PAGE_MAX);
		cr_assert(host_memory_map(&h, AT + i * FAR, 0x5000, offset[i]));
	}
	h.base[AT + FAR + 0x4fff] = 1;
	cr_assert(host_memory_used(&h, offset[1], offset[1] + 0x5000, &first, &last));
	cr_expect(first <= offset[1] + 0x4fff && last == offset[1] + 0x4fff, "%llu to %llu", (unsigned long long)first, (unsigned long long)last);
	cr_expect_not(host_memory_used(&h, offset[2], offset[2] + 0x5000, &first, &last));
	host_memory_close(&h);
}

/* Bytes written beside the mapping are the mapping's; a pool says that it has no file. */
Test(host, bytes_put_are_shown)
{
	static const u8 text[] = "put";
	struct host_memory h;
	u64 offset;

	cr_assert(host_memory_open(&h));
	cr_assert(host_memory_take(&h, 2 * HOST_PAGE_MAX, &offset));
	cr_assert(host_memory_map(&h, AT, 2 * HOST_PAGE_MAX, offset));
	h.base[AT + HOST_PAGE_MAX + 1] = 7;
	cr_expect_eq(host_memory_put(&h, offset + HOST_PAGE_MAX - 2, text, 3), h.pool == NULL);
	if (!h.pool)
		cr_expect_eq(memcmp(h.base + AT + HOST_PAGE_MAX - 3, "\0put\7", 5), 0);
	host_memory_close(&h);
}
