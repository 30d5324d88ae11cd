/* SPDX-License-Identifier: Apache-2.0 */
/* Rights that an access of translated code needs of its page and of its line, by what it is and what reading takes. Private to engine/. */
#ifndef CPU_ENGINE_DIRECT_RIGHTS_H
#define CPU_ENGINE_DIRECT_RIGHTS_H

#include "cpu/engine/direct.h"
#include "cpu/engine/waits.h"

/* Of a page whose accesses take no time. */
static inline u8 direct_free_rights(const struct direct *d, const struct recipe *r)
{
	return direct_loads(r) ? PERM_READ | (d->reads_pay ? 0 : PERM_TIMED) : PERM_WRITE;
}
/* Of one whose accesses wait. */
static inline u8 direct_waiting_right(const struct recipe *r) { return direct_loads(r) ? PERM_WAIT_READ : PERM_WAIT_WRITE; }
/* Of an access that is to find a page without wait: it takes no time there, or none waits at all. */
static inline bool direct_untimed(const struct direct *d) { return d->untimed || d->cost == COST_NOTHING; }
/* Where struct pay_words has what an access takes by its place in its line. */
static inline i32 direct_units(bool loads, unsigned bytes)
{
	const struct pay_words *const w = NULL;

	return (i32)(offsetof(struct pay_words, bytes) + (loads ? 0 : sizeof(w->bytes[0])) + (unsigned)__builtin_ctz(bytes) * sizeof(w->bytes[0][0]));
}
/* What makes the line of an access free that takes no time by its page. */
static inline u8 direct_free_line(const struct recipe *r) { return direct_loads(r) ? FREE_READ | FREE_BESIDE : FREE_WRITE; }

#endif
