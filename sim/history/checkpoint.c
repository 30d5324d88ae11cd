/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/history/checkpoint.h"
#include "sim/state.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_CHECKPOINTS = 4 };

/* Most pages that a program writes first are as memory is at first: one pattern of eight bytes over and over. */
struct kept_page {
	u32 phys_page;
	bool pattern; /* bytes has eight of them, else all */
	u8 bytes[];
};

struct checkpoint {
	struct position at;
	struct state_buffer state;
	u64 journal_at;
	struct kept_page **pages; /* changed until the next checkpoint: as they were at this one */
	unsigned page_count, page_room;
	u64 page_bytes; /* of them all */
	bool changed;   /* by the debugger: from those before it, running does not lead here */
};

enum { PATTERN = 8 };

static u64 bytes_of_page(const struct kept_page *p)
{
	return sizeof *p + (p->pattern ? PATTERN : BUS_PAGE_SIZE);
}

static u64 bytes_of(const struct checkpoint *c)
{
	return c->state.room + c->page_room * sizeof *c->pages + c->page_bytes;
}

/* What the outside keeps is in the journal; memory in pages. */
static bool is_kept_elsewhere(const struct state_block *b)
{
	return (!strcmp(b->part, "memory") && !strcmp(b->name, "pages")) ||
	       (!strcmp(b->part, "semihosting") && !strcmp(b->name, "open files")) ||
	       (!strcmp(b->part, "serial ports") && !strcmp(b->name, "input"));
}

static bool make_room(struct checkpoint *c)
{
	const unsigned room = c->page_room ? 2 * c->page_room : 64;
	void *more;

	if (c->page_count < c->page_room)
		return true;
	more = realloc(c->pages, room * sizeof *c->pages);
	if (!more)
		return false;
	c->pages = more;
	c->page_room = room;
	return true;
}

/* A copy; NULL: host memory is short. */
static struct kept_page *copy_page(u32 phys_page, const u8 *bytes)
{
	const bool pattern = !memcmp(bytes, bytes + PATTERN, BUS_PAGE_SIZE - PATTERN);
	const size_t size = pattern ? PATTERN : BUS_PAGE_SIZE;
	struct kept_page *page = malloc(sizeof *page + size);

	if (!page)
		return NULL;
	page->phys_page = phys_page;
	page->pattern = pattern;
	memcpy(page->bytes, bytes, size);
	return page;
}

static void add_page(struct checkpoint *c, struct kept_page *page)
{
	c->pages[c->page_count++] = page;
	c->page_bytes += bytes_of_page(page);
}

/* bus_public.keep */
static void keep(void *ctx, u32 phys_page, const u8 *bytes)
{
	struct history *h = ctx;
	struct checkpoint *c = h->count ? &h->checkpoints[h->count - 1] : NULL;
	struct kept_page *page;

	if (!c || h->going_back)
		return;
	if (h->options.dispensable && (h->short_of_memory || machine_stop_asked(h->machine))) {
		h->short_of_memory = true;
		return;
	}
	h->bytes -= bytes_of(c);
	page = make_room(c) ? copy_page(phys_page, bytes) : NULL;
	if (page)
		add_page(c, page);
	else
		h->short_of_memory = true;
	h->bytes += bytes_of(c);
}

/* Pages may still be flagged when a history has ended. */
static void keep_nothing(void *ctx, u32 phys_page, const u8 *bytes)
{
	(void)ctx, (void)phys_page, (void)bytes;
}

bool checkpoints_prepare(struct history *h)
{
	const struct state_list *all = machine_state(h->machine);

	if (!all)
		return false;
	h->parts = *all;
	h->parts.blocks = 0;
	for (unsigned i = 0; i < all->blocks; i++)
		if (!is_kept_elsewhere(&all->block[i]))
			h->parts.block[h->parts.blocks++] = all->block[i];
	bus_public(h->machine->bus)->keep = keep;
	bus_public(h->machine->bus)->keep_ctx = h;
	return true;
}

static void free_parts(struct checkpoint *c)
{
	for (unsigned i = 0; i < c->page_count; i++)
		free(c->pages[i]);
	free(c->pages);
	state_buffer_free(&c->state);
	*c = (struct checkpoint){ 0 };
}

