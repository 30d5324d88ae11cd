/* SPDX-License-Identifier: Apache-2.0 */
#include "loader/pte.h"
#include "loader/bytes.h"
#include "loader/flatbuffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of program.fbs. */
enum { PROGRAM_PLANS = 1, PROGRAM_BUFFERS = 2, PROGRAM_DELEGATE_DATA = 3, PROGRAM_SEGMENTS = 4,
       PROGRAM_CONSTANTS = 5, PROGRAM_MUTABLE = 6, PROGRAM_NAMED = 7 };
enum { PLAN_NAME = 0, PLAN_VALUES = 2, PLAN_INPUTS = 3, PLAN_OUTPUTS = 4, PLAN_CHAINS = 5, PLAN_OPERATORS = 6,
       PLAN_DELEGATES = 7 };
enum { VALUE_TYPE = 0, VALUE_TABLE = 1 };
enum { UNION_NULL = 1, UNION_INT = 2, UNION_DOUBLE = 4, UNION_TENSOR = 5, UNION_INTS = 7, UNION_TENSORS = 10,
       UNION_OPTIONAL_TENSORS = 11 };
enum { TENSOR_TYPE = 0, TENSOR_SIZES = 2, TENSOR_ORDER = 3, TENSOR_BUFFER = 5, TENSOR_ALLOCATION = 6, TENSOR_EXTRA = 9 };
enum { ALLOCATION_ID = 0, ALLOCATION_LOW = 1, ALLOCATION_HIGH = 2 };
enum { EXTRA_SEGMENT = 0, EXTRA_LOCATION = 2, LOCATION_EXTERNAL = 1 };
enum { CHAIN_INSTRUCTIONS = 2 };
enum { INSTRUCTION_TYPE = 0, INSTRUCTION_TABLE = 1 };
enum { CALL_INDEX = 0, CALL_ARGS = 1 };
enum { DELEGATE_ID = 0, DELEGATE_DATA = 1 };
enum { REFERENCE_LOCATION = 0, REFERENCE_INDEX = 1, LOCATION_SEGMENT = 1 };

#define MAX_TENSOR_BYTES (UINT64_C(1) << 30)

/* Extended header: "eh00" at byte 8, then its length, the program's size and where segments begin. */
enum { HEADER_MAGIC = 8, HEADER_SEGMENT_BASE = 24, HEADER_BYTES = 32 };

struct reading {
	struct flatbuffer fb;
	struct fb_table program;
	struct pte_program *p;
	u64 segment_base; /* 0: no segments */
};

bool pte_is(const u8 *bytes, u64 size)
{
	const struct flatbuffer fb = { .bytes = bytes, .size = size };

	return fb_has_identifier(&fb, "ET12");
}

static void start_reading(struct reading *r, const u8 *bytes, u64 size)
{
	*r = (struct reading){ .fb = { .bytes = bytes, .size = size } };
	r->program = fb_root(&r->fb);
	if (size >= HEADER_BYTES && !memcmp(bytes + HEADER_MAGIC, "eh00", 4))
		r->segment_base = le64_at(bytes + HEADER_SEGMENT_BASE);
}

static bool segment(struct reading *r, u64 index, const u8 **data, u64 *size)
{
	const struct fb_vector segments = fb_vector(&r->fb, r->program, PROGRAM_SEGMENTS, 4);
	u64 offset, at;

	if (index >= segments.count || !r->segment_base)
		return false;
	offset = fb_scalar(&r->fb, fb_table_element(&r->fb, segments, (u32)index), 0, 8, 0);
	*size = fb_scalar(&r->fb, fb_table_element(&r->fb, segments, (u32)index), 1, 8, 0);
	at = r->segment_base + offset;
	if (at < offset || at > r->fb.size || *size > r->fb.size - at)
		return false;
	*data = r->fb.bytes + at;
	return true;
}

bool pte_named_data(const u8 *bytes, u64 size, const char *key, const u8 **data, u64 *data_size)
{
	struct reading r;
	struct fb_vector names;

	start_reading(&r, bytes, size);
	names = fb_vector(&r.fb, r.program, PROGRAM_NAMED, 4);
	for (u32 i = 0; i < names.count; i++) {
		const struct fb_table entry = fb_table_element(&r.fb, names, i);
		char name[PTE_NAME];

		fb_string(&r.fb, entry, 0, name, sizeof name);
		if (!strcmp(name, key))
			return segment(&r, fb_scalar(&r.fb, entry, 1, 4, 0), data, data_size);
	}
	return false;
}

