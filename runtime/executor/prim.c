/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/executor/prim.h"

#include <math.h>
#include <string.h>

/* Wraps as two's complement does; by 0 gives 0 (prim_number() refuses it before). */
static int64_t floor_divide(int64_t a, int64_t b)
{
	int64_t quotient;

	if (!b)
		return 0;
	if (b == -1)
		return (int64_t)(0 - (uint64_t)a);
	quotient = a / b;
	return quotient - (a % b && (a < 0) != (b < 0));
}

static void set_int(struct value *v, int64_t integer)
{
	v->kind = VALUE_INT;
	v->as.integer = integer;
}

static void set_double(struct value *v, double number)
{
	v->kind = VALUE_DOUBLE;
	v->as.number = number;
}

static void set_bool(struct value *v, bool boolean)
{
	v->kind = VALUE_BOOL;
	v->as.boolean = boolean;
}

/* A double as an integer; those beyond 64 bits are cut off at the range's end. */
static int64_t to_int(double number)
{
	return !(number > -9.2e18) ? INT64_MIN : number > 9.2e18 ? INT64_MAX : (int64_t)number;
}

enum result { NUMBER, DOUBLE, BOOL, INT };

/* Operands of a kernel on numbers; missing ones are 0. */
struct operands {
	int64_t integer[3];
	double number[3];
	bool any_double;
};

static struct operands read_operands(struct value *const *args, unsigned count)
{
	struct operands o = { 0 };

	for (unsigned i = 0; i < count; i++) {
		o.any_double |= args[i]->kind == VALUE_DOUBLE;
		o.number[i] = value_as_double(args[i]);
		o.integer[i] = args[i]->kind == VALUE_DOUBLE ? to_int(o.number[i]) : value_as_int(args[i]);
	}
	return o;
}

static bool set_result(struct value *out, enum result kind, bool any_double, int64_t integer, double number)
{
	if (kind == BOOL)
		set_bool(out, any_double ? number != 0 : integer != 0);
	else if (kind == DOUBLE || (kind == NUMBER && any_double))
		set_double(out, number);
	else
		set_int(out, any_double ? to_int(number) : integer);
	return true;
}

