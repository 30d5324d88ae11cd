/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a program (the schema's EValue): what instructions read and write. */
#ifndef RUNTIME_CORE_VALUE_H
#define RUNTIME_CORE_VALUE_H

#include "runtime/core/tensor.h"

/* Numbers of the schema's union KernelTypes. */
enum value_kind {
	VALUE_NONE = 1,
	VALUE_INT = 2,
	VALUE_BOOL = 3,
	VALUE_DOUBLE = 4,
	VALUE_TENSOR = 5,
	VALUE_STRING = 6,
	VALUE_INT_LIST = 7,
	VALUE_DOUBLE_LIST = 8,
	VALUE_BOOL_LIST = 9,
	VALUE_TENSOR_LIST = 10,
	VALUE_OPTIONAL_TENSOR_LIST = 11,
};

struct value {
	uint32_t kind;  /* enum value_kind */
	uint32_t count; /* items of a list; bytes of a string */
	union {
		int64_t integer;
		double number;
		bool boolean;
		struct tensor *tensor;
		const char *text;         /* ends with a zero */
		const int64_t *integers;  /* lists: `count` of each */
		const double *numbers;
		const bool *booleans;
		struct tensor *const *tensors; /* NULL: a missing one, in a list of optional tensors only */
	} as;
};

/* For arguments that the signature marks as optional, and for those that are numbers of any kind ("s"). */
static inline bool value_is_none(const struct value *v)
{
	return v->kind == VALUE_NONE;
}

/* The number in an integer, double or bool; a double is cut off towards zero. */
static inline int64_t value_as_int(const struct value *v)
{
	return v->kind == VALUE_DOUBLE ? (int64_t)v->as.number : v->kind == VALUE_BOOL ? v->as.boolean : v->as.integer;
}

/* The number in an integer, double or bool. */
static inline double value_as_double(const struct value *v)
{
	return v->kind == VALUE_DOUBLE ? v->as.number : (double)value_as_int(v);
}

/* An optional argument's value, or `otherwise`. */
static inline int64_t value_int_or(const struct value *v, int64_t otherwise)
{
	return value_is_none(v) ? otherwise : value_as_int(v);
}

/* An optional tensor, or NULL. */
static inline struct tensor *value_tensor_or_null(const struct value *v)
{
	return value_is_none(v) ? NULL : v->as.tensor;
}

#endif
