/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a method: tensors with their memory, numbers, strings, lists. */
#include "runtime/executor/method.h"
#include "runtime/program/schema.h"

#include <string.h>

/* Items of a list of integers or tensors are values. They are fetched into an array before a call. */
struct boxed {
	struct value **sources;
	union {
		int64_t integers[1];
		struct tensor *tensors[1];
	} items;
};

static bool damaged(struct method *m, uint32_t index)
{
	return method_fail(m, "value %u of the method is damaged", (unsigned)index);
}

/* The planned memory that an allocation names; NULL with a message when it is not inside. */
static void *planned_at(struct method *m, struct flat_table allocation, size_t bytes, uint32_t index)
{
	struct flat *f = &m->program->flat;
	const uint64_t id = flat_number(f, allocation, ALLOCATION_ID, 4, 0);
	const uint64_t offset = flat_number(f, allocation, ALLOCATION_LOW, 4, 0) |
				flat_number(f, allocation, ALLOCATION_HIGH, 4, 0) << 32;
	const struct span *buffer = id - 1 < m->buffer_count ? &m->buffers[id - 1] : NULL;

	if (buffer && offset <= buffer->bytes && bytes <= buffer->bytes - offset)
		return (uint8_t *)buffer->data + offset;
	method_fail(m, "value %u lies outside of the planned memory %u", (unsigned)index, (unsigned)id);
	return NULL;
}

/* What a constant, or a mutable tensor at its start, holds; data is NULL when the program does not have that much. */
static struct span initial_data(struct method *m, struct flat_table t, bool is_mutable, size_t bytes)
{
	struct flat *f = &m->program->flat;
	const uint64_t buffer = flat_number(f, t, TENSOR_BUFFER, 4, 0);
	const struct flat_table extra = flat_child(f, t, TENSOR_EXTRA);
	const struct flat_vector inlined = flat_vector(f, m->program->root, PROGRAM_CONSTANT_BUFFER, 4);
	const struct flat_vector lists = flat_vector(f, m->program->root, PROGRAM_MUTABLE_SEGMENTS, 4);
	const uint64_t list = flat_number(f, extra, EXTRA_MUTABLE_SEGMENT, 8, 0);
	uint32_t name_bytes;

	if (flat_number(f, extra, EXTRA_LOCATION, 1, 0)) {
		const char *name = flat_string(f, extra, EXTRA_NAME, &name_bytes);
		const struct span data = program_named_data(m->program, name, name_bytes);

		return data.bytes >= bytes ? data : (struct span){ 0 };
	}
	if (buffer < inlined.count) {
		const struct flat_vector v = flat_vector(f, flat_table_element(f, inlined, (uint32_t)buffer), 0, 1);

		return v.at && v.count >= bytes ? (struct span){ f->bytes + v.at, bytes } : (struct span){ 0 };
	}
	if (!is_mutable)
		return program_part(m->program, flat_child(f, m->program->root, PROGRAM_CONSTANT_SEGMENT), buffer, bytes);
	if (list >= lists.count)
		return (struct span){ 0 };
	return program_part(m->program, flat_table_element(f, lists, (uint32_t)list), buffer, bytes);
}

static bool has_initial_data(struct method *m, struct flat_table t)
{
	struct flat *f = &m->program->flat;

	return flat_number(f, t, TENSOR_BUFFER, 4, 0) ||
	       flat_number(f, flat_child(f, t, TENSOR_EXTRA), EXTRA_LOCATION, 1, 0);
}

static bool give_data(struct method *m, struct tensor *t, struct flat_table from, size_t bytes, uint32_t index)
{
	const struct flat_table allocation = flat_child(&m->program->flat, from, TENSOR_ALLOCATION);
	struct span initial = { 0 };

	t->capacity = bytes;
	if (has_initial_data(m, from)) {
		initial = initial_data(m, from, allocation.at != 0, bytes);
		if (!initial.data && bytes)
			return method_fail(m, "the data of value %u is not in the program: it is damaged, or its data was "
					   "exported into another file (.ptd) that was not given", (unsigned)index);
	}
	if (allocation.at) {
		t->data = planned_at(m, allocation, bytes, index);
		if (!t->data)
			return false;
		t->is_planned = true;
		if (initial.data)
			memcpy(t->data, initial.data, bytes);
	} else if (initial.data) {
		t->data = (void *)initial.data; /* is_constant keeps kernels from writing it */
		t->is_constant = true;
	}
	if ((uintptr_t)t->data % dtype_bytes(t->type))
		return method_fail(m, "the data of value %u is not aligned", (unsigned)index);
	return true;
}

static bool read_shape(struct flat *f, struct flat_table from, struct tensor *t)
{
	const struct flat_vector sizes = flat_vector(f, from, TENSOR_SIZES, 4);
	const struct flat_vector order = flat_vector(f, from, TENSOR_ORDER, 1);
	uint32_t seen = 0;

	for (unsigned i = 0; i < t->rank; i++) {
		t->sizes[i] = (int32_t)flat_element(f, sizes, i, 4);
		t->order[i] = order.count ? (uint8_t)flat_element(f, order, i, 1) : (uint8_t)i;
		if (t->order[i] >= t->rank || seen >> t->order[i] & 1)
			return false;
		seen |= 1u << t->order[i];
	}
	return !order.count || order.count == sizes.count;
}

