/* SPDX-License-Identifier: Apache-2.0 */
/* Checked guest memory accesses (slow path) and how a failing one reports. Private to cpu/.
 *
 * The fast path (engine handlers) tests page_ok and touches host memory itself; everything else
 * ends here: alignment, SAU/IDAU and MPU checks, TCM gates, devices, exclusive monitor,
 * watchpoints, code-page invalidation. A successful access to plain RAM sets the page's bits in
 * page_ok, so that the next one is fast, or those of its granules where regions cut the page. */
#ifndef CPU_ACCESS_H
#define CPU_ACCESS_H

#include "cpu/state.h"

enum access_flags {
	ACC_NORMAL = 0,
	ACC_UNPRIV = 1,    /* LDRT/STRT: check as unprivileged */
	ACC_ALIGNED = 2,   /* unaligned is a UsageFault even with UNALIGN_TRP = 0 (LDM, LDRD, MVE, ...) */
	ACC_STACK = 4,     /* exception stacking: faults go to MSTKERR/STKERR */
	ACC_UNSTACK = 8,
	ACC_LAZYFP = 16,
	ACC_NS = 64,       /* forced Non-secure (TrustZone stacking, TT) */
	ACC_TRIED = 128,   /* fast paths: the instruction may still be refused behind it, and begin again */
};

/* bytes: 1, 2, 4. False: a fault is pending in cpu->sys, nothing was changed, the instruction
 * must be abandoned (leave the engine; r[15] = its address). */
bool cpu_load(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u32 *value);
bool cpu_store(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u32 value);
/* Instruction fetch of one halfword. False as above (IACCVIOL, IBUSERR, INVEP, ...). */
bool cpu_fetch(struct cpu *c, u32 addr, u16 *halfword);

/* True when the access can be made in memory at once, also unaligned and across two pages: the pages are open,
 * and unaligned accesses are neither trapped nor refused by Device memory. Counts an unaligned one. */
bool access_direct(struct cpu *c, u32 addr, unsigned bytes, unsigned flags, u8 right);

/* The same for `lanes` side by side, `bytes` each, of a vector of 16 whose active ones `mask` has, where reading takes time of its own: those are noted,
 * and all may be read. */
bool access_lanes(struct cpu *c, u32 addr, unsigned bytes, unsigned lanes, u32 mask);

#define CUT_PAGES 64    /* kept at a time for each state; a page has one place */
#define GRANULE 32u     /* bytes: the finest step of MPU, SAU and TCM gates */
#define PAGE_GRANULES (BUS_PAGE_SIZE / GRANULE)
#define BEYOND_GRANULES 8 /* without any permission: an access of up to 256 bytes that leaves the page ends there */

/* What may be done in a page that regions cut. */
struct cut_page {
	u32 page;               /* BUS_NO_PAGE: none */
	u8 mask;                /* what the page's use for code and debug left of the permissions */
	u8 perm[PAGE_GRANULES + BEYOND_GRANULES]; /* OR of the bits of page_ok */
	u64 exec[2];            /* granules that may be executed, a bit each */
};

/* In such a page: the current state may access all of the bytes, 256 at most, which lie in the page, so
 * (OR of the bits of page_ok), as far as is known. Only while cpu->cut is not NULL. */
ALWAYS_INLINE bool access_granules(const struct cpu *c, u32 addr, u32 bytes, u8 right)
{
	const struct cut_page *k = &c->cut[addr >> BUS_PAGE_SHIFT & (CUT_PAGES - 1)];
	u32 offset = addr % BUS_PAGE_SIZE, first = offset / GRANULE, last = (offset + bytes - 1) / GRANULE;

	if (k->page != addr >> BUS_PAGE_SHIFT)
		return false;
	u8 perm = k->perm[first] & k->perm[last];
	for (u32 g = first + 1; g < last; g++)
		perm &= k->perm[g];
	return (perm & right) == right;
}
/* May the current state execute at addr, as far as is known; `granules`: where in its page else it may, a
 * bit per 32 bytes. */
bool access_executable(const struct cpu *c, u32 addr, u64 granules[2]);
/* The engine has put the code decoded for these granules in c->code[page]; exchanged: for others before,
 * whose states must not enter it. */
void access_code_entered(struct cpu *c, u32 page, bool exchanged);

/* A fetch without the execute bit must go through cpu_fetch each time: NSC memory and breakpoints rely on it. */

#endif
