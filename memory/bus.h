/* SPDX-License-Identifier: Apache-2.0 */
/* The guest's physical address space: the place where CPU, NPU, devices and loader meet.
 *
 * The 4 GiB space is one reserved host mapping: host address = bus->base + guest address for
 * every page of RAM. RAM lives in one memory file that is mapped as often as it has aliases,
 * without committing host memory before it is touched. A host's pages may have up to 64 KiB
 * (memory/host.h): there RAM begins on such a page, or cannot be mapped. Accesses to
 * anything but RAM go through bus_read and bus_write to a device.
 *
 * Two views: the CPU's and the NPU's (TCMs are not visible to the NPU). */
#ifndef MEMORY_BUS_H
#define MEMORY_BUS_H

#include "memory/diag.h"
#include "memory/types.h"

#define BUS_PAGE_SHIFT 12
#define BUS_PAGE_SIZE (1u << BUS_PAGE_SHIFT)
#define BUS_PAGES (1u << (32 - BUS_PAGE_SHIFT))
#define BUS_NO_PAGE UINT32_MAX
#define BUS_MAX_REGIONS 256

enum bus_view { BUS_CPU = 1, BUS_NPU = 2, BUS_FETCH = 4 /* besides BUS_CPU: an instruction is fetched */ };

enum region_kind { REGION_RAM, REGION_DEVICE };

/* Result of an access. */
enum bus_status {
	BUS_OK,
	BUS_NOTHING_THERE, /* no region: bus error */
	BUS_REFUSED,       /* region exists, but gate or device says no: bus error */
};

/* Who asks; devices and security gates look at it. */
struct bus_attr {
	bool secure, privileged;
	u8 view; /* enum bus_view */
};

/* A device's registers. `offset` is relative to the device's base; size 1, 2 or 4, aligned. */
struct bus_device_ops {
	enum bus_status (*read)(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 *value);
	enum bus_status (*write)(void *ctx, u32 offset, unsigned size, struct bus_attr attr, u32 value);
};

struct region {
	const char *name; /* "DTCM", "UART0": used in every message */
	u32 base;
	u32 last;         /* last address, inclusive */
	u8 kind;          /* enum region_kind */
	u8 views;         /* OR of enum bus_view */
	bool alias;       /* RAM: cells of another region */
	u32 phys_page;    /* RAM: page number in the memory file of `base` */
	const struct bus_device_ops *ops; /* DEVICE */
	void *ctx;
};

/* A gate in front of some addresses (MPC, PPC). */
struct bus_gate_ops {
	/* Without side effects; depends on addr only by page. */
	bool (*allows)(void *ctx, u32 addr, struct bus_attr attr);
	/* An access that was not allowed: BUS_REFUSED, or BUS_OK: reads zero, writes nothing. */
	enum bus_status (*refuse)(void *ctx, u32 addr, struct bus_attr attr, bool write);
};

struct bus; /* public part below is read by the CPU's fast path */

/* What a page of RAM is besides memory, a bit each. Whoever writes asks before (bus_write, bus_will_write,
 * bus_span_to_write); the CPU's fast path is kept away from pages with flags that concern it. No flag: nothing is asked. */
enum page_flag {
	PAGE_CODE = 1,         /* holds decoded code */
	PAGE_WATCHED = 2,      /* somebody wants to know of writes */
	PAGE_WATCHED_READ = 4, /* and of reads */
	PAGE_KEPT = 8,         /* its bytes are wanted before they change */
	PAGE_ASK_WRITE = PAGE_CODE | PAGE_WATCHED | PAGE_KEPT,
};

/* What happens to watched bytes. */
enum bus_access {
	BUS_READS,     /* they are about to be read */
	BUS_WRITES,    /* all of them are about to be written */
	BUS_MAY_WRITE, /* some may be written from now on, until */
	BUS_WROTE,     /* that is over */
};

struct bus_public {
	u8 *base;        /* host address of guest address 0 */
	u8 *page_flags;  /* by physical page; see bus_page_flags */
	u8 inverted;     /* flags that pages have got where page_flags has none: giving one to all pages costs nothing so */
	/* A page with PAGE_CODE is about to be written; clears the flag. */
	void (*code_written)(void *ctx, u32 phys_page);
	void *code_ctx;
	/* Pages have got flags: the fast path may not reach them any more. BUS_NO_PAGE: many. */
	void (*flagged)(void *ctx, u32 phys_page);
	void *flagged_ctx;
	/* A page with PAGE_KEPT is about to be written, at `bytes`; its flag is gone. */
	void (*keep)(void *ctx, u32 phys_page, const u8 *bytes);
	void *keep_ctx;
	/* An access to a page with PAGE_WATCHED... */
	void (*watched)(void *ctx, u32 addr, u64 size, enum bus_access access);
	void *watched_ctx;
	/* Called when what the gates allow has changed. */
	void (*gates_changed)(void *ctx);
	void *gates_ctx;
};

