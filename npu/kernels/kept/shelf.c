/* SPDX-License-Identifier: Apache-2.0 */
/* Shelves of packed weights; see shelf.h. */
#include "npu/kernels/kept/shelf.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct npu_shelf {
	struct npu_shelf *next; /* of those that others can see, the newest first */
	const struct npu_simd *simd;
	const struct npu_config *config;
	bool open, owned;
	unsigned users; /* its owner, or who keeps it without one, and all that use sets of it */
	struct npu_store store, records;
	struct npu_packed *bucket[NPU_PACKED_BUCKETS];
	u32 sets;
	struct npu_lasting lasting; /* with streams of sets, once the owner is gone */
};

static struct {
	pthread_mutex_t lock;
	pthread_once_t once;
	struct npu_shelf *first;
	size_t limit;
} shelves = { .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT, .limit = NPU_SHELF_BYTES };

static void lock(void)
{
	pthread_mutex_lock(&shelves.lock);
}

static void unlock(void)
{
	pthread_mutex_unlock(&shelves.lock);
}

/* A process that forks while another of its threads is in here leaves its child a lock that can be taken. */
static void survive_fork(void)
{
	(void)pthread_atfork(lock, unlock, unlock);
}

/* With the lock held: out of others' sight. */
static void hide(struct npu_shelf *shelf)
{
	struct npu_shelf **at = &shelves.first;

	while (*at && *at != shelf)
		at = &(*at)->next;
	if (*at)
		*at = shelf->next;
}

/* With the lock held: those that were used last are the last to go. */
static void to_front(struct npu_shelf *shelf)
{
	hide(shelf);
	shelf->next = shelves.first;
	shelves.first = shelf;
}

struct npu_shelf *npu_shelf_new(const struct npu_simd *simd, const struct npu_config *config, bool open)
{
	struct npu_shelf *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->simd = simd;
	s->config = config;
	s->open = open;
	s->owned = true;
	s->users = 1;
	if (!open)
		return s;
	pthread_once(&shelves.once, survive_fork);
	lock();
	to_front(s);
	unlock();
	return s;
}

struct npu_store *npu_shelf_store(struct npu_shelf *shelf)
{
	return &shelf->store;
}

struct npu_store *npu_shelf_records(struct npu_shelf *shelf)
{
	return &shelf->records;
}

struct npu_packed *npu_shelf_show(struct npu_shelf *shelf, const struct npu_packed *s, unsigned bucket)
{
	struct npu_packed *shown = shelf->open ? npu_store_take(&shelf->store, sizeof(*shown)) : NULL;

	if (!shown)
		return NULL;
	memcpy(shown, s, offsetof(struct npu_packed, state)); /* which other threads may look at */
	shown->state = NPU_PACKED_READY;
	shown->shown = NULL;
	shown->from = NULL;
	lock();
	shown->next = shelf->bucket[bucket];
	shelf->bucket[bucket] = shown;
	shelf->sets++;
	unlock();
	return shown;
}

void npu_shelf_show_prepared(const struct npu_packed *s)
{
	if (!s->shown)
		return;
	lock();
	s->shown->prepared = s->prepared;
	unlock();
}

static const struct npu_packed *set_of(const struct npu_shelf *shelf, const struct npu_packed_key *key, unsigned bucket,
				       const struct npu_view *view)
{
	for (const struct npu_packed *s = shelf->bucket[bucket]; s; s = s->next)
		if (memcmp(&s->key, key, sizeof(*key)) == 0 && (!view || npu_packed_same(s, view)))
			return s;
	return NULL;
}

struct npu_shelf *npu_shelf_find(const struct npu_shelf *own, const struct npu_packed_key *key, unsigned bucket, const struct npu_view *view,
				 struct npu_packed *set)
{
	struct npu_shelf *s;

	if (!own->open)
		return NULL;
	lock();
	for (s = shelves.first; s; s = s->next) {
		const struct npu_packed *found = s == own || s->simd != own->simd || s->config != own->config ? NULL
			: set_of(s, key, bucket, view);
		if (!found)
			continue;
		*set = *found;
		s->users++;
		to_front(s);
		break;
	}
	unlock();
	return s;
}

static void release(const struct npu_lasting *l)
{
	if (l->release)
		l->release(l->ctx);
}

/* With the lock held. Nobody looks for sets of a shelf without users. */
static void give_up(struct npu_shelf *shelf)
{
	if (--shelf->users > 0)
		return;
	hide(shelf);
	release(&shelf->lasting);
	npu_store_clear(&shelf->store);
	npu_store_clear(&shelf->records);
	free(shelf);
}

void npu_shelf_put_back(struct npu_shelf *shelf)
{
	lock();
	give_up(shelf);
	unlock();
}

void npu_shelf_hold(struct npu_shelf *shelf)
{
	lock();
	shelf->users++;
	unlock();
}

/* All streams in memory that the shelf has; false: memory is short. */
static bool keep_streams(struct npu_shelf *shelf)
{
	for (unsigned b = 0; b < NPU_PACKED_BUCKETS; b++)
		for (struct npu_packed *s = shelf->bucket[b]; s; s = s->next) {
			if (!npu_packed_keep(s, &shelf->store, &shelf->lasting))
				return false;
		}
	return true;
}

/* With the lock held: the oldest that have no owner go until the others take no more than they may. */
static void make_room(void)
{
	for (;;) {
		struct npu_shelf *oldest = NULL;
		size_t bytes = 0;
		for (struct npu_shelf *s = shelves.first; s; s = s->next)
			if (!s->owned) {
				bytes += s->store.bytes + s->records.bytes + s->lasting.bytes;
				oldest = s;
			}
		if (bytes <= shelves.limit)
			return;
		hide(oldest);
		give_up(oldest);
	}
}

unsigned npu_shelf_kept(void)
{
	unsigned n = 0;

	lock();
	for (const struct npu_shelf *s = shelves.first; s; s = s->next)
		n += !s->owned;
	unlock();
	return n;
}

size_t npu_shelf_limit(size_t bytes)
{
	lock();
	const size_t before = shelves.limit;
	shelves.limit = bytes;
	make_room();
	unlock();
	return before;
}

void npu_shelf_leave(struct npu_shelf *shelf, bool keep, const struct npu_lasting *lasting)
{
	if (!shelf) {
		release(lasting);
		return;
	}
	lock();
	shelf->owned = false;
	shelf->lasting = *lasting;
	if (keep && shelf->open && shelf->sets && shelf->store.bytes + shelf->records.bytes + lasting->bytes <= shelves.limit && keep_streams(shelf)) {
		to_front(shelf);
		make_room();
	} else {
		hide(shelf);
		give_up(shelf);
	}
	unlock();
}