static bool load_tensor(struct method *m, struct value *v, struct flat_table from, uint32_t index)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector sizes = flat_vector(f, from, TENSOR_SIZES, 4);
	struct memory *memory = m->environment->tables;
	struct tensor *t;
	size_t bytes;

	if (sizes.count > TENSOR_MAX_RANK)
		return method_fail(m, "value %u has %u dimensions, more than %u", (unsigned)index, (unsigned)sizes.count,
				   TENSOR_MAX_RANK);
	t = memory_table(memory, 1, sizeof *t + sizes.count * (2 * sizeof(int32_t) + 1));
	if (!t)
		return method_out_of_memory(m, memory);
	t->rank = (uint8_t)sizes.count;
	t->sizes = (int32_t *)(t + 1);
	t->strides = t->sizes + t->rank;
	t->order = (uint8_t *)(t->strides + t->rank);
	t->type = (uint8_t)flat_number(f, from, TENSOR_TYPE, 1, 0);
	t->dynamism = (uint8_t)flat_number(f, from, TENSOR_DYNAMISM, 1, SHAPE_STATIC);
	if (!dtype_bytes(t->type))
		return method_fail(m, "value %u is of type %u, which this runtime does not know", (unsigned)index, t->type);
	if (!read_shape(f, from, t) || !shape_bytes(t->sizes, t->rank, t->type, &bytes) ||
	    flat_number(f, from, TENSOR_STORAGE_OFFSET, 4, 0))
		return damaged(m, index);
	tensor_set_strides(t);
	v->as.tensor = t;
	return give_data(m, t, from, bytes, index);
}

/* Numbers that lie in the program as they are. They are not copied when they happen to be aligned. */
static bool load_plain_list(struct method *m, struct value *v, struct flat_table from, unsigned bytes)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector items = flat_vector(f, from, 0, bytes);
	struct memory *memory = m->environment->tables;
	void *copy = memory_table(memory, items.count, bytes);

	if (!copy)
		return method_out_of_memory(m, memory);
	if (items.count)
		memcpy(copy, f->bytes + items.at, (size_t)items.count * bytes);
	if (v->kind == VALUE_BOOL_LIST)
		for (uint32_t i = 0; i < items.count; i++)
			((uint8_t *)copy)[i] = ((uint8_t *)copy)[i] != 0;
	v->count = items.count;
	v->as.numbers = copy;
	return true;
}

static bool load_boxed_list(struct method *m, struct value *v, struct flat_table from, uint32_t index)
{
	struct flat *f = &m->program->flat;
	const unsigned bytes = v->kind == VALUE_INT_LIST ? 8 : 4;
	const struct flat_vector items = flat_vector(f, from, 0, bytes);
	struct memory *memory = m->environment->tables;
	struct boxed *b = memory_table(memory, 1, offsetof(struct boxed, items) + 8 * (size_t)items.count);
	struct value **sources = memory_table(memory, items.count, sizeof *sources);

	if (!b || !sources)
		return method_out_of_memory(m, memory);
	b->sources = sources;
	v->count = items.count;
	v->as.integers = b->items.integers;
	for (uint32_t i = 0; i < items.count; i++) {
		const uint64_t raw = flat_element(f, items, i, bytes);
		const int64_t item = bytes == 4 ? (int32_t)raw : (int64_t)raw;

		if (item == -1 && v->kind == VALUE_OPTIONAL_TENSOR_LIST)
			continue; /* none */
		if (item < 0 || item >= m->value_count)
			return damaged(m, index);
		sources[i] = &m->values[item];
	}
	return true;
}

static int64_t integer_in(const struct value *v)
{
	return v && v->kind == VALUE_INT ? v->as.integer : 0;
}

void method_fetch_list(struct value *list)
{
	struct boxed *b = (struct boxed *)((uint8_t *)list->as.integers - offsetof(struct boxed, items));

	for (uint32_t i = 0; i < list->count; i++) {
		const struct value *from = b->sources[i];

		if (list->kind == VALUE_INT_LIST)
			b->items.integers[i] = integer_in(from);
		else
			b->items.tensors[i] = from && from->kind == VALUE_TENSOR ? from->as.tensor : NULL;
	}
}

static bool load_value(struct method *m, struct value *v, struct flat_table from, uint32_t index)
{
	struct flat *f = &m->program->flat;
	const struct flat_table content = flat_child(f, from, VALUE_TABLE);
	uint64_t bits;

	v->kind = (uint32_t)flat_number(f, from, VALUE_TYPE, 1, 0);
	switch (v->kind) {
	case VALUE_NONE:
		return true;
	case VALUE_INT:
		v->as.integer = (int64_t)flat_number(f, content, 0, 8, 0);
		return true;
	case VALUE_BOOL:
		v->as.boolean = flat_number(f, content, 0, 1, 0) != 0;
		return true;
	case VALUE_DOUBLE:
		bits = flat_number(f, content, 0, 8, 0);
		memcpy(&v->as.number, &bits, sizeof bits);
		return true;
	case VALUE_TENSOR:
		return load_tensor(m, v, content, index);
	case VALUE_STRING:
		v->as.text = flat_string(f, content, 0, &v->count);
		return true;
	case VALUE_DOUBLE_LIST:
		return load_plain_list(m, v, content, 8);
	case VALUE_BOOL_LIST:
		return load_plain_list(m, v, content, 1);
	case VALUE_INT_LIST:
	case VALUE_TENSOR_LIST:
	case VALUE_OPTIONAL_TENSOR_LIST:
		return load_boxed_list(m, v, content, index);
	default:
		return method_fail(m, "value %u is of kind %u, which this runtime does not know", (unsigned)index,
				   (unsigned)v->kind);
	}
}

bool method_load_values(struct method *m, struct flat_table plan)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector values = flat_vector(f, plan, PLAN_VALUES, 4);

	for (uint32_t i = 0; i < m->value_count; i++)
		if (!load_value(m, &m->values[i], flat_table_element(f, values, i), i))
			return false;
	return true;
}
