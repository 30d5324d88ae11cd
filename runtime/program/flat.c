/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/program/flat.h"

#include <string.h>

static bool inside(struct flat *f, uint64_t at, uint64_t bytes)
{
	if (at <= f->size && bytes <= f->size - at)
		return true;
	f->bad = true;
	return false;
}

static uint64_t number_at(struct flat *f, uint64_t at, unsigned bytes)
{
	uint64_t value = 0;

	if (inside(f, at, bytes))
		memcpy(&value, f->bytes + at, bytes); /* both the target and our hosts are little-endian */
	return value;
}

bool flat_has_identifier(const struct flat *f, const char *identifier)
{
	return f->size >= 8 && !memcmp(f->bytes + 4, identifier, 4);
}

static struct flat_table table_at(struct flat *f, uint64_t at)
{
	const int64_t vtable = (int64_t)at - (int32_t)number_at(f, at, 4);
	uint32_t bytes;

	if (f->bad || vtable < 0 || !inside(f, (uint64_t)vtable, 4)) {
		f->bad = true;
		return (struct flat_table){ 0 };
	}
	bytes = (uint32_t)number_at(f, (uint64_t)vtable, 2);
	if (bytes < 4 || !inside(f, (uint64_t)vtable, bytes))
		bytes = 4;
	return (struct flat_table){ (uint32_t)at, (uint32_t)vtable, (bytes - 4) / 2 };
}

struct flat_table flat_root(struct flat *f)
{
	return table_at(f, number_at(f, 0, 4));
}

/* Where a field lies; 0: not there. */
static uint64_t field_at(struct flat *f, struct flat_table t, unsigned id)
{
	const uint64_t offset = id < t.fields ? number_at(f, t.vtable + 4 + 2 * (uint64_t)id, 2) : 0;

	return offset ? t.at + offset : 0;
}

uint64_t flat_number(struct flat *f, struct flat_table t, unsigned id, unsigned bytes, uint64_t otherwise)
{
	const uint64_t at = field_at(f, t, id);

	return at ? number_at(f, at, bytes) : otherwise;
}

/* Where the offset at `at` leads. */
static uint64_t follow(struct flat *f, uint64_t at)
{
	return at + number_at(f, at, 4);
}

struct flat_table flat_child(struct flat *f, struct flat_table t, unsigned id)
{
	const uint64_t at = field_at(f, t, id);

	return at ? table_at(f, follow(f, at)) : (struct flat_table){ 0 };
}

struct flat_vector flat_vector(struct flat *f, struct flat_table t, unsigned id, unsigned bytes)
{
	const uint64_t field = field_at(f, t, id);
	uint64_t at, count;

	if (!field)
		return (struct flat_vector){ 0 };
	at = follow(f, field);
	count = number_at(f, at, 4);
	if (!inside(f, at + 4, count * bytes))
		return (struct flat_vector){ 0 };
	return (struct flat_vector){ (uint32_t)at + 4, (uint32_t)count };
}

const char *flat_string(struct flat *f, struct flat_table t, unsigned id, uint32_t *bytes)
{
	const struct flat_vector v = flat_vector(f, t, id, 1);

	*bytes = 0;
	if (!v.at)
		return "";
	if (!inside(f, v.at, v.count + UINT64_C(1)) || f->bytes[v.at + v.count]) {
		f->bad = true;
		return "";
	}
	*bytes = v.count;
	return (const char *)f->bytes + v.at;
}

uint64_t flat_element(struct flat *f, struct flat_vector v, uint32_t index, unsigned bytes)
{
	if (index >= v.count) {
		f->bad = true;
		return 0;
	}
	return number_at(f, v.at + (uint64_t)index * bytes, bytes);
}

struct flat_table flat_table_element(struct flat *f, struct flat_vector v, uint32_t index)
{
	if (index >= v.count) {
		f->bad = true;
		return (struct flat_table){ 0 };
	}
	return table_at(f, follow(f, v.at + UINT64_C(4) * index));
}
