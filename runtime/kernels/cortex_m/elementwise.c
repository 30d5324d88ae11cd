/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and products of two tensors of int8, and functions given as a table of 256 bytes. */
#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/cortex_m/requantize.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/walk.h"

#define ADD_SHIFT 20 /* inputs of a sum are scaled with this many bits below the point */

struct input {
	int32_t zero, multiplier, shift;
};

struct sum {
	struct input a, b, out;
	int32_t low, high;
};

/* A row: out[k] of a[k * a_stride], b[k * b_stride]; strides are 0 or 1 but for unusual orders in memory. */
struct row {
	int8_t *out;
	const int8_t *a, *b;
	int32_t out_stride, a_stride, b_stride, n;
};

typedef void row_function(const struct row *r, const void *parameters);

static int8_t add(int8_t a, int8_t b, const struct sum *s)
{
	const int32_t x = requantize((int32_t)((uint32_t)(a - s->a.zero) << ADD_SHIFT), s->a.multiplier, s->a.shift);
	const int32_t y = requantize((int32_t)((uint32_t)(b - s->b.zero) << ADD_SHIFT), s->b.multiplier, s->b.shift);

	return to_int8(requantize((int32_t)((uint32_t)x + (uint32_t)y), s->out.multiplier, s->out.shift), s->out.zero, s->low,
		       s->high);
}

static int8_t multiply(int8_t a, int8_t b, const struct sum *s)
{
	return to_int8(requantize((a - s->a.zero) * (b - s->b.zero), s->out.multiplier, s->out.shift), s->out.zero, -128, 127);
}

static void plain_row(const struct row *r, const struct sum *s, int8_t (*f)(int8_t, int8_t, const struct sum *))
{
	for (int32_t k = 0; k < r->n; k++)
		r->out[k * r->out_stride] = f(r->a[k * r->a_stride], r->b[k * r->b_stride], s);
}

#if KERNEL_MVE

static bool is_vector(const struct row *r)
{
	return r->out_stride == 1 && (r->a_stride == 1 || r->a_stride == 0) && (r->b_stride == 1 || r->b_stride == 0);
}

/* Four elements less their zero point. */
static inline int32x4_t load_4(const int8_t *from, int32_t stride, int32_t k, int32_t zero, mve_pred16_t lanes)
{
	return stride ? vsubq_n_s32(vldrbq_z_s32(from + k, lanes), zero) : vdupq_n_s32(*from - zero);
}

static void add_row(const struct row *r, const void *parameters)
{
	const struct sum *s = parameters;

	if (!is_vector(r)) {
		plain_row(r, s, add);
		return;
	}
	for (int32_t k = 0; k < r->n; k += 4) {
		const mve_pred16_t lanes = vctp32q((uint32_t)(r->n - k));
		const int32x4_t a = vshlq_n_s32(load_4(r->a, r->a_stride, k, s->a.zero, lanes), ADD_SHIFT);
		const int32x4_t b = vshlq_n_s32(load_4(r->b, r->b_stride, k, s->b.zero, lanes), ADD_SHIFT);
		const int32x4_t x = vaddq_s32(requantize_4_n(a, s->a.multiplier, s->a.shift),
					      requantize_4_n(b, s->b.multiplier, s->b.shift));

		vstrbq_p_s32(r->out + k, clamp_4(requantize_4_n(x, s->out.multiplier, s->out.shift), s->out.zero, s->low, s->high),
			     lanes);
	}
}

static void multiply_row(const struct row *r, const void *parameters)
{
	const struct sum *s = parameters;

	if (!is_vector(r)) {
		plain_row(r, s, multiply);
		return;
	}
	for (int32_t k = 0; k < r->n; k += 4) {
		const mve_pred16_t lanes = vctp32q((uint32_t)(r->n - k));
		const int32x4_t x = vmulq_s32(load_4(r->a, r->a_stride, k, s->a.zero, lanes),
					      load_4(r->b, r->b_stride, k, s->b.zero, lanes));

		vstrbq_p_s32(r->out + k, clamp_4(requantize_4_n(x, s->out.multiplier, s->out.shift), s->out.zero, -128, 127), lanes);
	}
}

#else

static void add_row(const struct row *r, const void *parameters)
{
	plain_row(r, parameters, add);
}

