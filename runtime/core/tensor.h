/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of a program: element type, shape, order in memory, data.
 *
 * Dimension 0 is PyTorch's first. `order` names the dimensions from the outermost in memory to the innermost (the
 * schema's dim_order): {0,1,2,3} is contiguous, {0,2,3,1} is channels-last. Tensors are dense: strides follow from
 * sizes and order, tensor_set_strides() keeps them so. */
#ifndef RUNTIME_CORE_TENSOR_H
#define RUNTIME_CORE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TENSOR_MAX_RANK 16 /* as upstream's limit */

/* Numbers of the schema's scalar_type.fbs. */
enum dtype {
	DTYPE_UINT8 = 0,
	DTYPE_INT8 = 1,
	DTYPE_INT16 = 2,
	DTYPE_INT32 = 3,
	DTYPE_INT64 = 4,
	DTYPE_FLOAT16 = 5,
	DTYPE_FLOAT32 = 6,
	DTYPE_FLOAT64 = 7,
	DTYPE_COMPLEX32 = 8, /* two float16 */
	DTYPE_COMPLEX64 = 9,
	DTYPE_COMPLEX128 = 10,
	DTYPE_BOOL = 11,
	DTYPE_BFLOAT16 = 15,
	DTYPE_UINT16 = 27,
	DTYPE_UINT32 = 28,
	DTYPE_UINT64 = 29,
};

enum dynamism { SHAPE_STATIC = 0, SHAPE_BOUNDED = 1, SHAPE_UNBOUNDED = 2 };

struct tensor {
	void *data;         /* NULL: none yet; else room for `capacity` bytes */
	int32_t *sizes;     /* `rank` of each: elements */
	int32_t *strides;   /* elements */
	uint8_t *order;     /* dimensions, outermost in memory first */
	size_t capacity;    /* bytes that its largest shape takes; there are as many at `data` */
	uint8_t type;       /* enum dtype */
	uint8_t rank;       /* 0: one element */
	uint8_t dynamism;   /* enum dynamism */
	uint8_t is_constant; /* lies in the program: never written */
	uint8_t is_planned; /* has its own place: an input is copied there, not used where it lies */
};

/* Bytes of one element; 0 for a type that the runtime does not know. */
size_t dtype_bytes(unsigned type);

/* Type of the numbers that an element consists of: its parts' when it is complex, else its own. */
unsigned dtype_of_parts(unsigned type);

/* PyTorch's short name ("int8", "float32"), for messages. */
const char *dtype_name(unsigned type);

/* Number of elements; 1 for rank 0. */
size_t tensor_elements(const struct tensor *t);

/* Bytes of all elements. */
size_t tensor_bytes(const struct tensor *t);

/* Elements and bytes of a shape into *bytes; false when a size is negative or the product exceeds 2^31 - 1. */
bool shape_bytes(const int32_t *sizes, unsigned rank, unsigned type, size_t *bytes);

/* Strides that belong to sizes and order. */
void tensor_set_strides(struct tensor *t);

/* Whether elements lie in PyTorch's plain order; dimensions of one element do not count. */
bool tensor_is_contiguous(const struct tensor *t);

/* Whether both have the same sizes. */
bool tensor_same_shape(const struct tensor *a, const struct tensor *b);

/* Whether both have the same sizes and strides (those of dimensions of one element do not count), so that element k in
 * memory of one belongs to element k of the other. */
bool tensor_same_layout(const struct tensor *a, const struct tensor *b);

#endif