/* Numbers are computed twice, as integers and as doubles; the kinds of the operands choose. -fwrapv holds here. */
#define NUMBER_KERNEL(line, letters, kind, integers, doubles) \
	static int64_t integers_##line(int64_t a, int64_t b, int64_t c) { (void)b; (void)c; return (int64_t)(integers); } \
	static double doubles_##line(double a, double b, double c) { (void)b; (void)c; return (double)(doubles); } \
	static bool number_##line(struct kernel_context *k, struct value *const *args) \
	{ \
		const struct operands o = read_operands(args, sizeof letters - 1); \
		(void)k; \
		return set_result(args[sizeof letters - 1], kind, o.any_double || kind == DOUBLE, \
				  integers_##line(o.integer[0], o.integer[1], o.integer[2]), \
				  doubles_##line(o.number[0], o.number[1], o.number[2])); \
	}
#define EXPAND(line, letters, kind, integers, doubles) NUMBER_KERNEL(line, letters, kind, integers, doubles)
#define N(name, letters, kind, integers, doubles) EXPAND(__LINE__, letters, kind, integers, doubles)
#define K(name, signature, function)
#include "runtime/executor/prim.def"
#undef N
#undef K

static bool dimension_of(struct kernel_context *c, const struct tensor *t, int64_t dimension, unsigned *index)
{
	const int64_t from_front = dimension < 0 ? dimension + t->rank : dimension;

	if (from_front < 0 || from_front >= t->rank)
		return kernel_fail(c, "there is no dimension %lld in a tensor of %u", (long long)dimension, t->rank);
	*index = (unsigned)from_front;
	return true;
}

static bool prim_sym_size(struct kernel_context *c, struct value *const *args)
{
	unsigned index = 0;

	if (!dimension_of(c, args[0]->as.tensor, args[1]->as.integer, &index))
		return false;
	set_int(args[2], args[0]->as.tensor->sizes[index]);
	return true;
}

static bool prim_sym_stride(struct kernel_context *c, struct value *const *args)
{
	unsigned index = 0;

	if (!dimension_of(c, args[0]->as.tensor, args[1]->as.integer, &index))
		return false;
	set_int(args[2], args[0]->as.tensor->strides[index]);
	return true;
}

static bool prim_sym_numel(struct kernel_context *c, struct value *const *args)
{
	(void)c;
	set_int(args[1], (int64_t)tensor_elements(args[0]->as.tensor));
	return true;
}

/* The number in a tensor of one element. */
static bool prim_local_scalar_dense(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *t = args[0]->as.tensor;
	struct value *out = args[1];

	if (tensor_elements(t) != 1)
		return kernel_fail(c, "a tensor of %zu elements is not one number", tensor_elements(t));
	switch (t->type) {
	case DTYPE_BOOL: set_bool(out, *(const uint8_t *)t->data != 0); break;
	case DTYPE_UINT8: set_int(out, *(const uint8_t *)t->data); break;
	case DTYPE_INT8: set_int(out, *(const int8_t *)t->data); break;
	case DTYPE_INT16: set_int(out, *(const int16_t *)t->data); break;
	case DTYPE_UINT16: set_int(out, *(const uint16_t *)t->data); break;
	case DTYPE_INT32: set_int(out, *(const int32_t *)t->data); break;
	case DTYPE_UINT32: set_int(out, *(const uint32_t *)t->data); break;
	case DTYPE_INT64: set_int(out, *(const int64_t *)t->data); break;
	case DTYPE_FLOAT32: set_double(out, (double)*(const float *)t->data); break;
	case DTYPE_FLOAT64: set_double(out, *(const double *)t->data); break;
	default: return kernel_fail(c, "a number of type %s is not supported", dtype_name(t->type));
	}
	return true;
}

/* Sizes of a view: one may be -1, which is what the others leave. */
static bool view_sizes(struct kernel_context *c, const struct tensor *from, const struct value *list, int32_t *sizes)
{
	uint64_t product = 1;
	int open = -1;

	for (uint32_t i = 0; i < list->count; i++) {
		const int64_t size = list->as.integers[i];

		if (size < -1 || size > INT32_MAX || (size == -1 && open >= 0))
			return kernel_fail(c, "size %lld of dimension %u makes no sense", (long long)size, (unsigned)i);
		sizes[i] = (int32_t)size;
		if (size == -1)
			open = (int)i;
		else
			product *= (uint64_t)size;
		if (product > INT32_MAX)
			return kernel_fail(c, "the view is larger than its tensor");
	}
	if (open >= 0)
		sizes[open] = product ? (int32_t)(tensor_elements(from) / product) : 0;
	return true;
}

/* Another shape of the same bytes: the result lies where the operand does. */
static bool prim_view(struct kernel_context *c, struct value *const *args)
{
	int32_t sizes[TENSOR_MAX_RANK];
	struct tensor *from, *out;

	if (args[0]->kind != VALUE_TENSOR || args[2]->kind != VALUE_TENSOR || args[1]->count > TENSOR_MAX_RANK)
		return kernel_fail(c, "its arguments are not tensors");
	from = args[0]->as.tensor;
	out = args[2]->as.tensor;
	if (!view_sizes(c, from, args[1], sizes))
		return false;
	out->capacity = from->capacity;
	if (!kernel_resize(c, out, sizes, args[1]->count))
		return false;
	if (out->type != from->type || tensor_elements(out) != tensor_elements(from))
		return kernel_fail(c, "the view has %zu elements of %s, its tensor %zu of %s", tensor_elements(out),
				   dtype_name(out->type), tensor_elements(from), dtype_name(from->type));
	out->data = from->data;
	out->is_constant = from->is_constant;
	return true;
}

/* Puts a tensor into place `index` of another that has a dimension more in front, and grows that for it. */
static bool prim_copy_index(struct kernel_context *c, struct value *const *args)
{
	struct tensor *to = args[0]->as.tensor;
	const struct tensor *from = args[1]->as.tensor;
	const int64_t index = args[2]->as.integer;
	int32_t sizes[TENSOR_MAX_RANK];

	if (to->rank != from->rank + 1 || to->type != from->type || index < 0 || index >= INT32_MAX)
		return kernel_fail(c, "place %lld of a tensor of %u dimensions cannot take one of %u", (long long)index,
				   to->rank, from->rank);
	memcpy(sizes + 1, from->sizes, from->rank * sizeof *sizes);
	sizes[0] = index < to->sizes[0] ? to->sizes[0] : (int32_t)index + 1;
	if (!kernel_resize(c, to, sizes, to->rank))
		return false;
	if (to->order[0] != 0)
		return kernel_fail(c, "dimension 0 is not the outermost in memory");
	memcpy((uint8_t *)to->data + (size_t)index * tensor_bytes(from), from->data, tensor_bytes(from));
	return true;
}

#define NAME(line, name, letters) { name, letters "v", number_##line },
#define NAME_AT(line, name, letters) NAME(line, name, letters)
static const struct kernel_entry prims[] = {
#define N(name, letters, kind, integers, doubles) NAME_AT(__LINE__, name, letters)
#define K(name, signature, function) { name, signature, function },
#include "runtime/executor/prim.def"
#undef N
#undef K
	{ "", "", NULL },
};

const struct kernel_entry *prim_find(const char *name)
{
	return kernel_find(prims, sizeof prims / sizeof *prims - 1, name);
}
