/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/element.h"
#include "runtime/kernels/half.h"

#include <string.h>

bool dtype_is_float(unsigned type)
{
	return type == DTYPE_FLOAT16 || type == DTYPE_BFLOAT16 || type == DTYPE_FLOAT32 || type == DTYPE_FLOAT64;
}

bool dtype_is_integer(unsigned type)
{
	return dtype_bytes(type) && !dtype_is_float(type) && type != DTYPE_BOOL;
}

static bool is_unsigned(unsigned type)
{
	return type == DTYPE_UINT8 || type == DTYPE_UINT16 || type == DTYPE_UINT32 || type == DTYPE_UINT64;
}

static enum dtype signed_of_bytes(size_t bytes)
{
	return bytes <= 1 ? DTYPE_INT8 : bytes == 2 ? DTYPE_INT16 : bytes == 4 ? DTYPE_INT32 : DTYPE_INT64;
}

enum dtype dtype_promote(unsigned a, unsigned b)
{
	const size_t bytes_a = dtype_bytes(a), bytes_b = dtype_bytes(b);

	if (a == b)
		return (enum dtype)a;
	if (dtype_is_float(a) != dtype_is_float(b))
		return (enum dtype)(dtype_is_float(a) ? a : b);
	if (dtype_is_float(a)) /* the two of 16 bits meet in float32 */
		return bytes_a == bytes_b ? DTYPE_FLOAT32 : (enum dtype)(bytes_a > bytes_b ? a : b);
	if (a == DTYPE_BOOL || b == DTYPE_BOOL)
		return (enum dtype)(a == DTYPE_BOOL ? b : a);
	if (is_unsigned(a) == is_unsigned(b))
		return (enum dtype)(bytes_a > bytes_b ? a : b);
	/* A signed type that holds the unsigned one: the next wider, int64 at most. */
	const size_t of_unsigned = is_unsigned(a) ? bytes_a : bytes_b, of_signed = is_unsigned(a) ? bytes_b : bytes_a;

	return signed_of_bytes(of_signed > of_unsigned ? of_signed : 2 * of_unsigned);
}

enum dtype dtype_promote_scalar(unsigned type, const struct value *scalar)
{
	if (dtype_is_float(type) || scalar->kind == VALUE_BOOL)
		return (enum dtype)type;
	if (scalar->kind == VALUE_DOUBLE)
		return DTYPE_FLOAT32;
	return type == DTYPE_BOOL ? DTYPE_INT64 : (enum dtype)type;
}

/* A double as PyTorch casts it to integers: cut off; what no int64 holds becomes the lowest one. */
static int64_t integer_of(double x)
{
	return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

int64_t element_integer(const void *from, unsigned type)
{
	union number n;

	run_read_integers(&n, from, type, 0, 1);
	return n.i;
}

double element_double(const void *from, unsigned type)
{
	union number n;

	run_read_doubles(&n, from, type, 0, 1);
	return n.d;
}

#define EACH(statement) \
	for (unsigned k = 0; k < n; k++) { \
		statement; \
	} \
	break

#define READ(member, ctype, expression) { \
		const ctype *p = from; \
		for (unsigned k = 0; k < n; k++, p += stride) { \
			const ctype x = *p; \
			to[k].member = expression; \
		} \
		break; \
	}

void run_read_integers(union number *to, const void *from, unsigned type, int32_t stride, unsigned n)
{
	switch (type) {
	case DTYPE_UINT8: READ(i, uint8_t, x)
	case DTYPE_INT8: READ(i, int8_t, x)
	case DTYPE_INT16: READ(i, int16_t, x)
	case DTYPE_INT32: READ(i, int32_t, x)
	case DTYPE_INT64: READ(i, int64_t, x)
	case DTYPE_FLOAT16: READ(i, uint16_t, integer_of(half_to_float(x)))
	case DTYPE_FLOAT32: READ(i, float, integer_of(x))
	case DTYPE_FLOAT64: READ(i, double, integer_of(x))
	case DTYPE_BOOL: READ(i, uint8_t, x != 0)
	case DTYPE_BFLOAT16: READ(i, uint16_t, integer_of(bfloat_to_float(x)))
	case DTYPE_UINT16: READ(i, uint16_t, x)
	case DTYPE_UINT32: READ(i, uint32_t, x)
	case DTYPE_UINT64: READ(i, uint64_t, (int64_t)x)
	}
}

void run_read_doubles(union number *to, const void *from, unsigned type, int32_t stride, unsigned n)
{
	switch (type) {
	case DTYPE_FLOAT16: READ(d, uint16_t, (double)half_to_float(x))
	case DTYPE_FLOAT32: READ(d, float, (double)x)
	case DTYPE_FLOAT64: READ(d, double, x)
	case DTYPE_BFLOAT16: READ(d, uint16_t, (double)bfloat_to_float(x))
	case DTYPE_UINT64: READ(d, uint64_t, (double)x)
	default:
		run_read_integers(to, from, type, stride, n);
		for (unsigned k = 0; k < n; k++)
			to[k].d = (double)to[k].i;
	}
}