static void empty(struct history *h, struct checkpoint *c)
{
	h->bytes -= bytes_of(c);
	free_parts(c);
}

/* Drops those from number `first` on; memory stays as it is. */
static void checkpoints_forget(struct history *h, unsigned first)
{
	while (h->count > first)
		empty(h, &h->checkpoints[--h->count]);
	if (h->count)
		return;
	free(h->checkpoints);
	h->checkpoints = NULL;
	h->room = 0;
}

void checkpoints_end(struct history *h)
{
	checkpoints_forget(h, 0);
	bus_public(h->machine->bus)->keep = keep_nothing;
}

static bool has_page(const struct checkpoint *c, u32 phys_page)
{
	for (unsigned i = 0; i < c->page_count; i++)
		if (c->pages[i]->phys_page == phys_page)
			return true;
	return false;
}

/* Takes number i out of the row: the one before it gets its pages, where it has not got them itself. */
static void merge(struct history *h, unsigned i)
{
	struct checkpoint *to = &h->checkpoints[i - 1], *from = &h->checkpoints[i];

	h->bytes -= bytes_of(to);
	for (unsigned p = 0, own = to->page_count; p < from->page_count; p++) {
		struct checkpoint seen = { .pages = to->pages, .page_count = own };

		if (has_page(&seen, from->pages[p]->phys_page) || !make_room(to))
			continue;
		add_page(to, from->pages[p]);
		h->bytes -= bytes_of_page(from->pages[p]);
		from->page_bytes -= bytes_of_page(from->pages[p]);
		from->pages[p--] = from->pages[--from->page_count];
	}
	h->bytes += bytes_of(to);
	empty(h, from);
	memmove(from, from + 1, (h->count - i - 1) * sizeof *from);
	h->count--;
}

/* Those before the past are not wanted any more, unless somebody else keeps them. */
static void forget_inputs(struct history *h)
{
	const u64 bytes = h->checkpoints[0].journal_at;

	if (h->journal != &h->own || !bytes)
		return;
	journal_forget(h->journal, bytes);
	h->next_input -= bytes;
	for (unsigned i = 0; i < h->count; i++)
		h->checkpoints[i].journal_at -= bytes;
}

/* The past begins with number 1 from now on. */
static void drop_oldest(struct history *h)
{
	empty(h, &h->checkpoints[0]);
	memmove(h->checkpoints, h->checkpoints + 1, --h->count * sizeof *h->checkpoints);
	forget_inputs(h);
}

/* Every second of the older half goes; when that is not enough, the oldest. */
static void thin(struct history *h)
{
	while (h->count > h->options.checkpoints)
		drop_oldest(h);
	while (history_bytes(h) > h->options.bytes && h->count > LEAST_CHECKPOINTS) {
		const unsigned half = h->count / 2;

		for (unsigned i = 1; i <= half / 2; i++)
			if (!h->checkpoints[i].changed)
				merge(h, i);
		if (history_bytes(h) <= h->options.bytes)
			return;
		drop_oldest(h);
	}
}

static void flag_pages(struct history *h, const struct checkpoint *c)
{
	for (unsigned i = 0; i < c->page_count; i++)
		bus_flag_page(h->machine->bus, c->pages[i]->phys_page, PAGE_KEPT);
}

bool checkpoint_add(struct history *h)
{
	struct checkpoint c = { .at = history_now(h), .journal_at = h->journal->at, .changed = h->changed };

	h->next_cycle = machine_cycles(h->machine) + h->options.cycles;
	h->next_input = h->journal->at + h->options.inputs;
	if (h->count && !h->changed && !memcmp(&h->checkpoints[h->count - 1].at, &c.at, sizeof c.at))
		return true;
	if (h->count == h->room) {
		void *more = realloc(h->checkpoints, (h->room + 64) * sizeof *h->checkpoints);

		if (!more)
			return false;
		h->checkpoints = more;
		h->room += 64;
	}
	if (!state_save(&h->parts, &c.state)) {
		state_buffer_free(&c.state);
		return false;
	}
	if (h->count)
		flag_pages(h, &h->checkpoints[h->count - 1]);
	else
		bus_flag_all(h->machine->bus, PAGE_KEPT);
	h->checkpoints[h->count++] = c;
	h->bytes += bytes_of(&c);
	thin(h);
	return true;
}

