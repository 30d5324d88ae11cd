/* SPDX-License-Identifier: Apache-2.0 */
/* Guest registers in host registers. Results come to memory when their host register is needed, or when something else than
 * this code must find them there. */
#include "cpu/engine/hold.h"

#include "cpu/state.h"

#include <stddef.h>

_Static_assert(offsetof(struct cpu, core.r) == 0, "registers have short addresses");

/* Those that neither arguments of handlers nor pins occupy, but for two that instructions compute with. */
static const u8 holders[] = { RBX, RDI, RBP, R10, R11, R12 };
#define HOLDERS HOLD_MAX
_Static_assert(sizeof(holders) == HOLD_MAX, "one guest register each");

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

void hold_forget(struct hold *h, unsigned r)
{
	if (h->host[r] != HELD_NOWHERE)
		forget(h, r);
}

static void save(struct host_code *k, const struct hold *h, unsigned r)
{
	put_op(k, 0, 0x89, h->host[r], at(r));
}

/* True when host register x makes place rather than y. */
static bool goes_before(const struct hold *h, unsigned x, unsigned y)
{
	const bool x_kept = h->kept >> h->guest[x] & 1, y_kept = h->kept >> h->guest[y] & 1;

	return x_kept != y_kept ? y_kept : h->used[x] < h->used[y];
}

/* The host register that is needed least. */
static unsigned choose_free(const struct hold *h)
{
	unsigned best = HELD_NOWHERE;

	for (unsigned i = 0; i < HOLDERS; i++) {
		const unsigned host = holders[i];
		if (h->busy >> host & 1)
			continue;
		if (h->guest[host] == HELD_NOWHERE)
			return host;
		if (best == HELD_NOWHERE || goes_before(h, host, best))
			best = host;
	}
	assert(best != HELD_NOWHERE && "an instruction needs fewer");
	return best;
}

unsigned hold_free(struct hold *h, struct host_code *k)
{
	const unsigned best = choose_free(h), r = h->guest[best];

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

void hold_bring(struct hold *h, struct host_code *k, u16 set, u16 changes)
{
	hold_begin(h);
	for (u32 m = set; m; m &= m - 1)
		hold_get(h, k, (unsigned)__builtin_ctz(m));
	h->unsaved |= set & changes;
	h->kept = set;
}

/* Moves between host registers that happen at once: `from` of each, or itself. */
struct moves { u8 from[HOST_REGISTERS]; };

static bool is_source(const struct moves *m, unsigned host)
{
	for (unsigned i = 0; i < HOLDERS; i++)
		if (m->from[holders[i]] == host && holders[i] != host)
			return true;
	return false;
}

/* Makes those whose target nobody reads any more; false: all that are left go round. */
static bool make_moves(struct moves *m, struct host_code *k)
{
	bool moved = true, left = false;

	while (moved) {
		moved = left = false;
		for (unsigned i = 0; i < HOLDERS; i++) {
			const unsigned to = holders[i];
			if (m->from[to] == to)
				continue;
			if (is_source(m, to)) {
				left = true;
				continue;
			}
			put_mov(k, to, m->from[to]);
			m->from[to] = (u8)to;
			moved = true;
		}
	}
	return !left;
}

/* One of a round makes place. */
static void break_round(struct moves *m, struct host_code *k)
{
	unsigned to = holders[0];

	for (unsigned i = 0; m->from[to] == to; i++)
		to = holders[i];
	put_mov(k, RAX, to);
	for (unsigned i = 0; i < HOLDERS; i++)
		if (m->from[holders[i]] == to)
			m->from[holders[i]] = RAX;
}

void hold_become(struct hold *h, const struct hold *to, struct host_code *k)
{
	struct moves m;

	for (u32 unsaved = h->unsaved & ~to->unsaved; unsaved; unsaved &= unsaved - 1)
		save(k, h, (unsigned)__builtin_ctz(unsaved));
	for (unsigned i = 0; i < HOLDERS; i++) {
		const unsigned host = holders[i], r = to->guest[host];
		m.from[host] = r != HELD_NOWHERE && h->host[r] != HELD_NOWHERE ? h->host[r] : (u8)host;
	}
	while (!make_moves(&m, k))
		break_round(&m, k);
	for (unsigned i = 0; i < HOLDERS; i++) {
		const unsigned host = holders[i], r = to->guest[host];
		if (r != HELD_NOWHERE && h->host[r] == HELD_NOWHERE)
			put_op(k, 0, 0x8b, host, at(r));
	}
	*h = *to;
}
