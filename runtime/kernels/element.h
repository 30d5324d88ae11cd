/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of tensors of any type, read and written in runs as 64-bit numbers, and PyTorch's rules for mixed types.
 *
 * Kernels that need no speed work on runs: RUN elements are read as int64 or as double, one loop computes, the run is
 * written back. Integer results wrap to the element's width as C's conversion does. A double holds every float32, and
 * the sum, product, quotient or root of two, rounded to float32, is what float32 arithmetic gives. */
#ifndef RUNTIME_KERNELS_ELEMENT_H
#define RUNTIME_KERNELS_ELEMENT_H

#include "runtime/core/kernel.h"

#define RUN 64 /* elements */

union number {
	int64_t i;
	double d;
};

/* float16, bfloat16, float32, float64. */
bool dtype_is_float(unsigned type);

/* All types that the functions below read and write; not bool. */
bool dtype_is_integer(unsigned type);

/* Type in which PyTorch computes with these two. */
enum dtype dtype_promote(unsigned a, unsigned b);

/* Type in which PyTorch computes with a tensor of this type and a plain number. */
enum dtype dtype_promote_scalar(unsigned type, const struct value *scalar);

/* The element at `from` (any known type) as an integer; floats are cut off towards zero. */
int64_t element_integer(const void *from, unsigned type);

/* The element at `from` as a double. */
double element_double(const void *from, unsigned type);

/* Reads n elements, `stride` elements apart, as integers or as doubles. */
void run_read_integers(union number *to, const void *from, unsigned type, int32_t stride, unsigned n);
void run_read_doubles(union number *to, const void *from, unsigned type, int32_t stride, unsigned n);

/* Writes n elements, `stride` elements apart: integers are cut to the width of the type, doubles rounded to it. */
void run_write_integers(void *to, unsigned type, int32_t stride, const union number *from, unsigned n);
void run_write_doubles(void *to, unsigned type, int32_t stride, const union number *from, unsigned n);

/* What the numbers become in a tensor of this type, in place. */
void run_wrap_integers(union number *run, unsigned type, unsigned n);
void run_round_doubles(union number *run, unsigned type, unsigned n);

/* A number as a floating-point type holds it; others leave it as it is. A function of its own, because gcc 12 writes
 * conditional conversions to double in a way that its assembler takes for another instruction (VCVTNE). */
double rounded_to(double x, unsigned type);

/* Address of an element. */
static inline void *element_at(const void *data, unsigned type, ptrdiff_t index)
{
	return (uint8_t *)(uintptr_t)data + index * (ptrdiff_t)dtype_bytes(type);
}

/* Copies n elements between tensors, `stride`s in elements, converting the type. */
void run_copy(void *to, unsigned to_type, int32_t to_stride, const void *from, unsigned from_type, int32_t from_stride,
	      size_t n);

#endif
