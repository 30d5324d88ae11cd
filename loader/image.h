/* SPDX-License-Identifier: Apache-2.0 */
/* A program for the guest: the segments of an ELF or Intel HEX file, an ELF file's symbols and line table.
 *
 * Knows the format, not the machine: the caller puts segments into memory. Everything is
 * bounds-checked against the file; a damaged file gives a message, never a crash. */
#ifndef LOADER_IMAGE_H
#define LOADER_IMAGE_H

#include "memory/types.h"

struct image_segment {
	u32 paddr;        /* where the bytes go (load address) */
	u32 vaddr;        /* where the program runs them */
	u32 file_size;    /* bytes at `bytes` */
	u32 memory_size;  /* >= file_size; the rest is zero */
	const u8 *bytes;  /* inside the image, valid until image_close */
};

struct image_function {
	u32 addr, size; /* bit 0 cleared; size 0: unknown */
	const char *name;
};

struct image {
	char *path;
	u32 entry; /* bit 0 = Thumb */
	bool has_entry; /* ELF files always; Intel HEX files when they have a start record */
	struct image_segment *segments;
	unsigned segment_count;
	struct image_function *functions; /* sorted by address */
	unsigned function_count;
	struct image_private *private; /* ELF and DWARF handles */
};

enum image_status {
	IMAGE_OK,
	IMAGE_UNREADABLE, /* no such file, a directory, no permission, host memory is short */
	IMAGE_DAMAGED,    /* another format, wrong class, byte order or machine, truncated, nothing to load */
};

/* Fills `out`; with anything but IMAGE_OK `out` is empty and `why` has one line: the path, the cause. */
enum image_status image_open(struct image *out, const char *path, char *why, size_t why_size);
void image_close(struct image *image); /* frees what image_open made; an empty one stays so */

/* Source line of addr. Reads the debug information at the first call; false when it has none. */
bool image_line_at(struct image *image, u32 addr, const char **file, int *line);

/* "function+0x12 (file.c:34)" as far as known, else the empty string. */
void image_describe(struct image *image, u32 addr, char *text, size_t size);

#endif
