/* SPDX-License-Identifier: Apache-2.0 */
/* Permission tables of the fast path (docs/design/cpu-system.md, "Permission pages").
 *
 * One byte per 4 KiB page where the whole page has one answer. A page that a region boundary cuts has a
 * byte per granule of 32 bytes, the finest step of MPU, SAU and TCM gates, in a small cache beside the
 * table; the page's own byte then says what all granules allow to data, and "execute" once its decoded code
 * is in use, which knows the granules.
 *
 * Pages without memory have no byte, as their accesses are never fast: device_pages.h remembers some. */
#include "cpu/sys/pages.h"
#include "cpu/sys/caches.h"
#include "cpu/sys/debug.h"
#include "cpu/sys/device_pages.h"
#include "cpu/sys/pay_pages.h"
#include "cpu/sys/scs.h"
#include "cpu/sys/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TABLES 8        /* Secure, privileged, MPU off */
#define TOUCHED_MAX 4096
#define SHORT_RANGE 16  /* pages: looked at one by one */
#define LISTED 0x80     /* a page without permissions that stays in `touched` */

/* `touched` lists the nonzero bytes so that a flush is cheap. */
struct permission_table {
	u8 *page;
	u32 touched[TOUCHED_MAX], count;
	struct cut_page cut[CUT_PAGES];
	bool has_cut;
	struct device_pages devices;
	struct pay_pages pays;
};
struct sys_host { struct permission_table table[TABLES]; };

static void forget_cuts(struct permission_table *t)
{
	for (unsigned i = 0; i < CUT_PAGES; i++)
		t->cut[i].page = BUS_NO_PAGE;
	t->has_cut = false;
}

static void gates_changed(void *ctx)
{
	access_flush(ctx);
}

static void flagged(void *ctx, u32 phys_page);

/* Of a table. */
static size_t table_bytes(const struct cpu *c) { return c->caches ? PAY_PAGES_END : BUS_PAGES; }

