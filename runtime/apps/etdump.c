/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer is written from front to back: a table goes before what it points at, and the place of the offset is kept
 * until that is written. It begins with its size, as ExecuTorch's tools expect. */
#include "runtime/apps/etdump.h"
#include "runtime/core/format.h"

#include <string.h>

enum { DUMP_VERSION, DUMP_RUNS };
enum { RUN_NAME, RUN_INPUT_INDEX, RUN_ALLOCATORS, RUN_EVENTS };
enum { EVENT_PROFILE, EVENT_ALLOCATION, EVENT_DEBUG };
enum { PROFILE_NAME, PROFILE_CHAIN, PROFILE_INSTRUCTION, PROFILE_ID_INT, PROFILE_ID_TEXT, PROFILE_METADATA, PROFILE_START,
       PROFILE_END };
enum { DEBUG_CHAIN, DEBUG_INSTRUCTION, DEBUG_ENTRY, DEBUG_ID_INT, DEBUG_ID_TEXT, DEBUG_NAME };
enum { VALUE_VAL, VALUE_TENSOR_TABLE, VALUE_LIST, VALUE_INTEGER, VALUE_FLOAT, VALUE_NUMBER, VALUE_BOOLEAN, VALUE_OUTPUT };
enum { TENSOR_SCALAR_TYPE, TENSOR_SIZES, TENSOR_STRIDES, TENSOR_OFFSET };
enum { VAL_TENSOR = 5, VERSION = 0, MAX_FIELDS = 8, NAME_BYTES = 96 };

struct writer {
	uint8_t *to;
	size_t room, at;
	bool full;
};

#define FIELDS(list) list, sizeof list / sizeof *list

/* A field of a table; 0 bytes: it is not there. */
struct field {
	unsigned bytes;
	uint64_t value;
};

static void put(struct writer *w, uint64_t value, unsigned bytes)
{
	if (bytes > w->room - w->at) {
		w->full = true;
		return;
	}
	memcpy(w->to + w->at, &value, bytes);
	w->at += bytes;
}

static void align(struct writer *w, size_t to)
{
	while (w->at % to && !w->full)
		put(w, 0, 1);
}

/* Makes the offset at `place` point to here. */
static void point_here(struct writer *w, size_t place)
{
	const uint32_t distance = (uint32_t)(w->at - place);

	if (!w->full)
		memcpy(w->to + place, &distance, sizeof distance);
}

/* A vtable and its table, where the offset at `from` points; `places` gets where each field lies. */
static void put_table(struct writer *w, size_t from, const struct field *fields, unsigned count, size_t *places)
{
	uint16_t offsets[MAX_FIELDS] = { 0 };
	unsigned size = 4;
	size_t vtable;

	for (unsigned i = 0; i < count; i++) {
		if (!fields[i].bytes)
			continue;
		size = (size + fields[i].bytes - 1) / fields[i].bytes * fields[i].bytes;
		offsets[i] = (uint16_t)size;
		size += fields[i].bytes;
	}
	align(w, 2);
	vtable = w->at;
	put(w, 4 + 2 * count, 2);
	put(w, size, 2);
	for (unsigned i = 0; i < count; i++)
		put(w, offsets[i], 2);
	align(w, 8);
	point_here(w, from);

	const size_t table = w->at;

	put(w, table - vtable, 4);
	for (unsigned i = 0; i < count; i++) {
		if (!fields[i].bytes)
			continue;
		align(w, fields[i].bytes);
		places[i] = w->at;
		put(w, fields[i].value, fields[i].bytes);
	}
}

static void put_text(struct writer *w, size_t from, const char *text)
{
	align(w, 4);
	point_here(w, from);
	put(w, strlen(text), 4);
	while (*text)
		put(w, (uint8_t)*text++, 1);
	put(w, 0, 1);
}

/* A vector of `count` offsets, to be filled in; where the first lies. */
static size_t put_offsets(struct writer *w, size_t from, uint32_t count)
{
	size_t first;

	align(w, 4);
	point_here(w, from);
	put(w, count, 4);
	first = w->at;
	for (uint32_t i = 0; i < count; i++)
		put(w, 0, 4);
	return first;
}

