/* SPDX-License-Identifier: Apache-2.0 */
/* What an access of one beat takes, by page, behind the bytes of a table of permissions (pages.h), of machines with caches: translated code finds
 * there in one word whether it may be made and what it takes. Filled when a page is accessed past the cache; 0 is always right. Private to cpu/. */
#ifndef CPU_SYS_PAY_PAGES_H
#define CPU_SYS_PAY_PAGES_H

#include "memory/bus.h"

/* Distances from the table's first byte to the words of reads and of writes. */
#define PAY_PAGES(write) ((size_t)BUS_PAGES * ((write) ? 1 + sizeof(u32) : 1))
#define PAY_PAGES_END (PAY_PAGES(true) + BUS_PAGES * sizeof(u32))

/* A word is minus cost units << 16: a budget to which it is added carries where it reaches. PAY_NOT: not known, or the page has no such right
 * (PERM_WAIT_READ, PERM_WAIT_WRITE); PAY_NOTHING: it takes no time. These two never carry. */
enum { PAY_NOT = 0, PAY_NOTHING = 1 };

/* Pages that may have words, so that forgetting is cheap. */
#define PAY_LISTED 1024u
struct pay_pages { u32 page[PAY_LISTED], count; };

static inline u32 *pay_page(u8 *table, u32 page, bool write) { return (u32 *)(table + PAY_PAGES(write)) + page; }

/* What is known: cost units << 16, or PAY_ASK; a page without the right gets none. */
void pay_pages_fill(struct pay_pages *k, u8 *table, u32 page, u32 read, u32 write);
/* The rights of a page change, or go. */
void pay_pages_drop(const struct pay_pages *k, u8 *table, u32 page);
/* Nothing is known any more. */
void pay_pages_forget(struct pay_pages *k, u8 *table);

#endif
