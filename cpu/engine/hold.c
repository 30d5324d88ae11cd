/* SPDX-License-Identifier: Apache-2.0 */
/* Guest registers in host registers. Results come to memory when their host register is needed, or when something else than
 * this code must find them there. */
#include "cpu/engine/hold.h"

#include "cpu/state.h"

#include <stddef.h>

_Static_assert(offsetof(struct cpu, core.r) == 0, "registers have short addresses");

/* Those that neither arguments of handlers nor pins occupy, but for two that instructions compute with. */
static const u8 holders[] = { RBX, RDI, R10, R11, R12 };
#define HOLDERS (sizeof(holders) / sizeof(*holders))

static struct host_operand at(unsigned r) { return in_memory(RSI, NO_INDEX, 0, (i32)(4 * r)); }

void hold_nothing(struct hold *h)
{
	*h = (struct hold){ 0 };
	memset(h->host, HELD_NOWHERE, sizeof(h->host));
	memset(h->guest, HELD_NOWHERE, sizeof(h->guest));
}

static void use(struct hold *h, unsigned host)
{
	h->busy |= (u16)(1u << host);
	h->used[host] = ++h->now;
}

static void forget(struct hold *h, unsigned r)
{
	h->guest[h->host[r]] = HELD_NOWHERE;
	h->host[r] = HELD_NOWHERE;
	h->unsaved &= (u16)~(1u << r);
	h->held--;
}

static void save(struct host_code *k, const struct hold *h, unsigned r)
{
	put_op(k, 0, 0x89, h->host[r], at(r));
}

unsigned hold_free(struct hold *h, struct host_code *k)
{
	unsigned best = HELD_NOWHERE;

	for (unsigned i = 0; i < HOLDERS; i++) {
		const unsigned host = holders[i];
		if (h->busy >> host & 1)
			continue;
		if (h->guest[host] == HELD_NOWHERE) {
			best = host;
			break;
		}
		if (best == HELD_NOWHERE || h->used[host] < h->used[best])
			best = host;
	}
	assert(best != HELD_NOWHERE && "an instruction needs fewer");
	const unsigned r = h->guest[best];
	if (r != HELD_NOWHERE) {
		if (h->unsaved >> r & 1)
			save(k, h, r);
		forget(h, r);
	}
	use(h, best);
	return best;
}

unsigned hold_get(struct hold *h, struct host_code *k, unsigned r)
{
	if (h->host[r] == HELD_NOWHERE) {
		const unsigned host = hold_free(h, k);
		put_op(k, 0, 0x8b, host, at(r));
		h->host[r] = (u8)host;
		h->guest[host] = (u8)r;
		h->held++;
	}
	use(h, h->host[r]);
	return h->host[r];
}

unsigned hold_to(struct hold *h, struct host_code *k, unsigned r)
{
	if (h->host[r] == HELD_NOWHERE)
		return hold_free(h, k);
	use(h, h->host[r]);
	return h->host[r];
}

void hold_set(struct hold *h, unsigned r, unsigned host)
{
	if (h->host[r] != host) {
		if (h->host[r] != HELD_NOWHERE)
			forget(h, r);
		h->host[r] = (u8)host;
		h->guest[host] = (u8)r;
		h->held++;
	}
	h->unsaved |= (u16)(1u << r);
}

void hold_put_saves(const struct hold *h, struct host_code *k)
{
	for (u32 m = h->unsaved; m; m &= m - 1)
		save(k, h, (unsigned)__builtin_ctz(m));
}

void hold_save(struct hold *h, struct host_code *k)
{
	hold_put_saves(h, k);
	h->unsaved = 0;
}

void hold_put_loads(const struct hold *h, struct host_code *k)
{
	for (unsigned i = 0; i < HOLDERS; i++)
		if (h->guest[holders[i]] != HELD_NOWHERE)
			put_op(k, 0, 0x8b, holders[i], at(h->guest[holders[i]]));
}