static void multiply_row(const struct row *r, const void *parameters)
{
	plain_row(r, parameters, multiply);
}

#endif

static bool run_rows(struct kernel_context *c, const struct tensor *a, const struct tensor *b, struct tensor *out,
		     row_function *f, const void *parameters)
{
	const struct tensor *larger = tensor_elements(a) > tensor_elements(b) ? a : b;
	struct walk w;

	if (!check_int8(c, a, "self") || !check_int8(c, b, "other") || !check_int8(c, out, "output"))
		return false;
	if (!kernel_resize_like(c, out, larger))
		return false;
	if (!walk_broadcast(&w, out, (const struct tensor *const[]){ a, b }, 2))
		return kernel_fail(c, "the two inputs do not broadcast");
	for (; w.row; walk_next(&w)) {
		const struct row r = {
			(int8_t *)out->data + w.at[0], (int8_t *)a->data + w.at[1], (int8_t *)b->data + w.at[2],
			walk_stride(&w, 0), walk_stride(&w, 1), walk_stride(&w, 2), w.row,
		};

		f(&r, parameters);
	}
	return true;
}

static bool read_input(struct kernel_context *c, struct value *const *args, struct input *to)
{
	return check_range(c, args[0], -MOST_OFFSET, MOST_OFFSET, "zero point", &to->zero) &&
	       check_range(c, args[1], INT32_MIN, INT32_MAX, "multiplier", &to->multiplier) && check_shift(c, args[2], &to->shift);
}

/* quantized_add(self, zero point, multiplier, shift, other, the same, output's the same, out) of ExecuTorch 1.2 and before: no
 * activation follows. */
bool kernel_cortex_m_add_whole(struct kernel_context *c, struct value *const *args)
{
	struct sum s = { .low = -128, .high = 127 };

	return read_input(c, args + 1, &s.a) && read_input(c, args + 5, &s.b) && read_input(c, args + 8, &s.out) &&
	       run_rows(c, args[0]->as.tensor, args[4]->as.tensor, args[11]->as.tensor, add_row, &s);
}

/* quantized_add(self, zero point, multiplier, shift, other, the same, output's the same, activation_min,
 * activation_max, out) */
bool kernel_cortex_m_add(struct kernel_context *c, struct value *const *args)
{
	struct sum s;

	return read_input(c, args + 1, &s.a) && read_input(c, args + 5, &s.b) && read_input(c, args + 8, &s.out) &&
	       check_range(c, args[11], -128, 127, "activation_min", &s.low) &&
	       check_range(c, args[12], -128, 127, "activation_max", &s.high) &&
	       run_rows(c, args[0]->as.tensor, args[4]->as.tensor, args[13]->as.tensor, add_row, &s);
}

/* quantized_mul(self, zero point, other, zero point, output's zero point, multiplier, shift, out) */
bool kernel_cortex_m_mul(struct kernel_context *c, struct value *const *args)
{
	struct sum s;

	return check_range(c, args[1], -MOST_OFFSET, MOST_OFFSET, "zero point", &s.a.zero) &&
	       check_range(c, args[3], -MOST_OFFSET, MOST_OFFSET, "zero point", &s.b.zero) && read_input(c, args + 4, &s.out) &&
	       run_rows(c, args[0]->as.tensor, args[2]->as.tensor, args[7]->as.tensor, multiply_row, &s);
}

/* quantized_activation(input, lut, out) */
bool kernel_cortex_m_activation(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *table = args[1]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	struct walk w;

	if (!check_int8(c, in, "input") || !check_int8(c, table, "table") || !check_int8(c, out, "output"))
		return false;
	if (tensor_elements(table) != 256)
		return kernel_fail(c, "the table has %zu entries, not 256", tensor_elements(table));
	if (!kernel_resize_like(c, out, in) || !walk_broadcast(&w, out, &in, 1))
		return false;
	for (; w.row; walk_next(&w)) {
		const int8_t *from = (int8_t *)in->data + w.at[1], *entry = (int8_t *)table->data + 128;
		int8_t *to = (int8_t *)out->data + w.at[0];

		for (int32_t k = 0; k < w.row; k++)
			to[k * walk_stride(&w, 0)] = entry[from[k * walk_stride(&w, 1)]];
	}
	return true;
}
