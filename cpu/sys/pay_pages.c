/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/sys/pay_pages.h"
#include "cpu/sys/pay.h"
#include "cpu/sys/protect.h"

static u32 word_of(u32 units, bool right)
{
	return !right || units == PAY_ASK ? PAY_NOT : units ? -units : PAY_NOTHING;
}

void pay_pages_fill(struct pay_pages *k, u8 *table, u32 page, u32 read, u32 write)
{
	u32 *const reads = pay_page(table, page, false), *const writes = pay_page(table, page, true);

	if (!(table[page] & (PERM_WAIT_READ | PERM_WAIT_WRITE)))
		return;
	if (*reads == PAY_NOT && *writes == PAY_NOT) {
		if (k->count == PAY_LISTED)
			pay_pages_forget(k, table);
		k->page[k->count++] = page;
	}
	*reads = word_of(read, table[page] & PERM_WAIT_READ);
	*writes = word_of(write, table[page] & PERM_WAIT_WRITE);
}

void pay_pages_drop(const struct pay_pages *k, u8 *table, u32 page)
{
	if (k->count)
		*pay_page(table, page, false) = *pay_page(table, page, true) = PAY_NOT;
}

void pay_pages_forget(struct pay_pages *k, u8 *table)
{
	for (u32 i = 0; i < k->count; i++)
		pay_pages_drop(k, table, k->page[i]);
	k->count = 0;
}
