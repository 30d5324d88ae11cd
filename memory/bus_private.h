/* SPDX-License-Identifier: Apache-2.0 */
/* What the bus consists of. Private to memory/. */
#ifndef MEMORY_BUS_PRIVATE_H
#define MEMORY_BUS_PRIVATE_H

#include "memory/bus.h"
#include "memory/host.h"

struct gate {
	u32 base, last;
	const struct bus_gate_ops *ops;
	void *ctx;
};

enum { FILLS_MAX = 32 };

/* A memory that begins with a pattern. */
struct fill {
	u32 word[2];
	u32 first_page, pages; /* physical */
};

struct bus {
	struct bus_public face;
	struct host_memory host;
	struct region region[BUS_MAX_REGIONS];
	unsigned regions;
	const struct region *latest; /* that an access found, as programs access a device again and again; NULL: none */
	struct gate gate[BUS_MAX_REGIONS]; /* sorted by base as well */
	unsigned gates;
	struct fill fill[FILLS_MAX];
	unsigned fills;
	u8 *unfilled; /* by physical page: 1 + the number of the fill it still waits for, 0: none; NULL: no page waits */
	u8 flagged_all; /* flags that all pages have had */
	const struct diag *diag;
};

/* Somebody is about to access these bytes: tells those who asked by these flags. */
void pages_ask(struct bus *b, u32 addr, u64 size, u8 flags, enum bus_access access);

#endif
