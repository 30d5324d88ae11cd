/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu/sys/device_pages.h"

#include <string.h>

static unsigned slot_of(u32 addr)
{
	return addr >> BUS_PAGE_SHIFT & (DEVICE_PAGES - 1);
}

void device_pages_forget(struct device_pages *d)
{
	memset(d, 0, sizeof *d);
}

void device_pages_remember(struct device_pages *d, u32 addr, struct device_page page)
{
	d->page[slot_of(addr)] = page;
}

bool device_pages_allow(const struct device_pages *d, const struct protect_request *q, bool *ns)
{
	const struct device_page *p = &d->page[slot_of(q->addr)];

	*ns = p->ns;
	return q->addr >= p->first && q->addr <= p->last && p->perm & (q->kind == PROTECT_WRITE ? PERM_WRITE : PERM_READ);
}
