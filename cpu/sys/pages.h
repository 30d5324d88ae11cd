/* SPDX-License-Identifier: Apache-2.0 */
/* Permission tables: what the fast path may do without asking, by page, and by granules of 32 bytes in
 * pages that MPU or SAU regions cut. Private to cpu/sys/. */
#ifndef CPU_SYS_PAGES_H
#define CPU_SYS_PAGES_H

#include "cpu/sys/protect.h"

#define CUT_PAGES 64    /* kept at a time for each state; a page has one place */
#define GRANULE 32u     /* bytes: the finest step of MPU, SAU and TCM gates */
#define PAGE_GRANULES (BUS_PAGE_SIZE / GRANULE)

struct cut_page {
	u32 page;
	bool valid;
	u8 mask;                /* what the page's use for code and debug left of the permissions */
	u8 perm[PAGE_GRANULES]; /* OR of PERM_ */
	u64 exec[2];            /* granules that may be executed, a bit each */
};

/* NULL sys_host: out of host memory. */
bool pages_new(struct cpu *c);
void pages_free(struct cpu *c);

/* What is known to be allowed at addr for that state (OR of PERM_); 0: unknown or special. */
u8 pages_allow(const struct cpu *c, u32 addr, bool secure, bool privileged);
/* After a successful slow access to addr: makes the next ones to its page fast. */
void pages_open(struct cpu *c, u32 addr, bool secure, bool privileged);

#endif
