/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/pages.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* Sizes on both sides of where allocation changes: none, small, the first that gets pages of its own,
 * a huge page less one byte, whole, and more one byte. */
static const size_t sizes[] = {
	0, 1, PAGES_HUGE / 4 - 1, PAGES_HUGE / 4, PAGES_HUGE - 1, PAGES_HUGE, PAGES_HUGE + 1, 3 * PAGES_HUGE + 12345,
};

static bool is_zero(const u8 *p, size_t bytes)
{
	return !bytes || (!*p && !memcmp(p, p + 1, bytes - 1));
}

Test(pages, memory_is_zeroed_and_writable_to_its_end)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		u8 *p = pages_alloc(sizes[i]);

		cr_assert(p != NULL, "%zu bytes", sizes[i]);
		cr_expect(is_zero(p, sizes[i]), "%zu bytes", sizes[i]);
		memset(p, 0xa5, sizes[i]);
		pages_release(p, sizes[i]);
	}
}

Test(pages, memory_is_zeroed_again_after_a_release)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (unsigned round = 0; round < 3; round++) {
			u8 *p = pages_alloc(sizes[i]);

			cr_assert(is_zero(p, sizes[i]), "%zu bytes, round %u", sizes[i], round);
			memset(p, 0x5a, sizes[i]);
			pages_release(p, sizes[i]);
		}
}

Test(pages, large_memory_begins_on_a_huge_page)
{
	for (size_t bytes = PAGES_HUGE / 4; bytes < 5 * PAGES_HUGE; bytes += PAGES_HUGE / 4) {
		void *p = pages_alloc(bytes), *q = pages_alloc(bytes);

		cr_assert(p && q);
		cr_expect(eq(sz, (uintptr_t)p % PAGES_HUGE, 0));
		cr_expect(eq(sz, (uintptr_t)q % PAGES_HUGE, 0));
		pages_release(p, bytes);
		pages_release(q, bytes);
	}
}

Test(pages, more_than_there_is_is_refused)
{
	cr_expect(eq(ptr, pages_alloc(SIZE_MAX), NULL));
	cr_expect(eq(ptr, pages_alloc(SIZE_MAX - PAGES_HUGE), NULL));
	cr_expect(eq(ptr, pages_alloc(SIZE_MAX / 2), NULL));
	pages_release(NULL, 1);
	pages_release(NULL, PAGES_HUGE);
}

/* Advice is a wish: no part of a huge page, nothing at all, memory of another kind. */
Test(pages, advice_changes_nothing)
{
	static u8 bytes[3 * PAGES_HUGE];

	memset(bytes, 1, sizeof bytes);
	pages_advise(bytes, sizeof bytes);
	pages_advise(bytes + 1, 1);
	pages_advise(NULL, 0);
	cr_expect(eq(u8, bytes[0], 1));
	cr_expect(eq(int, memcmp(bytes, bytes + 1, sizeof bytes - 1), 0));
}