#define WRITE(ctype, expression) { \
		ctype *p = to; \
		for (unsigned k = 0; k < n; k++, p += stride) { \
			const union number x = from[k]; \
			*p = (ctype)(expression); \
		} \
		break; \
	}

void run_write_integers(void *to, unsigned type, int32_t stride, const union number *from, unsigned n)
{
	switch (type) {
	case DTYPE_UINT8:
	case DTYPE_INT8: WRITE(uint8_t, x.i)
	case DTYPE_INT16:
	case DTYPE_UINT16: WRITE(uint16_t, x.i)
	case DTYPE_INT32:
	case DTYPE_UINT32: WRITE(uint32_t, x.i)
	case DTYPE_INT64:
	case DTYPE_UINT64: WRITE(uint64_t, x.i)
	case DTYPE_BOOL: WRITE(uint8_t, x.i != 0)
	case DTYPE_FLOAT16: WRITE(uint16_t, half_of_float((float)x.i))
	case DTYPE_BFLOAT16: WRITE(uint16_t, bfloat_of_float((float)x.i))
	case DTYPE_FLOAT32: WRITE(float, x.i)
	case DTYPE_FLOAT64: WRITE(double, x.i)
	}
}

void run_write_doubles(void *to, unsigned type, int32_t stride, const union number *from, unsigned n)
{
	switch (type) {
	case DTYPE_UINT8:
	case DTYPE_INT8: WRITE(uint8_t, integer_of(x.d))
	case DTYPE_INT16:
	case DTYPE_UINT16: WRITE(uint16_t, integer_of(x.d))
	case DTYPE_INT32:
	case DTYPE_UINT32: WRITE(uint32_t, integer_of(x.d))
	case DTYPE_INT64: WRITE(int64_t, integer_of(x.d))
	case DTYPE_UINT64: WRITE(uint64_t, x.d >= 0x1p63 && x.d < 0x1p64 ? (uint64_t)x.d : (uint64_t)integer_of(x.d))
	case DTYPE_BOOL: WRITE(uint8_t, x.d != 0)
	case DTYPE_FLOAT16: WRITE(uint16_t, half_of_float((float)x.d))
	case DTYPE_BFLOAT16: WRITE(uint16_t, bfloat_of_float((float)x.d))
	case DTYPE_FLOAT32: WRITE(float, x.d)
	case DTYPE_FLOAT64: WRITE(double, x.d)
	}
}

void run_wrap_integers(union number *run, unsigned type, unsigned n)
{
	switch (type) {
	case DTYPE_UINT8: EACH(run[k].i = (uint8_t)run[k].i);
	case DTYPE_INT8: EACH(run[k].i = (int8_t)run[k].i);
	case DTYPE_INT16: EACH(run[k].i = (int16_t)run[k].i);
	case DTYPE_UINT16: EACH(run[k].i = (uint16_t)run[k].i);
	case DTYPE_INT32: EACH(run[k].i = (int32_t)run[k].i);
	case DTYPE_UINT32: EACH(run[k].i = (uint32_t)run[k].i);
	case DTYPE_BOOL: EACH(run[k].i = run[k].i != 0);
	}
}

void run_round_doubles(union number *run, unsigned type, unsigned n)
{
	switch (type) {
	case DTYPE_FLOAT16: EACH(run[k].d = (double)half_to_float(half_of_float((float)run[k].d)));
	case DTYPE_BFLOAT16: EACH(run[k].d = (double)bfloat_to_float(bfloat_of_float((float)run[k].d)));
	case DTYPE_FLOAT32: EACH(run[k].d = (double)(float)run[k].d);
	}
}

double rounded_to(double x, unsigned type)
{
	union number n = { .d = x };

	run_round_doubles(&n, type, 1);
	return n.d;
}

static void copy_same(uint8_t *to, ptrdiff_t to_step, const uint8_t *from, ptrdiff_t from_step, size_t bytes, size_t n)
{
	if ((to_step == (ptrdiff_t)bytes && from_step == (ptrdiff_t)bytes) || n == 1) {
		memmove(to, from, n * bytes);
		return;
	}
	for (; n--; to += to_step, from += from_step)
		for (size_t b = 0; b < bytes; b++)
			to[b] = from[b];
}

void run_copy(void *to, unsigned to_type, int32_t to_stride, const void *from, unsigned from_type, int32_t from_stride,
	      size_t n)
{
	const size_t bytes = dtype_bytes(to_type);
	union number run[RUN];

	if (to_type == from_type) {
		copy_same(to, to_stride * (ptrdiff_t)bytes, from, from_stride * (ptrdiff_t)bytes, bytes, n);
		return;
	}
	for (size_t done = 0; done < n; done += RUN) {
		const unsigned part = (unsigned)(n - done < RUN ? n - done : RUN);
		void *part_to = element_at(to, to_type, (ptrdiff_t)done * to_stride);
		const void *part_from = element_at(from, from_type, (ptrdiff_t)done * from_stride);

		if (dtype_is_float(from_type)) {
			run_read_doubles(run, part_from, from_type, from_stride, part);
			run_write_doubles(part_to, to_type, to_stride, run, part);
		} else {
			run_read_integers(run, part_from, from_type, from_stride, part);
			run_write_integers(part_to, to_type, to_stride, run, part);
		}
	}
}