/* The part of a segment that a list of offsets into it gives to a buffer. */
static const u8 *part_of_segment(struct reading *r, struct fb_table list, u64 buffer, u64 bytes)
{
	const struct fb_vector offsets = fb_vector(&r->fb, list, 1, 8);
	const u8 *data;
	u64 size, at;

	if (buffer >= offsets.count || !segment(r, fb_scalar(&r->fb, list, 0, 4, 0), &data, &size))
		return NULL;
	at = fb_element(&r->fb, offsets, (u32)buffer, 8);
	return at <= size && bytes <= size - at ? data + at : NULL;
}

/* What tensor `buffer` holds at the start; buffer 0 means nothing. `is_mutable`: it has memory besides. */
static const u8 *contents(struct reading *r, u64 buffer, u64 bytes, bool is_mutable, u64 mutable_list)
{
	const struct fb_vector buffers = fb_vector(&r->fb, r->program, PROGRAM_BUFFERS, 4);
	const struct fb_vector lists = fb_vector(&r->fb, r->program, PROGRAM_MUTABLE, 4);

	if (!buffer)
		return NULL;
	if (buffer < buffers.count) {
		const struct fb_vector v = fb_vector(&r->fb, fb_table_element(&r->fb, buffers, (u32)buffer), 0, 1);

		return v.count >= bytes ? r->fb.bytes + v.at : NULL;
	}
	if (!is_mutable)
		return part_of_segment(r, fb_child(&r->fb, r->program, PROGRAM_CONSTANTS), buffer, bytes);
	if (mutable_list >= lists.count)
		return NULL;
	return part_of_segment(r, fb_table_element(&r->fb, lists, (u32)mutable_list), buffer, bytes);
}

/* Sizes and the order of the dimensions in memory; false when they are no tensor's. */
static bool read_shape(struct reading *r, struct fb_table t, struct pte_value *v)
{
	const struct fb_vector sizes = fb_vector(&r->fb, t, TENSOR_SIZES, 4);
	const struct fb_vector order = fb_vector(&r->fb, t, TENSOR_ORDER, 1);
	u32 seen = 0;

	if (sizes.count > PTE_RANK || (order.count && order.count != sizes.count))
		return false;
	v->rank = (u8)sizes.count;
	for (u32 i = 0; i < v->rank; i++) {
		v->sizes[i] = (u32)fb_element(&r->fb, sizes, i, 4);
		v->order[i] = order.count ? (u8)fb_element(&r->fb, order, i, 1) : (u8)i;
		if (v->order[i] >= v->rank || seen >> v->order[i] & 1)
			return false;
		seen |= 1u << v->order[i];
		v->bytes *= v->sizes[i];
		if (v->bytes > MAX_TENSOR_BYTES)
			return false;
	}
	return true;
}

static void read_tensor(struct reading *r, struct fb_table t, struct pte_value *v)
{
	/* bytes of ScalarType: uint8, int8, int16, int32, int64, half, float, double, 3 complex, bool,
	 * bfloat16; uint16, uint32 */
	static const u8 element[] = { 1, 1, 2, 4, 8, 2, 4, 8, 4, 8, 16, 1, [15] = 2, [27] = 2, [28] = 4 };
	const struct fb_table extra = fb_child(&r->fb, t, TENSOR_EXTRA);
	const struct fb_table allocation = fb_child(&r->fb, t, TENSOR_ALLOCATION);

	v->kind = PTE_TENSOR;
	v->scalar_type = (u8)fb_scalar(&r->fb, t, TENSOR_TYPE, 1, 0);
	v->element_bytes = v->scalar_type < sizeof element ? element[v->scalar_type] : 0;
	v->bytes = v->element_bytes;
	if (!read_shape(r, t, v)) {
		r->fb.bad = true;
		v->bytes = 0;
	}
	v->memory_id = (u32)fb_scalar(&r->fb, allocation, ALLOCATION_ID, 4, 0);
	v->offset = fb_scalar(&r->fb, allocation, ALLOCATION_LOW, 4, 0) |
		    fb_scalar(&r->fb, allocation, ALLOCATION_HIGH, 4, 0) << 32;
	v->is_external = fb_scalar(&r->fb, extra, EXTRA_LOCATION, 1, 0) == LOCATION_EXTERNAL;
	v->data = contents(r, fb_scalar(&r->fb, t, TENSOR_BUFFER, 4, 0), v->bytes, allocation.vtable != 0,
			   fb_scalar(&r->fb, extra, EXTRA_SEGMENT, 8, 0));
}

