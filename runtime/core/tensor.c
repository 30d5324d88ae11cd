/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/core/tensor.h"

static const struct { const char *name; uint8_t bytes; } types[] = {
	[DTYPE_UINT8] = { "uint8", 1 },
	[DTYPE_INT8] = { "int8", 1 },
	[DTYPE_INT16] = { "int16", 2 },
	[DTYPE_INT32] = { "int32", 4 },
	[DTYPE_INT64] = { "int64", 8 },
	[DTYPE_FLOAT16] = { "float16", 2 },
	[DTYPE_FLOAT32] = { "float32", 4 },
	[DTYPE_FLOAT64] = { "float64", 8 },
	[DTYPE_COMPLEX32] = { "complex32", 4 },
	[DTYPE_COMPLEX64] = { "complex64", 8 },
	[DTYPE_COMPLEX128] = { "complex128", 16 },
	[DTYPE_BOOL] = { "bool", 1 },
	[DTYPE_BFLOAT16] = { "bfloat16", 2 },
	[DTYPE_UINT16] = { "uint16", 2 },
	[DTYPE_UINT32] = { "uint32", 4 },
	[DTYPE_UINT64] = { "uint64", 8 },
};

size_t dtype_bytes(unsigned type)
{
	return type < sizeof types / sizeof *types ? types[type].bytes : 0;
}

unsigned dtype_of_parts(unsigned type)
{
	return type >= DTYPE_COMPLEX32 && type <= DTYPE_COMPLEX128 ? type - DTYPE_COMPLEX32 + DTYPE_FLOAT16 : type;
}

const char *dtype_name(unsigned type)
{
	return dtype_bytes(type) ? types[type].name : "unknown type";
}

size_t tensor_elements(const struct tensor *t)
{
	size_t n = 1;

	for (unsigned i = 0; i < t->rank; i++)
		n *= (size_t)t->sizes[i];
	return n;
}

size_t tensor_bytes(const struct tensor *t)
{
	return tensor_elements(t) * dtype_bytes(t->type);
}

bool shape_bytes(const int32_t *sizes, unsigned rank, unsigned type, size_t *bytes)
{
	uint64_t n = dtype_bytes(type);
	bool empty = false;

	for (unsigned i = 0; i < rank; i++) {
		if (sizes[i] < 0)
			return false;
		empty |= !sizes[i];
		n *= sizes[i] ? (uint32_t)sizes[i] : 1; /* strides of an empty tensor are bounded, too */
		if (n > INT32_MAX)
			return false;
	}
	*bytes = empty ? 0 : (size_t)n;
	return true;
}

void tensor_set_strides(struct tensor *t)
{
	int32_t stride = 1;

	for (unsigned i = t->rank; i--;) {
		t->strides[t->order[i]] = stride;
		stride *= t->sizes[t->order[i]] ? t->sizes[t->order[i]] : 1;
	}
}

bool tensor_is_contiguous(const struct tensor *t)
{
	int32_t stride = 1;

	for (unsigned i = t->rank; i--;) {
		if (t->sizes[i] > 1 && t->strides[i] != stride)
			return false;
		stride *= t->sizes[i];
	}
	return true;
}

bool tensor_same_shape(const struct tensor *a, const struct tensor *b)
{
	if (a->rank != b->rank)
		return false;
	for (unsigned i = 0; i < a->rank; i++)
		if (a->sizes[i] != b->sizes[i])
			return false;
	return true;
}

bool tensor_same_layout(const struct tensor *a, const struct tensor *b)
{
	if (!tensor_same_shape(a, b))
		return false;
	for (unsigned i = 0; i < a->rank; i++)
		if (a->sizes[i] > 1 && a->strides[i] != b->strides[i])
			return false;
	return true;
}
