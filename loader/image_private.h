/* SPDX-License-Identifier: Apache-2.0 */
/* Between the parts of the loader that fill a struct image. */
#ifndef LOADER_IMAGE_PRIVATE_H
#define LOADER_IMAGE_PRIVATE_H

#include "loader/file.h"
#include "loader/image.h"

#include <elfutils/libdw.h>
#include <libelf.h>

struct image_private {
	struct file_bytes file;
	Elf *elf; /* NULL: not an ELF file */
	Dwarf *dwarf;
	bool dwarf_tried;
	bool unit_known;
	Dwarf_Die unit; /* that contained the address asked for last */
	void *source_names; /* source_name.c */
};

/* Opens the debug information once; false: there is none. Only inside a question of image_ask. */
bool image_dwarf(struct image_private *p);
/* The unit that contains the address, NULL: none. Only inside a question, after image_dwarf. */
Dwarf_Die *image_unit_of(struct image_private *p, u32 addr);
/* The whole name of a file that libdw names so in that unit; it lives as long as the image. Only inside a question. */
const char *image_source_name(struct image_private *p, Dwarf_Die *unit, const char *given);
void image_free_source_names(struct image_private *p);
/* Asks libdw; false: host memory is short. */
bool image_ask(void (*question)(void *ctx), void *ctx);

/* Where a reader puts its findings. */
struct opening {
	struct image *image;
	char *why;
	size_t why_size;
};

/* Segments, entry and functions of the bytes in image->private->file. False with a line in `why`. */
bool elf_read(const struct opening *o);
bool hex_read(const struct opening *o);

/* "PATH: text" into `why`; false. */
bool image_fail(const struct opening *o, const char *text);

#endif