static void put_longs(struct writer *w, size_t from, const int32_t *numbers, unsigned count)
{
	align(w, 4);
	if (w->at % 8 == 0) /* the count goes before elements that are aligned to 8 */
		put(w, 0, 4);
	point_here(w, from);
	put(w, count, 4);
	for (unsigned i = 0; i < count; i++)
		put(w, (uint64_t)(int64_t)numbers[i], 8);
}

static const char *bare_name(const char *name)
{
	const char *colons = strstr(name, "::");

	return colons ? colons + 2 : name;
}

/* Names as upstream's runtime gives them. */
static void event_name(const struct etdump_event *e, char *to)
{
	if (e->kind == EVENT_KERNEL)
		format_text(to, NAME_BYTES, "native_call_%s", bare_name(e->name));
	else if (e->kind == EVENT_DELEGATE)
		format_text(to, NAME_BYTES, "DELEGATE_CALL");
	else
		format_text(to, NAME_BYTES, "%s", e->name);
}

static void put_profile(struct writer *w, size_t from, const struct etdump_event *e, bool has_instruction)
{
	const struct field fields[] = {
		[PROFILE_NAME] = { 4, 0 }, [PROFILE_CHAIN] = { 4, 0 },
		[PROFILE_INSTRUCTION] = { 4, has_instruction ? e->instruction : UINT32_MAX },
		[PROFILE_ID_TEXT] = { e->kind == EVENT_NPU ? 4 : 0, 0 },
		[PROFILE_START] = { 8, e->start }, [PROFILE_END] = { 8, e->end },
	};
	size_t places[MAX_FIELDS];
	char name[NAME_BYTES];

	put_table(w, from, FIELDS(fields), places);
	event_name(e, name);
	put_text(w, places[PROFILE_NAME], name);
	if (e->kind == EVENT_NPU)
		put_text(w, places[PROFILE_ID_TEXT], e->name);
}

static void put_tensor(struct writer *w, size_t from, const struct etdump_event *e)
{
	const struct field fields[] = { { 1, e->type }, { 4, 0 }, { 4, 0 }, { 8, e->offset } };
	size_t places[MAX_FIELDS];

	put_table(w, from, FIELDS(fields), places);
	put_longs(w, places[TENSOR_SIZES], e->sizes, e->rank);
	put_longs(w, places[TENSOR_STRIDES], e->strides, e->rank);
}

static void put_debug(struct writer *w, size_t from, const struct etdump_event *e)
{
	const struct field fields[] = { [DEBUG_CHAIN] = { 8, 0 }, [DEBUG_INSTRUCTION] = { 4, e->instruction },
					[DEBUG_ENTRY] = { 4, 0 } }; /* the profile event has the name */
	const struct field value[] = { [VALUE_VAL] = { 1, VAL_TENSOR }, [VALUE_TENSOR_TABLE] = { 4, 0 },
				       [VALUE_OUTPUT] = { 4, 0 } };
	const struct field output[] = { { 1, e->is_output } };
	size_t places[MAX_FIELDS], value_places[MAX_FIELDS], unused[MAX_FIELDS];

	put_table(w, from, FIELDS(fields), places);
	put_table(w, places[DEBUG_ENTRY], FIELDS(value), value_places);
	put_tensor(w, value_places[VALUE_TENSOR_TABLE], e);
	put_table(w, value_places[VALUE_OUTPUT], FIELDS(output), unused);
}

static void put_event(struct writer *w, size_t from, const struct etdump_event *e)
{
	const struct field fields[] = { [EVENT_PROFILE] = { e->has_times ? 4 : 0, 0 },
					[EVENT_DEBUG] = { e->has_times ? 0 : 4, 0 } };
	size_t places[MAX_FIELDS];

	put_table(w, from, FIELDS(fields), places);
	if (e->has_times)
		put_profile(w, places[EVENT_PROFILE], e, e->kind != EVENT_METHOD);
	else
		put_debug(w, places[EVENT_DEBUG], e);
}

/* The block of events [first, end). */
static void put_run(struct writer *w, size_t from, const struct etdump *d, const char *name, uint32_t first, uint32_t end)
{
	const struct field fields[] = { [RUN_NAME] = { 4, 0 }, [RUN_EVENTS] = { 4, 0 } };
	size_t places[MAX_FIELDS], offsets;

	put_table(w, from, FIELDS(fields), places);
	put_text(w, places[RUN_NAME], name);
	offsets = put_offsets(w, places[RUN_EVENTS], end - first);
	for (uint32_t i = first; i < end; i++)
		put_event(w, offsets + 4 * (i - first), &d->events[i]);
}