/* A list of value numbers, -1 where an optional one is missing. */
static void read_list(struct reading *r, struct fb_table content, unsigned item_bytes, bool optional,
		      struct pte_value *v)
{
	const struct fb_vector items = fb_vector(&r->fb, content, 0, item_bytes);

	v->kind = PTE_LIST;
	v->items = calloc(items.count + 1u, sizeof *v->items);
	r->fb.bad |= !v->items;
	for (; v->items && v->item_count < items.count; v->item_count++) {
		const i64 item = (i32)fb_element(&r->fb, items, v->item_count, item_bytes);

		r->fb.bad |= item >= r->p->value_count || item < (optional ? -1 : 0);
		v->items[v->item_count] = (i32)item;
	}
}

static void read_value(struct reading *r, struct fb_table t, struct pte_value *v)
{
	const struct fb_table content = fb_child(&r->fb, t, VALUE_TABLE);
	u64 bits;

	switch (fb_scalar(&r->fb, t, VALUE_TYPE, 1, 0)) {
	case UNION_NULL:
		v->kind = PTE_NONE;
		break;
	case UNION_INT:
		v->kind = PTE_INT;
		v->integer = (i64)fb_scalar(&r->fb, content, 0, 8, 0);
		break;
	case UNION_DOUBLE:
		v->kind = PTE_DOUBLE;
		bits = fb_scalar(&r->fb, content, 0, 8, 0);
		memcpy(&v->number, &bits, sizeof v->number);
		break;
	case UNION_TENSOR:
		read_tensor(r, content, v);
		break;
	case UNION_INTS:
		read_list(r, content, 8, false, v);
		break;
	case UNION_TENSORS:
		read_list(r, content, 4, false, v);
		break;
	case UNION_OPTIONAL_TENSORS:
		read_list(r, content, 4, true, v);
		break;
	default:
		break;
	}
}

static i32 *read_indices(struct reading *r, struct fb_table t, unsigned field, u32 *count)
{
	const struct fb_vector v = fb_vector(&r->fb, t, field, 4);
	i32 *list = calloc(v.count + 1u, sizeof *list);

	*count = list ? v.count : 0;
	r->fb.bad |= !list;
	for (u32 i = 0; i < *count; i++) {
		list[i] = (i32)fb_element(&r->fb, v, i, 4);
		if (list[i] < 0 || (u32)list[i] >= r->p->value_count) {
			r->fb.bad = true;
			list[i] = 0;
		}
	}
	return list;
}

static void read_call(struct reading *r, struct fb_table t, struct pte_call *c)
{
	const struct fb_table content = fb_child(&r->fb, t, INSTRUCTION_TABLE);

	c->kind = (u8)fb_scalar(&r->fb, t, INSTRUCTION_TYPE, 1, 0);
	c->index = (u32)fb_scalar(&r->fb, content, CALL_INDEX, 4, 0);
	if (c->kind == PTE_KERNEL || c->kind == PTE_DELEGATE) {
		c->args = read_indices(r, content, CALL_ARGS, &c->arg_count);
	} else if (c->kind == PTE_MOVE) {
		const u64 to = fb_scalar(&r->fb, content, 1, 4, 0);

		c->args = calloc(1, sizeof *c->args);
		r->fb.bad |= !c->args || c->index >= r->p->value_count || to >= r->p->value_count;
		if (!r->fb.bad) {
			c->args[0] = (i32)to;
			c->arg_count = 1;
		}
	}
}

static void read_delegate(struct reading *r, struct fb_table t, struct pte_delegate *d)
{
	const struct fb_table reference = fb_child(&r->fb, t, DELEGATE_DATA);
	const u64 index = fb_scalar(&r->fb, reference, REFERENCE_INDEX, 4, 0);

	fb_string(&r->fb, t, DELEGATE_ID, d->id, sizeof d->id);
	if (fb_scalar(&r->fb, reference, REFERENCE_LOCATION, 1, 0) == LOCATION_SEGMENT) {
		if (!segment(r, index, &d->data, &d->size))
			r->fb.bad = true;
		return;
	}

	const struct fb_vector inlined = fb_vector(&r->fb, r->program, PROGRAM_DELEGATE_DATA, 4);

	if (index >= inlined.count) {
		r->fb.bad = true;
		return;
	}

	const struct fb_vector data = fb_vector(&r->fb, fb_table_element(&r->fb, inlined, (u32)index), 0, 1);

	d->data = r->fb.bytes + data.at;
	d->size = data.count;
}

