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
	u32 addr, size; /* bit 0 cleared; size 0: unknown, one instruction is taken for it */
	u32 room;       /* where the file says no size: up to the section's end */
	const char *name;
	const char *shown; /* image_function_name's answer; NULL: not asked */
	u32 order;         /* in the symbol table */
	bool weak;
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
/* The same of bytes, which are copied; `path` names them in messages. */
enum image_status image_open_bytes(struct image *out, const char *path, const void *data, u64 bytes, char *why, size_t why_size);
/* The bytes of the file. */
const u8 *image_file(const struct image *image, u64 *bytes);
void image_close(struct image *image); /* frees what image_open made; an empty one stays so */

/* Function that contains addr (bit 0 does not count), NULL when unknown. */
const struct image_function *image_function_at(const struct image *image, u32 addr);
/* The name to show of a function that image_function_at gave: of several of one address that of the debug information. */
const char *image_function_name(struct image *image, const struct image_function *f);
/* Address of a symbol by its name, bit 0 cleared for functions; of several the first global one. False: there is none. */
bool image_symbol(const struct image *image, const char *name, u32 *addr);

/* Source line of addr, its file by the whole name where the debug information tells that. Reads the debug information at the first
 * call; false when it has none. */
bool image_line_at(struct image *image, u32 addr, const char **file, int *line);

/* Functions that the compiler put in place of their calls at addr, innermost first, `most` at most; returns how many.
 * The names live as long as the image. */
unsigned image_inlined_at(struct image *image, u32 addr, const char **names, unsigned most);

/* Every row of the line table that lies in the code of a function. */
typedef void image_line_fn(void *ctx, u32 addr, const char *file, int line);
void image_each_line(struct image *image, image_line_fn *fn, void *ctx);

/* Reads a word of the guest's memory; false: there is none. */
typedef bool image_word_fn(void *ctx, u32 addr, u32 *word);
/* From the core registers in the function that contains `addr` to those of its caller, as the call frame information
 * (DWARF 4, 6.4) says; r[15] is the return address then, as the function holds it. `addr` is r[15], or in a function that
 * has called another a place inside the call. False, and nothing has changed: nothing is known of that place, or the stack cannot be read. */
bool image_unwind(struct image *image, u32 addr, u32 r[16], image_word_fn *word, void *ctx);

/* "function+0x12 (file.c:34)" as far as known, else the empty string. */
void image_describe(struct image *image, u32 addr, char *text, size_t size);

#endif
