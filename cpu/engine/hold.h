/* SPDX-License-Identifier: Apache-2.0 */
/* Guest registers in host registers, within straight code. Private to engine/. */
#ifndef CPU_ENGINE_HOLD_H
#define CPU_ENGINE_HOLD_H

#include "cpu/engine/host.h"

#define HELD_NOWHERE 0xffu
#define HOLD_MAX 6u /* guest registers at a time */

/* Which host register holds a guest register, and the other way round; what is not in memory yet; host registers that the
 * instruction being laid needs; when each was used last. */
struct hold {
	u8 host[16], guest[HOST_REGISTERS];
	u16 unsaved; /* a bit per guest register */
	u16 busy;    /* a bit per host register */
	u16 kept;    /* a bit per guest register: others make place first */
	u8 held;     /* how many */
	u32 used[HOST_REGISTERS], now;
};

/* Forgets what was held. */
void hold_nothing(struct hold *h);
/* An instruction begins. */
static inline void hold_begin(struct hold *h) { h->busy = 0; }
/* Its part is done: `host` may make place for others. */
static inline void hold_release(struct hold *h, unsigned host) { h->busy &= (u16)~(1u << host); }
/* The host register that holds guest register r; brings it where it is in none. It stays for this instruction. */
unsigned hold_get(struct hold *h, struct host_code *k, unsigned r);
/* A host register that holds nothing. */
unsigned hold_free(struct hold *h, struct host_code *k);
/* Guest register r has a new value, in `host`: one of hold_free, or the one that held it. */
void hold_set(struct hold *h, unsigned r, unsigned host);
/* Where a new value of r may be computed when its old one is not needed any more. */
unsigned hold_to(struct hold *h, struct host_code *k, unsigned r);
/* Guest register r has a new value, in memory. */
void hold_forget(struct hold *h, unsigned r);
/* Brings to memory what is not there. The second changes nothing: for code that leaves. */
void hold_save(struct hold *h, struct host_code *k);
void hold_put_saves(const struct hold *h, struct host_code *k);
/* Brings the registers of `set`, a bit each and at most HOLD_MAX, from memory, where nothing is held. Those of `changes` count as not in
 * memory from now on. */
void hold_bring(struct hold *h, struct host_code *k, u16 set, u16 changes);
/* Makes *h hold what `to` does, in the same host registers. */
void hold_become(struct hold *h, const struct hold *to, struct host_code *k);

#endif
