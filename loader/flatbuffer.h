/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of flatbuffers with every access checked.
 *
 * A broken file can never lead outside of the bytes given: a missing or bad field reads as
 * its default, a bad table as an empty one, and sets `bad`, which the caller looks at when it
 * is done. Format: https://flatbuffers.dev/internals.html */
#ifndef LOADER_FLATBUFFER_H
#define LOADER_FLATBUFFER_H

#include "memory/types.h"

struct flatbuffer {
	const u8 *bytes;
	u64 size;
	bool bad; /* something pointed outside */
};

/* A table; all zero: absent. Positions count from the file's start. */
struct fb_table {
	u32 at;
	u32 vtable;
	u16 vtable_bytes;
};

struct fb_vector {
	u32 at;    /* of the first element */
	u32 count; /* elements; all of them are inside the file */
};

/* 4-character file identifier; false when the file is too short or has another one. */
bool fb_has_identifier(const struct flatbuffer *fb, const char *identifier);

/* The table that the file begins with. */
struct fb_table fb_root(struct flatbuffer *fb);

/* Scalar field `id` of `bytes` bytes (1, 2, 4, 8), zero extended. */
u64 fb_scalar(struct flatbuffer *fb, struct fb_table t, unsigned id, unsigned bytes, u64 otherwise);

/* Vector field of elements of `bytes` bytes; count 0 when absent. */
struct fb_vector fb_vector(struct flatbuffer *fb, struct fb_table t, unsigned id, unsigned bytes);

/* Element i of a vector of scalars. */
u64 fb_element(const struct flatbuffer *fb, struct fb_vector v, u32 i, unsigned bytes);

/* Table field; element i of a vector of tables (element size 4). */
struct fb_table fb_child(struct flatbuffer *fb, struct fb_table t, unsigned id);
struct fb_table fb_table_element(struct flatbuffer *fb, struct fb_vector v, u32 i);

/* String field copied to `out`, cut to its size, always terminated; "" when absent. */
void fb_string(struct flatbuffer *fb, struct fb_table t, unsigned id, char *out, size_t size);

#endif
