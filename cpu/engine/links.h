/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs of branches that lead to other pages: which address each leads to, and whether it goes straight to that address' code. Private to
 * engine/translate*.c. */
#ifndef CPU_ENGINE_LINKS_H
#define CPU_ENGINE_LINKS_H

#include "memory/types.h"

#define LINKS 16384u /* branches that are remembered; what comes later finds its page each time, until all code is dropped */
#define LINK_BUCKETS 1024u

/* stub: its distance from slot_base. next: the one before in the same bucket, from 1; 0: none. made: it goes straight to the code. */
struct link { u32 to; i32 stub; u16 next; bool made; };
struct links {
	u16 count, bucket[LINK_BUCKETS]; /* the latest one, from 1 */
	struct link list[LINKS];
};
_Static_assert(LINKS < 1u << 16, "links are numbered by 16 bits");

/* All code is dropped. */
void links_forget_all(struct links *l);
/* A new one, not made yet; NULL: there is no room. */
struct link *links_add(struct links *l, u32 to, i32 stub);
/* The latest one that leads to an address, and the one before. NULL: there is none. */
struct link *links_first(struct links *l, u32 to);
struct link *links_next(struct links *l, const struct link *link);

#endif