/* enum page_flag of a page of RAM. */
static inline u8 bus_page_flags(const struct bus_public *b, u32 phys_page)
{
	return b->page_flags[phys_page] ^ b->inverted;
}

struct bus *bus_new(const struct diag *diag); /* NULL when the host refuses the reservation */
void bus_free(struct bus *b); /* NULL: nothing to free; ends all pointers into its memory */
struct bus_public *bus_public(struct bus *b); /* valid as long as the bus */

/* Adds RAM of `size` bytes (multiple of 4 KiB) at `base` (multiple of the host's page); false when it overlaps or the host
 * refuses. `alias_of` (a guest address inside earlier RAM) makes it the same cells. */
bool bus_add_ram(struct bus *b, const char *name, u32 base, u32 size, u8 views);
bool bus_add_alias(struct bus *b, const char *name, u32 base, u32 size, u8 views, u32 alias_of);

/* Adds a device; size need not be a multiple of a page, several devices may share a page. */
bool bus_add_device(struct bus *b, const char *name, u32 base, u32 size, u8 views,
		    const struct bus_device_ops *ops, void *ctx);

/* Puts a gate before size addresses, in all views; false when there is one, or no place for more. */
bool bus_add_gate(struct bus *b, u32 base, u32 size, const struct bus_gate_ops *ops, void *ctx);
/* Would a gate, if there is one, let this access pass? */
bool bus_allows(const struct bus *b, u32 addr, struct bus_attr attr);
/* Must follow any change of what a gate allows. */
void bus_gates_changed(struct bus *b);

/* Region at addr in that view, NULL when none. */
const struct region *bus_find(const struct bus *b, u32 addr, u8 view);
/* The first region that ends at or behind addr, in any view; NULL when none does. */
const struct region *bus_from(const struct bus *b, u32 addr);
/* RAM nearest to addr, for messages; NULL when there is none. */
const struct region *bus_nearest(const struct bus *b, u32 addr);

/* Physical RAM page behind addr when the whole 4 KiB page is RAM of that view, else BUS_NO_PAGE. */
u32 bus_ram_page(const struct bus *b, u32 addr, u8 view);
/* The guest pages that show a physical page; returns how many were stored (aliases <= max). */
unsigned bus_page_aliases(const struct bus *b, u32 phys_page, u32 *guest_pages, unsigned max);

/* One access of 1, 2 or 4 bytes, not crossing its natural alignment; RAM or device. */
enum bus_status bus_read(struct bus *b, u32 addr, unsigned size, struct bus_attr attr, u32 *value);
enum bus_status bus_write(struct bus *b, u32 addr, unsigned size, struct bus_attr attr, u32 value);

/* The first run of RAM at or behind addr, in any view, that somebody may have reached: all other RAM is zeros, and looking at it would take
 * host memory. False: there is none. */
bool bus_used_from(const struct bus *b, u32 addr, u32 *first, u32 *last);
/* Host bytes of [addr, addr+size) when all of it is RAM of that view, else NULL. size may be 0. To look at. */
u8 *bus_span(struct bus *b, u8 view, u64 addr, u64 size);
/* How many of the bytes from addr on are RAM of that view, up to the first that is not. */
u64 bus_reaches(const struct bus *b, u8 view, u32 addr, u64 size);
/* Must precede any write through bus_span, of all these bytes. */
void bus_will_write(struct bus *b, u32 addr, u64 size);
/* Copies bytes to where bus_span() has found RAM of that view, after bus_will_write(). */
void bus_put(struct bus *b, u8 view, u32 addr, const void *from, u64 size);
/* The same for somebody who writes to some of these bytes, and tells when that is over (NULL: there is nothing to tell). */
u8 *bus_span_to_write(struct bus *b, u8 view, u64 addr, u64 size);
void bus_wrote(struct bus *b, u32 addr, u64 size);
/* Must precede reads through bus_span that a program or its devices make. */
void bus_will_read(struct bus *b, u32 addr, u64 size);

/* Sets and takes flags of a physical page; all pages of RAM get `flags`, none of which a page was given by itself before. */
void bus_flag_page(struct bus *b, u32 phys_page, u8 flags);
void bus_unflag_page(struct bus *b, u32 phys_page, u8 flags);
void bus_flag_all(struct bus *b, u8 flags);
/* Must precede writes to bus_page_bytes(). */
void bus_page_changes(struct bus *b, u32 phys_page);
/* Host bytes of a physical page. NULL: there is none. */
u8 *bus_page_bytes(struct bus *b, u32 phys_page);

struct state_list;
/* Registers what lies in RAM: of its pages, those that are not as they were when the bus was made. A restore
 * writes only where something differs. */
void bus_state(struct bus *b, struct state_list *list);

#endif
