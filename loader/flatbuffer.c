/* SPDX-License-Identifier: Apache-2.0 */
/* Reading of flatbuffers with every access checked; see flatbuffer.h. */
#include "loader/flatbuffer.h"

#include <string.h>

static bool inside(const struct flatbuffer *fb, u64 at, u64 bytes)
{
	return at <= fb->size && bytes <= fb->size - at;
}

/* Little-endian number; 0 and `bad` outside of the file. */
static u64 number(struct flatbuffer *fb, u64 at, unsigned bytes)
{
	u64 v = 0;

	if (!inside(fb, at, bytes)) {
		fb->bad = true;
		return 0;
	}
	for (unsigned i = 0; i < bytes; i++)
		v |= (u64)fb->bytes[at + i] << (8 * i);
	return v;
}

static struct fb_table table_at(struct flatbuffer *fb, u64 at)
{
	struct fb_table t = { 0 };
	i64 vtable = (i64)at - (i32)number(fb, at, 4);

	if (!inside(fb, at, 4) || vtable < 0 || !inside(fb, (u64)vtable, 4)) {
		fb->bad = true;
		return t;
	}
	u16 bytes = (u16)number(fb, (u64)vtable, 2);
	if (bytes < 4 || !inside(fb, (u64)vtable, bytes)) {
		fb->bad = true;
		return t;
	}
	return (struct fb_table){ .at = (u32)at, .vtable = (u32)vtable, .vtable_bytes = bytes };
}

/* Position of a field, 0 when absent. */
static u64 field(struct flatbuffer *fb, struct fb_table t, unsigned id)
{
	unsigned slot = 4 + 2 * id;

	if (slot + 2 > t.vtable_bytes)
		return 0;
	u64 offset = number(fb, (u64)t.vtable + slot, 2);
	return offset ? t.at + offset : 0;
}

/* Target of the offset stored at `at`. */
static u64 follow(struct flatbuffer *fb, u64 at)
{
	return at + number(fb, at, 4);
}

bool fb_has_identifier(const struct flatbuffer *fb, const char *identifier)
{
	return fb->size >= 8 && fb->size <= INT32_MAX && memcmp(fb->bytes + 4, identifier, 4) == 0;
}

struct fb_table fb_root(struct flatbuffer *fb)
{
	return table_at(fb, follow(fb, 0));
}

u64 fb_scalar(struct flatbuffer *fb, struct fb_table t, unsigned id, unsigned bytes, u64 otherwise)
{
	u64 at = field(fb, t, id);
	return at ? number(fb, at, bytes) : otherwise;
}

struct fb_vector fb_vector(struct flatbuffer *fb, struct fb_table t, unsigned id, unsigned bytes)
{
	u64 at = field(fb, t, id);

	if (!at)
		return (struct fb_vector){ 0 };
	at = follow(fb, at);
	u64 count = number(fb, at, 4);
	if (!inside(fb, at + 4, count * bytes)) {
		fb->bad = true;
		return (struct fb_vector){ 0 };
	}
	return (struct fb_vector){ .at = (u32)(at + 4), .count = (u32)count };
}

u64 fb_element(const struct flatbuffer *fb, struct fb_vector v, u32 i, unsigned bytes)
{
	u64 value = 0;

	if (i >= v.count)
		return 0;
	for (unsigned b = 0; b < bytes; b++)
		value |= (u64)fb->bytes[v.at + (u64)i * bytes + b] << (8 * b);
	return value;
}

struct fb_table fb_child(struct flatbuffer *fb, struct fb_table t, unsigned id)
{
	u64 at = field(fb, t, id);
	return at ? table_at(fb, follow(fb, at)) : (struct fb_table){ 0 };
}

struct fb_table fb_table_element(struct flatbuffer *fb, struct fb_vector v, u32 i)
{
	if (i >= v.count)
		return (struct fb_table){ 0 };
	return table_at(fb, follow(fb, v.at + 4 * (u64)i));
}

void fb_string(struct flatbuffer *fb, struct fb_table t, unsigned id, char *out, size_t size)
{
	struct fb_vector v = fb_vector(fb, t, id, 1);
	size_t n = v.count < size - 1 ? v.count : size - 1;

	memcpy(out, fb->bytes + v.at, n);
	out[n] = 0;
}
