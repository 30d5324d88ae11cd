/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between tensors where each dimension of one has a stride, or a list of positions, in the other. */
#ifndef RUNTIME_KERNELS_STRIDED_H
#define RUNTIME_KERNELS_STRIDED_H

#include "runtime/kernels/element.h"
#include "runtime/kernels/walk.h"

/* Elements of a tensor: the one at index i is at + sum(i[d] * strides[d]). */
struct part {
	const struct tensor *tensor;
	ptrdiff_t at;
	const int32_t *strides;
};

/* Whether elements of `from` can become ones of `to`: complex numbers only where both have the same type. False after
 * kernel_fail. */
bool types_copy(struct kernel_context *c, const struct tensor *to, const struct tensor *from);

/* Copies all elements of a shape, converting the type; in the order of dimensions `order` (NULL: as they are). */
void strided_copy(struct part to, struct part from, const int32_t *sizes, unsigned rank, const uint8_t *order);

/* Copies a walk's elements: operand 0 is `to`, operand 1 `from`. */
void walk_copy(struct walk *w, const struct tensor *to, const struct tensor *from);

/* For each dimension of an output, for each index, the offset (elements) in the input that it adds, or MAP_NONE. */
#define MAP_NONE INT32_MIN

struct map {
	int32_t *offsets[TENSOR_MAX_RANK];
};

/* Memory for the map of `out`, in temporary memory; each offset is index * the input's stride (as if the input had the
 * output's rank; its missing leading dimensions have stride 0). False after kernel_fail. */
bool map_begin(struct kernel_context *c, struct map *m, const struct tensor *out, const struct tensor *in);

/* out[i] = in[sum of offsets], or `fill` where any of them is MAP_NONE. */
void map_copy(const struct map *m, const struct tensor *out, const struct tensor *in, const struct value *fill);

/* Shape that all of the tensors (NULL: not there) broadcast to; false after kernel_fail. */
bool broadcast_shape(struct kernel_context *c, const struct tensor *const *tensors, unsigned count, int32_t *sizes, unsigned *rank);

/* A dimension that counts from the end when negative; false after kernel_fail. */
bool dim_of(struct kernel_context *c, int64_t given, unsigned rank, unsigned *dim);

/* A walk over all lines of `in` along `dim`: operand 0 out, 1 in, 2 a second output (NULL: none). */
void walk_lines(struct walk *w, unsigned dim, const struct tensor *in, const struct tensor *out, const struct tensor *second);

#endif