bool pages_new(struct cpu *c)
{
	c->sys_host = calloc(1, sizeof(*c->sys_host));
	if (!c->sys_host)
		return false;
	for (unsigned i = 0; i < TABLES; i++) {
		void *pages = mmap(NULL, table_bytes(c), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (pages == MAP_FAILED)
			return false;
		c->sys_host->table[i].page = pages;
		forget_cuts(&c->sys_host->table[i]);
	}
	bus_public(c->bus)->gates_changed = gates_changed;
	bus_public(c->bus)->gates_ctx = c;
	bus_public(c->bus)->flagged = flagged;
	bus_public(c->bus)->flagged_ctx = c;
	return true;
}

void pages_free(struct cpu *c)
{
	for (unsigned i = 0; c->sys_host && i < TABLES; i++)
		if (c->sys_host->table[i].page)
			munmap(c->sys_host->table[i].page, table_bytes(c));
	free(c->sys_host);
	c->sys_host = NULL;
}

static unsigned table_index(bool secure, bool privileged, bool mpu_off)
{
	return (unsigned)secure | (unsigned)privileged << 1 | (unsigned)mpu_off << 2;
}

static struct permission_table *table_of(const struct cpu *c, bool secure, bool privileged)
{
	return &c->sys_host->table[table_index(secure, privileged, !mpu_enabled(c, secure))];
}

static const struct cut_page *cut_of(const struct permission_table *t, u32 page)
{
	const struct cut_page *k = &t->cut[page % CUT_PAGES];
	return t->has_cut && k->page == page ? k : NULL;
}

void access_select(struct cpu *c)
{
	struct permission_table *t = table_of(c, c->core.secure, state_privileged(c, c->core.secure));
	c->page_ok = t->page;
	c->cut = t->has_cut ? t->cut : NULL;
	caches_look_again(c);
	c->unaligned = c->sys->reg[c->core.secure][SCS_CCR] & CCR_UNALIGN_TRP ? 0 : PERM_NORMAL;
	pacbti_select(c);
}

static void set_page(struct permission_table *t, u32 page, u8 perm)
{
	if (!t->page[page]) {
		if (t->count < TOUCHED_MAX)
			t->touched[t->count] = page;
		t->count++;
	}
	t->page[page] = perm;
	pay_pages_drop(&t->pays, t->page, page);
}

static void flush_table(struct permission_table *t)
{
	if (t->count > TOUCHED_MAX)
		madvise(t->page, BUS_PAGES, MADV_DONTNEED);
	for (u32 k = 0; t->count <= TOUCHED_MAX && k < t->count; k++)
		t->page[t->touched[k]] = 0;
	t->count = 0;
	pay_pages_forget(&t->pays, t->page);
	if (t->has_cut)
		forget_cuts(t);
	device_pages_forget(&t->devices);
}

/* A task's regions: few pages, often. */
static void flush_short_range(struct permission_table *t, u32 first, u32 last)
{
	for (u32 page = first; page <= last; page++) {
		struct cut_page *k = &t->cut[page % CUT_PAGES];
		if (t->page[page])
			t->page[page] = LISTED;
		pay_pages_drop(&t->pays, t->page, page);
		if (k->page == page)
			k->page = BUS_NO_PAGE;
	}
}

static void flush_range(struct permission_table *t, u32 first, u32 last)
{
	device_pages_forget(&t->devices);
	if (last - first < SHORT_RANGE) {
		flush_short_range(t, first, last);
		return;
	}
	if (t->count > TOUCHED_MAX) {
		flush_table(t);
		return;
	}
	for (u32 k = 0; k < t->count;) {
		u32 page = t->touched[k];
		if (page >= first && page <= last) {
			t->page[page] = 0;
			pay_pages_drop(&t->pays, t->page, page);
			t->touched[k] = t->touched[--t->count];
		} else {
			k++;
		}
	}
	for (unsigned i = 0; t->has_cut && i < CUT_PAGES; i++)
		if (t->cut[i].page >= first && t->cut[i].page <= last)
			t->cut[i].page = BUS_NO_PAGE;
}

void access_flush(struct cpu *c)
{
	for (unsigned i = 0; i < TABLES; i++)
		flush_table(&c->sys_host->table[i]);
	c->sys->permissions_changed = true;
	access_select(c);
}

void access_flush_mpu(struct cpu *c, bool secure, u32 first, u32 last)
{
	for (unsigned privileged = 0; privileged < 2; privileged++)
		flush_range(&c->sys_host->table[table_index(secure, privileged, false)], first >> BUS_PAGE_SHIFT,
			    last >> BUS_PAGE_SHIFT);
	c->sys->permissions_changed |= mpu_enabled(c, secure);
}

/* What the fast path may not do to pages with these flags. */
static u8 taken_by(u8 flags)
{
	return (flags & PAGE_ASK_WRITE ? PERM_WRITE | PERM_WAIT_WRITE : 0) |
	       (flags & PAGE_WATCHED_READ ? PERM_READ | PERM_TIMED | PERM_WAIT_READ : 0);
}

static void take_from(struct permission_table *t, u32 page, u8 taken)
{
	struct cut_page *cut = &t->cut[page % CUT_PAGES];
	t->page[page] &= (u8)~taken;
	pay_pages_drop(&t->pays, t->page, page);
	if (cut->page != page)
		return;
	cut->mask &= (u8)~taken;
	for (unsigned g = 0; g < PAGE_GRANULES; g++)
		cut->perm[g] &= (u8)~taken;
}

/* bus_public.flagged: from every guest page that shows it, in all tables. */
static void flagged(void *ctx, u32 phys_page)
{
	struct cpu *c = ctx;
	u32 guest[64];
	if (phys_page == BUS_NO_PAGE) {
		access_flush(c);
		return;
	}
	unsigned n = bus_page_aliases(c->bus, phys_page, guest, ARRAY_LEN(guest));
	u8 taken = taken_by(bus_page_flags(bus_public(c->bus), phys_page));
	for (unsigned i = 0; i < TABLES; i++)
		for (unsigned k = 0; k < n; k++)
			take_from(&c->sys_host->table[i], guest[k], taken);
}

/* The same where each access must be noted. */
static u8 waiting(u8 perm)
{
	return (u8)((perm & ~(PERM_READ | PERM_WRITE)) | (perm & PERM_READ ? PERM_WAIT_READ : 0) | (perm & PERM_WRITE ? PERM_WAIT_WRITE : 0));
}

/* What SAU and MPU say to addr, and the addresses around it, in its page, for which that holds. */
struct said { struct sau_result attribution; struct mpu_result mpu; u32 first, last; };

static struct said ask(const struct cpu *c, u32 addr, bool secure, bool privileged)
{
	struct said x;

	sau_lookup(c, addr, false, secure, &x.attribution);
	mpu_lookup(c, addr, secure, privileged, &x.mpu);
	x.first = x.attribution.first > x.mpu.first ? x.attribution.first : x.mpu.first;
	x.last = x.attribution.last < x.mpu.last ? x.attribution.last : x.mpu.last;
	return x;
}

/* All that may be done at addr, and the addresses around it, in its page, for which that holds. */
static u8 permission_at(const struct cpu *c, u32 addr, bool secure, bool privileged, u32 *first, u32 *last)
{
	const struct said x = ask(c, addr, secure, privileged);
	const struct sau_result attribution = x.attribution;
	const struct mpu_result mpu = x.mpu;

	*first = x.first;
	*last = x.last;
	if (tcm_gated(c, addr))
		region_narrows(addr, addr & ~(GRANULE - 1), addr | (GRANULE - 1), first, last);
	if ((!secure && !attribution.ns) || tcm_answer(c, addr, attribution.ns, false) != TCM_TAKES)
		return 0;
	if (!bus_allows(c->bus, addr, (struct bus_attr){ !attribution.ns, privileged, BUS_CPU }))
		return 0;
	u8 perm = mpu.perm | (mpu.device ? 0 : PERM_NORMAL);
	/* Code runs only in the state it belongs to; a state never executes from the other's memory. */
	if (c->config.security && attribution.ns == secure)
		perm &= (u8)~PERM_EXECUTE;
	if (perm & PERM_READ && tcm_read_waits(c, addr))
		perm ^= PERM_READ | PERM_TIMED;
	return caches_time(c, addr) ? waiting(perm) : perm;
}

/* Granules first..last, below 128. */
static void permit_execution(struct cut_page *k, u32 first, u32 last)
{
	for (u32 word = first / 64; word <= last / 64; word++) {
		u64 from = word == first / 64 ? ~0ull << first % 64 : ~0ull;
		u64 to = word == last / 64 ? ~0ull >> (63 - last % 64) : ~0ull;
		k->exec[word] |= from & to;
	}
}

/* The whole cut page at once: it has few pieces. What all of them allow to data, the page allows. */
static void open_granules(struct cpu *c, struct permission_table *t, u32 page, bool secure, bool privileged, u8 mask)
{
	struct cut_page *k = &t->cut[page % CUT_PAGES];
	u32 base = page << BUS_PAGE_SHIFT, end = base + (BUS_PAGE_SIZE - 1), first, last = base - 1;
	u8 common = PERM_READ | PERM_TIMED | PERM_WRITE | PERM_WAIT_READ | PERM_WAIT_WRITE | PERM_NORMAL;
	if (k->page != BUS_NO_PAGE) { /* its decoded code must not be entered without it */
		t->page[k->page] = 0;
		pay_pages_drop(&t->pays, t->page, k->page);
	}
	*k = (struct cut_page){ .page = page, .mask = mask };
	do {
		u32 addr = last + 1;
		u8 perm = permission_at(c, addr, secure, privileged, &first, &last) & mask;
		u32 from = (addr - base) / GRANULE, to = (last - base) / GRANULE;
		memset(k->perm + from, perm, to - from + 1);
		if (perm & PERM_EXECUTE)
			permit_execution(k, from, to);
		common &= perm;
	} while (last != end);
	set_page(t, page, common);
	t->has_cut = true;
	access_select(c);
}

static void remember_device(const struct cpu *c, struct permission_table *t, u32 addr, bool secure, bool privileged)
{
	const struct said x = ask(c, addr, secure, privileged);
	const bool refused = !secure && !x.attribution.ns;

	device_pages_remember(&t->devices, addr, (struct device_page){ x.first, x.last, refused ? 0 : x.mpu.perm, x.attribution.ns });
}

bool pages_device(const struct cpu *c, const struct protect_request *q, bool *ns)
{
	return device_pages_allow(&table_of(c, q->secure, q->privileged)->devices, q, ns);
}

/* What the board may change on its own: it tells when its gates change (gates_changed), and whether Secure memory is
 * callable decides only cpu_fetch. */
void pages_open(struct cpu *c, u32 addr, bool secure, bool privileged)
{
	struct permission_table *t = table_of(c, secure, privileged);
	u32 page = addr >> BUS_PAGE_SHIFT, phys = scs_covers(addr) ? BUS_NO_PAGE : bus_ram_page(c->bus, addr, BUS_CPU), first, last;
	const struct cut_page *cut = cut_of(t, page);
	u8 mask = 0xFF;
	if (phys == BUS_NO_PAGE)
		remember_device(c, t, addr, secure, privileged);
	if (phys == BUS_NO_PAGE || debug_watches_page(c, addr))
		return;
	mask &= (u8)~taken_by(bus_page_flags(bus_public(c->bus), phys));
	if (debug_breaks_page(c, addr))
		mask &= (u8)~PERM_EXECUTE;
	if (cut && cut->mask == mask)
		return;
	u8 perm = permission_at(c, addr, secure, privileged, &first, &last) & mask;
	if (last - first == BUS_PAGE_SIZE - 1)
		set_page(t, page, perm);
	else
		open_granules(c, t, page, secure, privileged, mask);
}

void pages_pay(struct cpu *c, u32 addr, u32 read, u32 write)
{
	struct permission_table *t = table_of(c, c->core.secure, state_privileged(c, c->core.secure));
	pay_pages_fill(&t->pays, t->page, addr >> BUS_PAGE_SHIFT, read, write);
}

void pages_forget_pay(struct cpu *c)
{
	for (unsigned i = 0; c->sys_host && i < TABLES; i++)
		pay_pages_forget(&c->sys_host->table[i].pays, c->sys_host->table[i].page);
}

u8 pages_allow(const struct cpu *c, u32 addr, bool secure, bool privileged)
{
	const struct permission_table *t = table_of(c, secure, privileged);
	const struct cut_page *k = cut_of(t, addr >> BUS_PAGE_SHIFT);
	return k ? k->perm[addr % BUS_PAGE_SIZE / GRANULE] : t->page[addr >> BUS_PAGE_SHIFT];
}

bool access_executable(const struct cpu *c, u32 addr, u64 granules[2])
{
	const struct cut_page *k = c->cut ? &c->cut[addr >> BUS_PAGE_SHIFT & (CUT_PAGES - 1)] : NULL;
	u32 g = addr % BUS_PAGE_SIZE / GRANULE;
	granules[0] = granules[1] = ~0ull;
	if (!k || k->page != addr >> BUS_PAGE_SHIFT)
		return c->page_ok[addr >> BUS_PAGE_SHIFT] & PERM_EXECUTE;
	memcpy(granules, k->exec, sizeof(k->exec));
	return k->exec[g / 64] >> g % 64 & 1;
}

void access_code_entered(struct cpu *c, u32 page, bool exchanged)
{
	struct permission_table *t = table_of(c, c->core.secure, state_privileged(c, c->core.secure));
	for (unsigned i = 0; exchanged && i < TABLES; i++)
		c->sys_host->table[i].page[page] &= (u8)~PERM_EXECUTE;
	set_page(t, page, t->page[page] | PERM_EXECUTE);
}
