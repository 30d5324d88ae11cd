/* SPDX-License-Identifier: Apache-2.0 */
/* Reading FlatBuffers in place (flatbuffers.dev, "Internals"): the few accessors that the
 * model reader needs. The data is trusted: it was linked into the image. */
#ifndef RUNTIME_FLATBUFFER_H
#define RUNTIME_FLATBUFFER_H

#include <stdint.h>
#include <string.h>

typedef const uint8_t *fb_table; /* NULL: absent */
typedef const uint8_t *fb_vector; /* points at its length */

static inline uint32_t fb_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline uint16_t fb_u16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static inline const uint8_t *fb_follow(const uint8_t *p)
{
	return p + fb_u32(p);
}

/* Address of field number `id` of a table, NULL when it has its default value. */
static inline const uint8_t *fb_field(fb_table t, unsigned id)
{
	const uint8_t *vtable = t - (int32_t)fb_u32(t);
	const unsigned slot = 4 + 2 * id;

	if (slot >= fb_u16(vtable) || !fb_u16(vtable + slot))
		return NULL;
	return t + fb_u16(vtable + slot);
}

/* Sub-table, string or vector in field `id`; NULL when absent. */
static inline const uint8_t *fb_ref(fb_table t, unsigned id)
{
	const uint8_t *field = fb_field(t, id);

	return field ? fb_follow(field) : NULL;
}

static inline uint32_t fb_field_u32(fb_table t, unsigned id)
{
	const uint8_t *field = fb_field(t, id);

	return field ? fb_u32(field) : 0;
}

static inline uint32_t fb_length(fb_vector v)
{
	return v ? fb_u32(v) : 0;
}

static inline const uint8_t *fb_data(fb_vector v)
{
	return v + 4;
}

static inline int32_t fb_i32_at(fb_vector v, uint32_t i)
{
	return (int32_t)fb_u32(fb_data(v) + 4 * i);
}

/* Element i of a vector of tables. */
static inline fb_table fb_table_at(fb_vector v, uint32_t i)
{
	return fb_follow(fb_data(v) + 4 * i);
}

#endif
