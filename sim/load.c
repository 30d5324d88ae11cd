/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and data into memory, and where the core starts. */
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool machine_has_memory(const struct machine *m, const char *what, u32 addr, u64 size, char *why, size_t why_size)
{
	const struct region *near = bus_nearest(m->bus, addr);

	if (bus_span(m->bus, BUS_CPU, addr, size))
		return true;
	snprintf(why, why_size, "%s: no memory at 0x%08x, %llu bytes; the nearest is %s at 0x%08x..0x%08x", what, addr,
		 (unsigned long long)size, near ? near->name : "none", near ? near->base : 0, near ? near->last : 0);
	return false;
}

bool machine_load_data(struct machine *m, const char *what, u32 addr, const void *data, u64 size, char *why,
		       size_t why_size)
{
	if (!machine_has_memory(m, what, addr, size, why, why_size))
		return false;
	bus_will_write(m->bus, addr, size);
	bus_put(m->bus, BUS_CPU, addr, data, size);
	return true;
}

/* No memory was given a pattern. */
static bool begins_as_zeros(const struct machine *m)
{
	for (unsigned i = 0; i < CONFIG_MEMORIES; i++)
		if (m->config.memory_fill[i][0] | m->config.memory_fill[i][1])
			return false;
	return true;
}

/* Clears the rest of a segment as far as there is memory: images may reserve more than a board
 * has. */
static void clear(struct machine *m, u32 addr, u32 size)
{
	while (size) {
		const u32 piece = size < BUS_PAGE_SIZE ? size : BUS_PAGE_SIZE;
		u8 *to = bus_span(m->bus, BUS_CPU, addr, piece);

		if (to) {
			bus_will_write(m->bus, addr, piece);
			memset(to, 0, piece);
		}
		addr += piece;
		size -= piece;
	}
}

/* As far as there is memory, page by page; false: there is none at all. */
static bool load_parts(struct machine *m, const struct image_segment *s)
{
	bool any = false;

	for (u32 done = 0, piece; done < s->file_size; done += piece) {
		const u32 addr = s->paddr + done, in_page = BUS_PAGE_SIZE - addr % BUS_PAGE_SIZE;

		piece = in_page < s->file_size - done ? in_page : s->file_size - done;
		any |= machine_load_data(m, "", addr, s->bytes + done, piece, NULL, 0);
	}
	return any;
}

/* Copies what is not zero, page by page: memory that was never written costs the host nothing, and
 * programs come with large reserved areas as bytes of their file. False when it does not fit. */
static bool copy_into_fresh(struct machine *m, const struct image_segment *s)
{
	static const u8 zero[BUS_PAGE_SIZE];
	u8 *to = bus_span(m->bus, BUS_CPU, s->paddr, s->file_size);

	if (!to)
		return false;
	bus_will_write(m->bus, s->paddr, s->file_size);
	for (u32 at = 0, piece; at < s->file_size; at += piece) {
		piece = s->file_size - at < BUS_PAGE_SIZE ? s->file_size - at : BUS_PAGE_SIZE;
		if (memcmp(s->bytes + at, zero, piece))
			memcpy(to + at, s->bytes + at, piece);
	}
	return true;
}

/* Segments of a program that are compared with one another: with many it takes too long. */
enum { FEW = 32 };

/* True when nothing can have been loaded where the segment goes; for the first few segments. Aliases differ in bit 28. */
static bool is_fresh(const struct machine *m, const struct image *image, const struct image_segment *s)
{
	const u64 first = s->paddr & ~UINT32_C(0x10000000);

	for (const struct image_segment *t = image->segments; t < s && t < image->segments + FEW; t++) {
		const u64 other = t->paddr & ~UINT32_C(0x10000000);

		if (first < other + t->file_size && other < first + s->file_size)
			return false;
	}
	return m->image_count == 1 && s - image->segments < FEW && begins_as_zeros(m);
}

/* A number for each byte of RAM, the same under all its addresses. */
static u64 cell_of(const struct machine *m, u32 addr)
{
	return (u64)bus_ram_page(m->bus, addr, BUS_CPU) * BUS_PAGE_SIZE + addr % BUS_PAGE_SIZE;
}

/* Have the two different bytes for some of the same cells? */
static bool differ(const struct machine *m, const struct image_segment *s, const struct image_segment *t)
{
	const u64 a = cell_of(m, s->paddr), b = cell_of(m, t->paddr), from = a > b ? a : b;
	const u64 s_end = a + s->file_size, t_end = b + t->file_size, to = s_end < t_end ? s_end : t_end;

	return from < to && memcmp(s->bytes + (from - a), t->bytes + (from - b), to - from) != 0;
}

/* The first segment of the image, before s, that has other bytes for some of the same memory; NULL: none. */
static const struct image_segment *replaced_in(const struct machine *m, const struct image *image, const struct image_segment *s)
{
	for (unsigned i = 0; i < image->segment_count && i < FEW; i++) {
		const struct image_segment *t = &image->segments[i];

		if (t == s)
			break;
		if (differ(m, s, t))
			return t;
	}
	return NULL;
}

/* A linker script, or one of two programs, has a wrong address. */
static void tell_replaced(const struct machine *m, const struct image *image, const struct image_segment *s)
{
	const struct image *other = m->images;
	const struct image_segment *t;

	while (!(t = replaced_in(m, other, s)) && other < image)
		other++;
	if (t)
		diag_report(m->diag, DIAG_NOTE, "IMG002", "%s: what is loaded to 0x%08x, %u bytes, replaces part of what %s has for 0x%08x%s", image->path,
			    s->paddr, s->file_size, other->path, t->paddr, ((s->paddr ^ t->paddr) & 0x1e000000u) ? ", which is the same memory" : "");
}

