/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/program/data_file.h"
#include "runtime/core/format.h"

#include <string.h>

/* Field numbers of ExecuTorch's flat_tensor.fbs; segments and named data are those of program.fbs as well. */
enum { FILE_VERSION, FILE_SEGMENTS, FILE_NAMES };
enum { SEGMENT_OFFSET, SEGMENT_BYTES };
enum { NAME_KEY, NAME_SEGMENT };

/* Header behind the identifier: "FH01", its length, where the description lies and its size, where the segments begin and
 * their size. */
enum { HEADER_MAGIC = 8, HEADER_LENGTH = 12, HEADER_AT = 16, HEADER_BYTES = 24, HEADER_SEGMENTS = 32,
       HEADER_SEGMENT_BYTES = 40, HEADER_END = 48, HEADER_SHORTEST = 40 };

#define FILE_SCHEMA 0

static uint64_t word_at(const uint8_t *bytes, unsigned n)
{
	uint64_t value = 0;

	memcpy(&value, bytes, n);
	return value;
}

static bool read_header(struct data_file *d, const uint8_t *bytes, size_t size)
{
	uint64_t at, length, segments, segment_bytes;

	if (size < HEADER_END || memcmp(bytes + HEADER_MAGIC, "FH01", 4) || word_at(bytes + HEADER_LENGTH, 4) < HEADER_SHORTEST)
		return false;
	at = word_at(bytes + HEADER_AT, 8);
	length = word_at(bytes + HEADER_BYTES, 8);
	segments = word_at(bytes + HEADER_SEGMENTS, 8);
	segment_bytes = word_at(bytes + HEADER_SEGMENT_BYTES, 8);
	if (at > size || length > size - at || segments > size || segment_bytes > size - segments)
		return false;
	d->flat.size = (uint32_t)(at + length);
	d->segments = bytes + segments;
	d->segment_bytes = (size_t)segment_bytes;
	return true;
}

bool data_file_open(struct data_file *d, const void *bytes, size_t size, char *why, size_t why_bytes)
{
	const char *problem = NULL;

	*d = (struct data_file){ .flat = { .bytes = bytes, .size = (uint32_t)size } };
	if ((uintptr_t)bytes % DATA_FILE_ALIGNMENT || size > INT32_MAX) {
		problem = "the data file does not lie at a multiple of 16 bytes, or is larger than 2 GiB";
	} else if (!flat_has_identifier(&d->flat, "FT01")) {
		problem = "this is no data file of ExecuTorch's (.ptd)";
	} else if (!read_header(d, bytes, size)) {
		problem = "the data file is cut off, or its header is damaged";
	} else {
		d->root = flat_root(&d->flat);
		if (flat_number(&d->flat, d->root, FILE_VERSION, 4, 0) != FILE_SCHEMA)
			problem = "the data file's schema is newer than this runtime, which reads version 0";
		if (d->flat.bad)
			problem = "the data file is damaged: something in it points outside";
	}
	if (problem)
		format_text(why, why_bytes, "%s", problem);
	return !problem;
}

struct span data_segment(struct flat *f, struct flat_vector segments, uint64_t index, const uint8_t *base, size_t bytes)
{
	struct flat_table t;
	uint64_t at, length;

	if (index >= segments.count || !base)
		return (struct span){ 0 };
	t = flat_table_element(f, segments, (uint32_t)index);
	at = flat_number(f, t, SEGMENT_OFFSET, 8, 0);
	length = flat_number(f, t, SEGMENT_BYTES, 8, 0);
	if (at > bytes || length > bytes - at)
		return (struct span){ 0 };
	return (struct span){ base + at, (size_t)length };
}

bool data_segment_of(struct flat *f, struct flat_vector names, const char *key, size_t key_bytes, uint64_t *index)
{
	for (uint32_t i = 0; i < names.count; i++) {
		const struct flat_table entry = flat_table_element(f, names, i);
		uint32_t bytes;
		const char *name = flat_string(f, entry, NAME_KEY, &bytes);

		if (bytes != key_bytes || memcmp(name, key, bytes))
			continue;
		*index = flat_number(f, entry, NAME_SEGMENT, 4, 0);
		return true;
	}
	return false;
}

struct span data_file_find(struct data_file *d, const char *key, size_t key_bytes)
{
	uint64_t index;

	if (!data_segment_of(&d->flat, flat_vector(&d->flat, d->root, FILE_NAMES, 4), key, key_bytes, &index))
		return (struct span){ 0 };
	return data_segment(&d->flat, flat_vector(&d->flat, d->root, FILE_SEGMENTS, 4), index, d->segments, d->segment_bytes);
}