size_t etdump_encode(const struct etdump *d, uint8_t *to, size_t room)
{
	const struct field fields[] = { [DUMP_VERSION] = { 4, VERSION }, [DUMP_RUNS] = { 4, 0 } };
	struct writer w = { to, room, 0, false };
	size_t places[MAX_FIELDS], runs;
	uint32_t size;

	put(&w, 0, 4); /* size */
	put(&w, 0, 4); /* root */
	for (const char *c = "ED00"; *c; c++)
		put(&w, (uint8_t)*c, 1);
	put_table(&w, 4, FIELDS(fields), places);
	runs = put_offsets(&w, places[DUMP_RUNS], 2);
	put_run(&w, runs, d, "Default", 0, d->load_count);
	put_run(&w, runs + 4, d, "Execute", d->load_count, d->count);
	align(&w, 8);
	if (w.full)
		return 0;
	size = (uint32_t)(w.at - 4);
	memcpy(to, &size, sizeof size);
	return w.at;
}

static struct etdump_event *new_event(struct etdump *d)
{
	struct etdump_event *e;

	if (d->count == d->room) {
		d->lost++;
		return NULL;
	}
	e = &d->events[d->count++];
	*e = (struct etdump_event){ 0 };
	return e;
}

void etdump_add(struct etdump *d, const char *name, uint64_t start, uint64_t end)
{
	struct etdump_event *e = new_event(d);

	if (!e)
		return;
	e->kind = EVENT_METHOD;
	e->has_times = true;
	e->name = name;
	e->start = start;
	e->end = end;
}

static void note_event(struct tracer *t, enum event_kind kind, const char *name, uint32_t instruction, uint64_t start,
		       uint64_t end)
{
	struct etdump *d = (struct etdump *)t;
	struct etdump_event *e = new_event(d);

	if (!e)
		return;
	*e = (struct etdump_event){ .kind = (uint8_t)kind, .has_times = true, .instruction = instruction,
				    .name = kind == EVENT_METHOD ? "Method::execute" : name, .start = start, .end = end };
	if (kind != EVENT_KERNEL || !(e = new_event(d)))
		return;
	*e = (struct etdump_event){ .kind = EVENT_INSTRUCTION, .has_times = true, .instruction = instruction,
				    .name = "OPERATOR_CALL", .start = start, .end = end };
}

/* Keeps the last tensor among the arguments: a kernel's output. */
static void note_outputs(struct tracer *t, const char *name, uint32_t instruction, struct value *const *args,
			 unsigned count)
{
	struct etdump *d = (struct etdump *)t;
	const struct tensor *tensor = count && args[count - 1]->kind == VALUE_TENSOR ? args[count - 1]->as.tensor : NULL;
	const size_t from = (d->tensor_bytes + 63) & ~(size_t)63, bytes = tensor ? tensor_bytes(tensor) : 0;
	struct etdump_event *e;

	if (!tensor || !d->tensor_room)
		return;
	if (from > d->tensor_room || bytes > d->tensor_room - from) {
		d->lost++;
		return;
	}
	e = new_event(d);
	if (!e)
		return;
	memcpy(d->tensors + from, tensor->data, bytes);
	d->tensor_bytes = from + bytes;
	*e = (struct etdump_event){ .kind = EVENT_KERNEL, .name = name, .instruction = instruction, .type = tensor->type,
				    .rank = tensor->rank, .offset = (uint32_t)from };
	memcpy(e->sizes, tensor->sizes, tensor->rank * sizeof *e->sizes);
	memcpy(e->strides, tensor->strides, tensor->rank * sizeof *e->strides);
}

void etdump_start(struct etdump *d, struct etdump_event *events, uint32_t room, uint8_t *tensors, size_t tensor_room,
		  uint64_t (*now)(void))
{
	*d = (struct etdump){ .tracer = { .now = now, .event = note_event, .outputs = note_outputs }, .events = events,
			      .room = room, .tensors = tensors, .tensor_room = tensor_room };
}

void etdump_loaded(struct etdump *d)
{
	d->load_count = d->count;
}
