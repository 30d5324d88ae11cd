/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of the formats have in common: opening, and what is where in a program. The
 * line table is read by libdw of elfutils. */
#include "loader/image_private.h"
#include "memory/sorted.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool image_fail(const struct opening *o, const char *text)
{
	snprintf(o->why, o->why_size, "%s: %s", o->image->path, text);
	return false;
}

static bool read_any(const struct opening *o)
{
	const struct file_bytes *f = &o->image->private->file;

	return f->size && f->data[0] == ':' ? hex_read(o) : elf_read(o);
}

enum image_status image_open(struct image *image, const char *path, char *why, size_t why_size)
{
	const struct opening o = { image, why, why_size };
	enum image_status status = IMAGE_UNREADABLE;

	*image = (struct image){ .path = strdup(path) };
	image->private = calloc(1, sizeof *image->private);
	if (!image->path || !image->private)
		snprintf(why, why_size, "host memory is short");
	else if (file_read(path, &image->private->file, why, why_size))
		status = read_any(&o) ? IMAGE_OK : IMAGE_DAMAGED;
	if (status != IMAGE_OK)
		image_close(image);
	return status;
}

enum image_status image_open_bytes(struct image *image, const char *path, const void *data, u64 bytes, char *why, size_t why_size)
{
	const struct opening o = { image, why, why_size };
	bool ok = false;

	*image = (struct image){ .path = strdup(path) };
	image->private = calloc(1, sizeof *image->private);
	if (!image->path || !image->private || !file_copy(data, bytes, &image->private->file))
		snprintf(why, why_size, "host memory is short");
	else
		ok = read_any(&o);
	if (!ok)
		image_close(image);
	return ok ? IMAGE_OK : IMAGE_DAMAGED;
}

const u8 *image_file(const struct image *image, u64 *bytes)
{
	*bytes = image->private->file.size;
	return image->private->file.data;
}

void image_close(struct image *image)
{
	if (image->private) {
		image_free_source_names(image->private);
		dwarf_end(image->private->dwarf);
		elf_end(image->private->elf);
		file_free(&image->private->file);
	}
	free(image->private);
	free(image->segments);
	free(image->functions);
	free(image->path);
	*image = (struct image){ 0 };
}

const struct image_function *image_function_at(const struct image *image, u32 addr)
{
	addr &= ~1u;
	const unsigned above = image->functions ? sorted_above(&image->functions[0].addr, sizeof image->functions[0],
							       image->function_count, addr) : 0;

	if (!above)
		return NULL;
	const struct image_function *f = &image->functions[above - 1];

	return addr - f->addr < (f->size ? f->size : 2) ? f : NULL;
}

/* libdw ends the process when memory is short, unless a handler leaves: it goes back to the question, which has no
 * answer then. */
static _Thread_local jmp_buf *back;

static __attribute__((noreturn)) void no_memory(void)
{
	longjmp(*back, 1);
}

bool image_dwarf(struct image_private *p)
{
	if (p && p->elf && !p->dwarf_tried) {
		p->dwarf_tried = true;
		p->dwarf = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
		if (p->dwarf)
			dwarf_new_oom_handler(p->dwarf, no_memory);
	}
	return p && p->dwarf;
}

bool image_ask(void (*question)(void *ctx), void *ctx)
{
	jmp_buf here, *const before = back;

	back = &here;
	if (setjmp(here)) {
		back = before;
		return false;
	}
	question(ctx);
	back = before;
	return true;
}

/* After functions that the linker has dropped, a unit's last line seems to go on and on. */
Dwarf_Die *image_unit_of(struct image_private *p, u32 addr)
{
	Dwarf_Off offset = 0, next;
	size_t header_size;

	if (p->unit_known && dwarf_haspc(&p->unit, addr) > 0)
		return &p->unit;
	while (dwarf_nextcu(p->dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(p->dwarf, offset + header_size, &p->unit) && dwarf_haspc(&p->unit, addr) > 0) {
			p->unit_known = true;
			return &p->unit;
		}
		offset = next;
	}
	p->unit_known = false;
	return NULL;
}

struct line_question {
	struct image_private *p;
	u32 addr;
	const char *file; /* NULL: not known */
	int line;
};

static void ask_line(void *ctx)
{
	struct line_question *q = ctx;
	Dwarf_Die *unit = image_dwarf(q->p) ? image_unit_of(q->p, q->addr) : NULL;
	Dwarf_Line *found = unit ? dwarf_getsrc_die(unit, q->addr) : NULL;

	if (found && dwarf_lineno(found, &q->line) == 0)
		q->file = dwarf_linesrc(found, NULL, NULL);
	if (q->file)
		q->file = image_source_name(q->p, unit, q->file);
}

bool image_line_at(struct image *image, u32 addr, const char **file, int *line)
{
	struct line_question q = { .p = image->private, .addr = addr & ~1u };

	if (!image_ask(ask_line, &q) || !q.file)
		return false;
	*file = q.file;
	*line = q.line;
	return true;
}

static void each_line_of(struct image *image, Dwarf_Die *unit, image_line_fn *fn, void *ctx)
{
	Dwarf_Lines *lines;
	size_t count = 0;

	if (dwarf_getsrclines(unit, &lines, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *row = dwarf_onesrcline(lines, i);
		Dwarf_Addr addr;
		bool last = true;
		int line = 0;

		if (!row || dwarf_lineaddr(row, &addr) != 0 || dwarf_lineendsequence(row, &last) != 0 || last ||
		    dwarf_lineno(row, &line) != 0 || !line || dwarf_haspc(unit, addr) <= 0)
			continue;
		const char *file = dwarf_linesrc(row, NULL, NULL);
		if (file && image_function_at(image, (u32)addr))
			fn(ctx, (u32)addr, image_source_name(image->private, unit, file), line);
	}
}

struct lines_question {
	struct image *image;
	image_line_fn *fn;
	void *ctx;
};

static void ask_lines(void *ctx)
{
	const struct lines_question *q = ctx;
	struct image_private *p = q->image->private;
	Dwarf_Off offset = 0, next;
	size_t header_size;
	Dwarf_Die unit;

	if (!image_dwarf(p))
		return;
	while (dwarf_nextcu(p->dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
		if (dwarf_offdie(p->dwarf, offset + header_size, &unit))
			each_line_of(q->image, &unit, q->fn, q->ctx);
		offset = next;
	}
}

void image_each_line(struct image *image, image_line_fn *fn, void *ctx)
{
	struct lines_question q = { image, fn, ctx };

	(void)image_ask(ask_lines, &q);
}

void image_describe(struct image *image, u32 addr, char *text, size_t size)
{
	const struct image_function *f = image_function_at(image, addr);
	const char *file, *slash;
	int line, n;

	*text = 0;
	if (!f)
		return;
	n = snprintf(text, size, "%s+0x%x", image_function_name(image, f), (addr & ~1u) - f->addr);
	if (n < 0 || (size_t)n >= size || !image_line_at(image, addr, &file, &line))
		return;
	slash = strrchr(file, '/');
	snprintf(text + n, size - (size_t)n, " (%s:%d)", slash ? slash + 1 : file, line);
}