static bool read_lists(struct reading *r, struct fb_table plan)
{
	const struct fb_vector values = fb_vector(&r->fb, plan, PLAN_VALUES, 4);
	const struct fb_vector operators = fb_vector(&r->fb, plan, PLAN_OPERATORS, 4);
	const struct fb_vector delegates = fb_vector(&r->fb, plan, PLAN_DELEGATES, 4);
	struct pte_program *p = r->p;

	p->values = calloc(values.count + 1u, sizeof *p->values);
	p->operators = calloc(operators.count + 1u, sizeof *p->operators);
	p->delegates = calloc(delegates.count + 1u, sizeof *p->delegates);
	if (!p->values || !p->operators || !p->delegates)
		return false;
	p->value_count = values.count; /* lists name values behind them */
	for (u32 i = 0; i < values.count; i++)
		read_value(r, fb_table_element(&r->fb, values, i), &p->values[i]);
	for (; p->operator_count < operators.count; p->operator_count++) {
		const struct fb_table t = fb_table_element(&r->fb, operators, p->operator_count);
		char name[PTE_NAME - 32], overload[30];

		fb_string(&r->fb, t, 0, name, sizeof name);
		fb_string(&r->fb, t, 1, overload, sizeof overload);
		snprintf(p->operators[p->operator_count], PTE_NAME, "%s%s%s", name, *overload ? "." : "", overload);
	}
	for (; p->delegate_count < delegates.count; p->delegate_count++)
		read_delegate(r, fb_table_element(&r->fb, delegates, p->delegate_count),
			      &p->delegates[p->delegate_count]);
	p->inputs = read_indices(r, plan, PLAN_INPUTS, &p->input_count);
	p->outputs = read_indices(r, plan, PLAN_OUTPUTS, &p->output_count);
	return p->inputs && p->outputs;
}

static bool read_calls(struct reading *r, struct fb_table plan, const char **problem)
{
	const struct fb_vector chains = fb_vector(&r->fb, plan, PLAN_CHAINS, 4);
	struct pte_program *p = r->p;
	struct fb_vector instructions;

	*problem = "the program has no chain of instructions, or several";
	if (chains.count != 1)
		return false;
	instructions = fb_vector(&r->fb, fb_table_element(&r->fb, chains, 0), CHAIN_INSTRUCTIONS, 4);
	p->calls = calloc(instructions.count + 1u, sizeof *p->calls);
	*problem = "host memory is short";
	if (!p->calls)
		return false;
	for (; p->call_count < instructions.count; p->call_count++) {
		struct pte_call *c = &p->calls[p->call_count];

		read_call(r, fb_table_element(&r->fb, instructions, p->call_count), c);
		r->fb.bad |= (c->kind == PTE_KERNEL && c->index >= p->operator_count) ||
			     (c->kind == PTE_DELEGATE && c->index >= p->delegate_count);
	}
	return true;
}

/* The method "forward", else the first. */
static struct fb_table find_plan(struct reading *r)
{
	const struct fb_vector plans = fb_vector(&r->fb, r->program, PROGRAM_PLANS, 4);
	char name[PTE_NAME];

	for (u32 i = 0; i < plans.count; i++) {
		const struct fb_table plan = fb_table_element(&r->fb, plans, i);

		fb_string(&r->fb, plan, PLAN_NAME, name, sizeof name);
		if (!strcmp(name, "forward"))
			return plan;
	}
	return plans.count ? fb_table_element(&r->fb, plans, 0) : (struct fb_table){ 0 };
}

struct pte_program *pte_read(const u8 *bytes, u64 size, char *why, size_t why_size)
{
	const char *problem = "host memory is short";
	struct reading r;
	struct fb_table plan;

	start_reading(&r, bytes, size);
	plan = find_plan(&r);
	r.p = calloc(1, sizeof *r.p);
	if (r.p && read_lists(&r, plan) && read_calls(&r, plan, &problem) && !r.fb.bad)
		return r.p;
	if (r.fb.bad)
		problem = "damaged .pte file: something points outside of it; export the program again";
	snprintf(why, why_size, "%s", problem);
	pte_free(r.p);
	return NULL;
}

void pte_free(struct pte_program *p)
{
	if (!p)
		return;
	for (u32 i = 0; i < p->call_count; i++)
		free(p->calls[i].args);
	for (u32 i = 0; i < p->value_count; i++)
		free(p->values[i].items);
	free(p->values);
	free(p->calls);
	free(p->operators);
	free(p->delegates);
	free(p->inputs);
	free(p->outputs);
	free(p);
}
