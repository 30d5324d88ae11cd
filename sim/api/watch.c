/* SPDX-License-Identifier: Apache-2.0 */
/* Watchpoints of the library's user. */
#include "sim/api/private.h"
#include "sim/watch.h"

#include <stdlib.h>

struct api_watch {
	struct api_watch *next;
	struct watch watch;
};

static void accessed(void *ctx, u32 address, u64 size, enum bus_access access)
{
	struct fvpsim_machine *m = ctx;

	for (struct api_watch *w = m->watch; w && m->inside; w = w->next) {
		if (!watch_counts(m->m, &w->watch, address, size, access) || m->watched_made)
			continue;
		m->watched_made = true;
		m->watched = w->watch.addr;
		watch_halt(m->m);
	}
}

int fvpsim_add_watchpoint(struct fvpsim_machine *m, uint32_t address, uint32_t bytes, int accesses, struct fvpsim_error *error)
{
	struct bus_public *bus = bus_public(m->m->bus);
	struct api_watch *w;
	int kind = api_outside(m, error);

	if (kind)
		return kind;
	if (!bytes || bytes > API_WATCHED || !(accesses & (FVPSIM_READS | FVPSIM_WRITES)))
		return api_fail(error, FVPSIM_USAGE, "a watchpoint covers 1 to %d bytes, and reads, writes or both", API_WATCHED);
	if (!bus_span(m->m->bus, BUS_CPU, address, bytes))
		return api_fail(error, FVPSIM_NO_MEMORY, "0x%08x, %u bytes: only memory can be watched", address, bytes);
	w = calloc(1, sizeof *w);
	if (w)
		w->watch = (struct watch){
			.addr = address, .bytes = bytes,
			.accesses = (accesses & FVPSIM_READS ? WATCH_READS : 0) | (accesses & FVPSIM_WRITES ? WATCH_WRITES : 0),
		};
	if (!w || !watch_start(m->m, &w->watch)) {
		free(w);
		return api_fail(error, FVPSIM_INTERNAL, "host memory is short");
	}
	w->next = m->watch;
	m->watch = w;
	bus->watched = accessed;
	bus->watched_ctx = m;
	return api_ok(error);
}

int fvpsim_remove_watchpoint(struct fvpsim_machine *m, uint32_t address, struct fvpsim_error *error)
{
	int kind = api_outside(m, error);
	bool found = false;

	if (kind)
		return kind;
	for (struct api_watch **at = &m->watch, *w; (w = *at);) {
		if (w->watch.addr != address) {
			at = &w->next;
			continue;
		}
		found = true;
		*at = w->next;
		watch_stop(m->m, &w->watch);
		free(w);
	}
	for (const struct api_watch *w = m->watch; w; w = w->next) /* pages may be shared */
		watch_flag(m->m, &w->watch);
	return found ? api_ok(error) : api_fail(error, FVPSIM_USAGE, "no watchpoint begins at 0x%08x", address);
}

uint32_t fvpsim_watched(const struct fvpsim_machine *m)
{
	return m->watched;
}

void api_watch_free(struct fvpsim_machine *m)
{
	for (struct api_watch *w = m->watch, *next; w; w = next) {
		next = w->next;
		free(w->watch.old); /* the machine is gone */
		free(w);
	}
}
