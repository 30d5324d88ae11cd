/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a program: numbers, tensors with their contents, lists. */
#include "loader/pte_private.h"

#include <stdlib.h>
#include <string.h>

/* Field numbers of program.fbs and scalar_type.fbs. */
enum { PROGRAM_BUFFERS = 2, PROGRAM_CONSTANTS = 5, PROGRAM_MUTABLE = 6 };
enum { VALUE_TYPE = 0, VALUE_TABLE = 1 };
enum { UNION_NULL = 1, UNION_INT = 2, UNION_DOUBLE = 4, UNION_TENSOR = 5, UNION_INTS = 7, UNION_TENSORS = 10,
       UNION_OPTIONAL_TENSORS = 11 };
enum { TENSOR_TYPE = 0, TENSOR_SIZES = 2, TENSOR_ORDER = 3, TENSOR_BUFFER = 5, TENSOR_ALLOCATION = 6,
       TENSOR_EXTRA = 9 };
enum { ALLOCATION_ID = 0, ALLOCATION_LOW = 1, ALLOCATION_HIGH = 2 };
enum { EXTRA_SEGMENT = 0, EXTRA_LOCATION = 2, LOCATION_EXTERNAL = 1 };

#define MAX_TENSOR_BYTES (UINT64_C(1) << 30)

/* The part of a segment that a list of offsets into it gives to a buffer. */
static const u8 *part_of_segment(struct pte_reading *r, struct fb_table list, u64 buffer, u64 bytes)
{
	const struct fb_vector offsets = fb_vector(&r->fb, list, 1, 8);
	const u8 *data;
	u64 size, at;

	if (buffer >= offsets.count || !pte_segment(r, fb_scalar(&r->fb, list, 0, 4, 0), &data, &size))
		return NULL;
	at = fb_element(&r->fb, offsets, (u32)buffer, 8);
	return at <= size && bytes <= size - at ? data + at : NULL;
}

/* What tensor `buffer` holds at the start; buffer 0 means nothing. `is_mutable`: it has memory besides. */
static const u8 *contents(struct pte_reading *r, u64 buffer, u64 bytes, bool is_mutable, u64 mutable_list)
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
static bool read_shape(struct pte_reading *r, struct fb_table t, struct pte_value *v)
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

static void read_tensor(struct pte_reading *r, struct fb_table t, struct pte_value *v)
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
static void read_list(struct pte_reading *r, struct fb_table content, unsigned item_bytes, bool optional,
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

void pte_read_value(struct pte_reading *r, struct fb_table t, struct pte_value *v)
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