/* False: nothing of it could be loaded, or not all when that is an error. */
static bool load_segment(struct machine *m, const struct image *image, const struct image_segment *s, char *why,
			 size_t why_size)
{
	const bool fresh = is_fresh(m, image, s), all = !s->file_size || (fresh && copy_into_fresh(m, s)) ||
			   machine_load_data(m, image->path, s->paddr, s->bytes, s->file_size, why, why_size);

	if (!all && (!m->config.load_what_fits || !load_parts(m, s)))
		return false;
	if (!all)
		diag_report(m->diag, DIAG_USER, "IMG001", "%s; what fits was loaded", why);
	if (all && !fresh && s->file_size && s - image->segments < FEW)
		tell_replaced(m, image, s);
	if (m->image_count > 1 || !begins_as_zeros(m)) /* else nothing can be there */
		clear(m, s->paddr + s->file_size, s->memory_size - s->file_size);
	return true;
}

/* Room for one more, behind m->image_count; NULL: host memory is short. */
static struct image *next_image(struct machine *m, char *why, size_t why_size)
{
	struct image *grown = realloc(m->images, (m->image_count + 1) * sizeof *grown);

	if (!grown) {
		snprintf(why, why_size, "host memory is short");
		return NULL;
	}
	m->images = grown;
	return &m->images[m->image_count];
}

bool machine_keep_image(struct machine *m, const char *path, const void *data, u64 bytes, char *why, size_t why_size)
{
	struct image *image = next_image(m, why, why_size);

	if (!image || image_open_bytes(image, path, data, bytes, why, why_size) != IMAGE_OK)
		return false;
	m->image_count++;
	return true;
}

enum failure machine_load_image(struct machine *m, const char *path, char *why, size_t why_size)
{
	static const enum failure failures[] = { [IMAGE_UNREADABLE] = FAIL_NO_INPUT, [IMAGE_DAMAGED] = FAIL_BAD_INPUT };
	struct image *image = next_image(m, why, why_size);
	enum image_status status;
	bool any = false;

	if (!image)
		return FAIL_INTERNAL;
	status = image_open(image, path, why, why_size);
	if (status != IMAGE_OK)
		return failures[status];
	m->image_count++;
	for (unsigned i = 0; i < image->segment_count; i++) {
		const bool loaded = load_segment(m, image, &image->segments[i], why, why_size);

		if (!loaded && !m->config.load_what_fits)
			return FAIL_NO_MEMORY;
		if (!loaded)
			diag_report(m->diag, DIAG_USER, "IMG001", "%s; left out", why);
		any |= loaded && image->segments[i].file_size;
	}
	return any ? FAIL_NONE : FAIL_NO_MEMORY;
}

static bool is_ram(const struct machine *m, u32 addr)
{
	return bus_ram_page(m->bus, addr, BUS_CPU) != BUS_NO_PAGE;
}

static u32 word_at(const struct machine *m, u32 addr)
{
	const u8 *p = bus_span(m->bus, BUS_CPU, addr, 4);
	u32 v = 0;

	if (p)
		memcpy(&v, p, 4);
	return v;
}

/* The head of a vector table: a stack in RAM, an odd address of memory. */
static bool is_table(const struct machine *m, u32 addr)
{
	const u32 sp = word_at(m, addr), pc = word_at(m, addr + 4);

	return sp && is_ram(m, sp - 4) && (pc & 1) && is_ram(m, pc);
}

/* A vector table at the start of the lowest segment. */
static bool table_in_image(const struct machine *m, const struct image *image, u32 *table)
{
	const struct image_segment *lowest = NULL;

	for (unsigned i = 0; i < image->segment_count; i++)
		if (image->segments[i].file_size && (!lowest || image->segments[i].paddr < lowest->paddr))
			lowest = &image->segments[i];
	if (!lowest)
		return false;
	*table = lowest->paddr;
	return is_table(m, *table);
}

static bool image_holds(const struct image *image, u32 addr)
{
	for (unsigned i = 0; i < image->segment_count; i++)
		if (addr - image->segments[i].paddr < image->segments[i].file_size)
			return true;
	return false;
}

/* Of several images the one with the table at the vector base, so that a Secure and a Non-secure
 * program may come in any order; else the last that has an entry; else the last. */
static const struct image *image_to_start(const struct machine *m, u32 base)
{
	const struct image *last = m->image_count ? &m->images[m->image_count - 1] : NULL, *at_base = NULL;

	for (unsigned i = 0; i < m->image_count; i++) {
		const struct image *image = &m->images[i];

		if (image->has_entry)
			last = image;
		if (image->has_entry && image_holds(image, base))
			at_base = image;
	}
	return at_base ? at_base : last;
}

/* GNU ld takes the first byte of the text for want of an ENTRY: not the address of a Thumb function, which is odd. */
static bool entry_counts(const struct machine *m, const struct image *image, u32 table)
{
	return image->has_entry && ((image->entry & 1) || !is_table(m, table));
}

/* The image's own start rule: SP from the table at the vector base, PC from the entry (an Intel HEX
 * file may have none: from the table, too); when nothing is at the vector base, the table at the
 * head of the image is the vector base. */
void machine_start(struct machine *m)
{
	const u32 base = m->config.cpu.initsvtor;
	const struct image *image = image_to_start(m, base);
	const bool own_rule = image && !m->config.initsvtor_given;
	u32 table = base;

	if (own_rule && !word_at(m, base) && !table_in_image(m, image, &table))
		table = base;
	cpu_set_initsvtor(m->cpu, table);
	cpu_reset(m->cpu);
	if (own_rule && entry_counts(m, image, table))
		cpu_set_start(m->cpu, image->entry, 0);
	m->started = true;
}