struct position checkpoint_at(const struct history *h, unsigned i)
{
	return h->checkpoints[i].at;
}

unsigned checkpoint_of_change(const struct history *h)
{
	unsigned i = h->count - 1;

	while (i && !h->checkpoints[i].changed)
		i--;
	return i;
}

static const u8 *bytes_were(const struct kept_page *page, u8 room[BUS_PAGE_SIZE])
{
	if (!page->pattern)
		return page->bytes;
	for (u32 at = 0; at < BUS_PAGE_SIZE; at += PATTERN)
		memcpy(room + at, page->bytes, PATTERN);
	return room;
}

static void put_bytes(struct bus *bus, const struct kept_page *page)
{
	u8 room[BUS_PAGE_SIZE];
	const u8 *from = bytes_were(page, room);
	u8 *to = bus_page_bytes(bus, page->phys_page);

	if (memcmp(to, from, BUS_PAGE_SIZE)) {
		bus_page_changes(bus, page->phys_page);
		memcpy(to, from, BUS_PAGE_SIZE);
	}
}

static void put_back(struct history *h, struct checkpoint *c)
{
	struct bus *bus = h->machine->bus;

	for (unsigned i = 0; i < c->page_count; i++) {
		put_bytes(bus, c->pages[i]);
		bus_flag_page(bus, c->pages[i]->phys_page, PAGE_KEPT);
		free(c->pages[i]);
	}
	h->bytes -= bytes_of(c);
	c->page_count = 0;
	c->page_bytes = 0;
	h->bytes += bytes_of(c);
}

void checkpoint_restore(struct history *h, unsigned i)
{
	struct checkpoint *c = &h->checkpoints[i];
	char why[256];

	h->going_back = true;
	for (unsigned k = h->count; k-- > i;)
		put_back(h, &h->checkpoints[k]);
	checkpoints_forget(h, i + 1);
	machine_output_seen(h->machine);
	state_restore(&h->parts, c->state.data, c->state.bytes, why, sizeof why);
	h->journal->at = c->journal_at;
	h->going_back = h->changed = false;
	h->next_cycle = machine_cycles(h->machine) + h->options.cycles;
	h->next_input = h->journal->at + h->options.inputs;
}

/* False: host memory is short. */
static bool copy_changed(const struct history *h, struct checkpoint *to)
{
	for (unsigned k = 0; k < h->count; k++) {
		const struct checkpoint *c = &h->checkpoints[k];

		for (unsigned i = 0; i < c->page_count; i++) {
			const u32 number = c->pages[i]->phys_page;
			struct kept_page *page = make_room(to) ? copy_page(number, bus_page_bytes(h->machine->bus, number)) : NULL;

			if (!page)
				return false;
			add_page(to, page);
		}
	}
	return true;
}

struct checkpoint *checkpoint_of_present(const struct history *h, u64 most)
{
	struct checkpoint *c = calloc(1, sizeof *c);
	u64 bytes = 0;

	for (unsigned k = 0; k < h->count; k++)
		bytes += (u64)h->checkpoints[k].page_count << BUS_PAGE_SHIFT;
	if (!c)
		return NULL;
	c->journal_at = h->journal->at;
	c->changed = h->changed;
	if (bytes <= most && state_save(&h->parts, &c->state) && copy_changed(h, c))
		return c;
	free_parts(c);
	free(c);
	return NULL;
}

/* Pages that change on the way are kept for the checkpoint from which it comes. */
void checkpoint_return(struct history *h, struct checkpoint *present)
{
	char why[256];

	for (unsigned i = 0; i < present->page_count; i++)
		put_bytes(h->machine->bus, present->pages[i]);
	state_restore(&h->parts, present->state.data, present->state.bytes, why, sizeof why);
	h->journal->at = present->journal_at;
	h->changed = present->changed;
	free_parts(present);
	free(present);
}
