/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/program/program.h"
#include "runtime/core/format.h"
#include "runtime/program/schema.h"

#include <string.h>

/* Extended header behind the identifier: "eh00", its length, the program's size, where segments begin, and, when it is
 * long enough, their size. */
enum { HEADER_MAGIC = 8, HEADER_LENGTH = 12, HEADER_PROGRAM = 16, HEADER_SEGMENTS = 24, HEADER_SEGMENT_BYTES = 32,
       HEADER_SHORT = 24, HEADER_LONG = 32 };

#define SCHEMA_VERSION 0

static uint64_t word_at(const uint8_t *bytes, unsigned n)
{
	uint64_t value = 0;

	memcpy(&value, bytes, n);
	return value;
}

bool program_is(const void *bytes, size_t size)
{
	const struct flat f = { .bytes = bytes, .size = (uint32_t)size };

	return flat_has_identifier(&f, "ET12");
}

/* False when the header's figures do not fit the file. */
static bool read_header(struct program *p, const uint8_t *bytes, size_t size)
{
	uint64_t length, program, segments, segment_bytes;

	if (size < HEADER_SEGMENT_BYTES || memcmp(bytes + HEADER_MAGIC, "eh00", 4))
		return true;
	length = word_at(bytes + HEADER_LENGTH, 4);
	program = word_at(bytes + HEADER_PROGRAM, 8);
	segments = word_at(bytes + HEADER_SEGMENTS, 8);
	if (length < HEADER_SHORT || program > size || segments > size)
		return false;
	if (length >= HEADER_LONG && size >= HEADER_SEGMENT_BYTES + 8) {
		segment_bytes = word_at(bytes + HEADER_SEGMENT_BYTES, 8);
		if (segments && segment_bytes > size - segments)
			return false;
	}
	p->flat.size = (uint32_t)program;
	if (segments) {
		p->segments = bytes + segments;
		p->segment_bytes = size - (size_t)segments;
	}
	return true;
}

bool program_open(struct program *p, const void *bytes, size_t size, char *why, size_t why_bytes)
{
	const char *problem = NULL;
	uint64_t version;

	*p = (struct program){ .flat = { .bytes = bytes, .size = (uint32_t)size } };
	if ((uintptr_t)bytes % PROGRAM_ALIGNMENT || size > INT32_MAX)
		problem = "the program does not lie at a multiple of 16 bytes, or is larger than 2 GiB";
	else if (!program_is(bytes, size))
		problem = "this is no ExecuTorch program of format ET12 (.pte)";
	else if (!read_header(p, bytes, size))
		problem = "the program is cut off: its header promises more bytes than there are";
	if (!problem) {
		p->root = flat_root(&p->flat);
		version = flat_number(&p->flat, p->root, PROGRAM_VERSION, 4, 0);
		if (p->flat.bad) {
			problem = "the program is damaged: something in it points outside";
		} else if (version > SCHEMA_VERSION) {
			format_text(why, why_bytes, "the program's schema is version %u, this runtime reads version %u",
				    (unsigned)version, SCHEMA_VERSION);
			return false;
		}
	}
	if (problem)
		format_text(why, why_bytes, "%s", problem);
	return !problem;
}

struct flat_table program_method(struct program *p, const char *name)
{
	const struct flat_vector plans = flat_vector(&p->flat, p->root, PROGRAM_PLANS, 4);
	const bool any = !name || !*name;

	for (uint32_t i = 0; i < plans.count; i++) {
		const struct flat_table plan = flat_table_element(&p->flat, plans, i);
		uint32_t bytes;

		if (!strcmp(flat_string(&p->flat, plan, PLAN_NAME, &bytes), any ? "forward" : name))
			return plan;
	}
	return any && plans.count ? flat_table_element(&p->flat, plans, 0) : (struct flat_table){ 0 };
}

struct span program_segment(struct program *p, uint64_t index)
{
	return data_segment(&p->flat, flat_vector(&p->flat, p->root, PROGRAM_SEGMENTS, 4), index, p->segments, p->segment_bytes);
}

struct span program_named_data(struct program *p, const char *key, size_t key_bytes)
{
	uint64_t index;

	if (data_segment_of(&p->flat, flat_vector(&p->flat, p->root, PROGRAM_NAMED_DATA, 4), key, key_bytes, &index))
		return program_segment(p, index);
	return p->data ? data_file_find(p->data, key, key_bytes) : (struct span){ 0 };
}

struct span program_part(struct program *p, struct flat_table list, uint64_t index, size_t bytes)
{
	const struct flat_vector offsets = flat_vector(&p->flat, list, SUBSEGMENT_OFFSETS, 8);
	struct span segment;
	uint64_t at;

	if (index >= offsets.count)
		return (struct span){ 0 };
	segment = program_segment(p, flat_number(&p->flat, list, SUBSEGMENT_INDEX, 4, 0));
	at = flat_element(&p->flat, offsets, (uint32_t)index, 8);
	if (!segment.data || at > segment.bytes || bytes > segment.bytes - at)
		return (struct span){ 0 };
	return (struct span){ segment.data + at, bytes };
}

struct span program_delegate_data(struct program *p, struct flat_table reference)
{
	const uint64_t index = flat_number(&p->flat, reference, REFERENCE_INDEX, 4, 0);
	const struct flat_vector inlined = flat_vector(&p->flat, p->root, PROGRAM_DELEGATE_DATA, 4);
	struct flat_vector data;

	if (flat_number(&p->flat, reference, REFERENCE_LOCATION, 1, LOCATION_INLINE) == LOCATION_SEGMENT)
		return program_segment(p, index);
	if (index >= inlined.count)
		return (struct span){ 0 };
	data = flat_vector(&p->flat, flat_table_element(&p->flat, inlined, (uint32_t)index), 0, 1);
	return (struct span){ data.at ? p->flat.bytes + data.at : NULL, data.count };
}
