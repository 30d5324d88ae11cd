/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of the formats have in common: opening, and what is where in a program. The
 * line table is read by libdw of elfutils. */
#include "loader/image_private.h"
#include "memory/sorted.h"

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

void image_close(struct image *image)
{
	if (image->private) {
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

/* Function that contains addr, NULL when unknown. */
static const struct image_function *function_at(const struct image *image, u32 addr)
{
	addr &= ~1u;
	const unsigned above = image->functions ? sorted_above(&image->functions[0].addr, sizeof image->functions[0],
							       image->function_count, addr) : 0;

	if (!above)
		return NULL;
	const struct image_function *f = &image->functions[above - 1];

	return addr - f->addr < (f->size ? f->size : 2) ? f : NULL;
}

static Dwarf_Line *line_of(Dwarf *dwarf, u32 addr)
{
	Dwarf_Off offset = 0, next;
	size_t header_size;

	while (dwarf_nextcu(dwarf, offset, &next, &header_size, NULL, NULL, NULL) == 0) {
		Dwarf_Die die;
		Dwarf_Line *line;

		/* The unit must contain the address: after functions that the linker has dropped, a unit's
		 * last line seems to go on and on. */
		if (dwarf_offdie(dwarf, offset + header_size, &die) && dwarf_haspc(&die, addr) > 0 &&
		    (line = dwarf_getsrc_die(&die, addr)))
			return line;
		offset = next;
	}
	return NULL;
}

bool image_line_at(struct image *image, u32 addr, const char **file, int *line)
{
	struct image_private *p = image->private;
	Dwarf_Line *found;

	if (p && p->elf && !p->dwarf_tried) {
		p->dwarf = dwarf_begin_elf(p->elf, DWARF_C_READ, NULL);
		p->dwarf_tried = true;
	}
	if (!p || !p->dwarf || !(found = line_of(p->dwarf, addr & ~1u)) || dwarf_lineno(found, line) != 0)
		return false;
	*file = dwarf_linesrc(found, NULL, NULL);
	return *file != NULL;
}

void image_describe(struct image *image, u32 addr, char *text, size_t size)
{
	const struct image_function *f = function_at(image, addr);
	const char *file, *slash;
	int line, n;

	*text = 0;
	if (!f)
		return;
	n = snprintf(text, size, "%s+0x%x", f->name, (addr & ~1u) - f->addr);
	if (n < 0 || (size_t)n >= size || !image_line_at(image, addr, &file, &line))
		return;
	slash = strrchr(file, '/');
	snprintf(text + n, size - (size_t)n, " (%s:%d)", slash ? slash + 1 : file, line);
}
