/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers. The generator (SplitMix64: G. Steele and others, "Fast splittable pseudorandom number generators", 2014)
 * begins at 0 when a method is loaded and goes on from call to call, so a program draws the same numbers each time. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"

#include <math.h>
#include <string.h>

static uint64_t draw(struct kernel_context *c)
{
	uint64_t x = c->random += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* From 0 to below 1, in so many steps that the type holds each: rounding gives no 1. */
static double draw_uniform(struct kernel_context *c, unsigned type)
{
	const unsigned bits = type == DTYPE_FLOAT64 ? 53 : type == DTYPE_FLOAT16 ? 11 : type == DTYPE_BFLOAT16 ? 8 : 24;

	return ldexp((double)(draw(c) >> (64 - bits)), -(int)bits);
}

/* Mean 0, deviation 1 (G. Box, M. Muller, "A note on the generation of random normal deviates", 1958). */
static double draw_normal(struct kernel_context *c, unsigned type)
{
	const double radius = sqrt(-2 * log(1 - draw_uniform(c, DTYPE_FLOAT64)));

	(void)type;
	return radius * cos(2 * 3.14159265358979323846 * draw_uniform(c, DTYPE_FLOAT64));
}

/* Fills an output that has its shape. */
static bool fill(struct kernel_context *c, struct tensor *out, double (*one)(struct kernel_context *c, unsigned type))
{
	if (!dtype_is_float(out->type))
		return kernel_fail(c, "output of type %s", dtype_name(out->type));
	for (size_t k = 0; k < tensor_elements(out); k++) {
		const union number x = { .d = one(c, out->type) };

		run_write_doubles(element_at(out->data, out->type, (ptrdiff_t)k), out->type, 0, &x, 1);
	}
	return true;
}

/* rand, randn(size, out) */
bool kernel_rand(struct kernel_context *c, struct value *const *args)
{
	return kernel_resize_list(c, args[1]->as.tensor, args[0]) && fill(c, args[1]->as.tensor, draw_uniform);
}

bool kernel_randn(struct kernel_context *c, struct value *const *args)
{
	return kernel_resize_list(c, args[1]->as.tensor, args[0]) && fill(c, args[1]->as.tensor, draw_normal);
}

/* rand_like, randn_like(self, memory_format, out) */
bool kernel_rand_like(struct kernel_context *c, struct value *const *args)
{
	return kernel_resize_like(c, args[2]->as.tensor, args[0]->as.tensor) && fill(c, args[2]->as.tensor, draw_uniform);
}

bool kernel_randn_like(struct kernel_context *c, struct value *const *args)
{
	return kernel_resize_like(c, args[2]->as.tensor, args[0]->as.tensor) && fill(c, args[2]->as.tensor, draw_normal);
}

static bool fill_integers(struct kernel_context *c, int64_t low, int64_t high, const struct value *size, struct tensor *out)
{
	if (low >= high)
		return kernel_fail(c, "there is no number from %lld to below %lld", (long long)low, (long long)high);
	if (!kernel_resize_list(c, out, size))
		return false;
	for (size_t k = 0; k < tensor_elements(out); k++) {
		const union number x = { .i = (int64_t)((uint64_t)low + draw(c) % ((uint64_t)high - (uint64_t)low)) };

		run_write_integers(element_at(out->data, out->type, (ptrdiff_t)k), out->type, 0, &x, 1);
	}
	return true;
}

/* randint(high, size, out), randint(low, high, size, out) */
bool kernel_randint(struct kernel_context *c, struct value *const *args)
{
	return fill_integers(c, 0, args[0]->as.integer, args[1], args[2]->as.tensor);
}

bool kernel_randint_low(struct kernel_context *c, struct value *const *args)
{
	return fill_integers(c, args[0]->as.integer, args[1]->as.integer, args[2], args[3]->as.tensor);
}

/* randperm(n, out): all numbers below n, each swapped with one drawn from those up to it (R. Durstenfeld, 1964). */
bool kernel_randperm(struct kernel_context *c, struct value *const *args)
{
	const int64_t n = args[0]->as.integer;
	struct tensor *out = args[1]->as.tensor;
	const size_t bytes = dtype_bytes(out->type);

	if (n < 0 || n > INT32_MAX)
		return kernel_fail(c, "%lld numbers", (long long)n);
	if (!kernel_resize(c, out, (int32_t[]){ (int32_t)n }, 1))
		return false;
	for (int64_t k = 0; k < n; k++) {
		const union number x = { .i = k };
		uint8_t *from = element_at(out->data, out->type, (ptrdiff_t)(draw(c) % (uint64_t)(k + 1)));
		uint8_t *to = element_at(out->data, out->type, (ptrdiff_t)k);

		memmove(to, from, bytes);
		run_write_integers(from, out->type, 0, &x, 1);
	}
	return true;
}

/* native_dropout(input, p, train, out, mask): what stays grows by 1 / (1 - p), as in PyTorch. */
bool kernel_native_dropout(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[3]->as.tensor, *mask = args[4]->as.tensor;
	const bool is_training = value_is_none(args[2]) || args[2]->as.boolean;
	const double p = is_training ? value_as_double(args[1]) : 0;

	if (!(p >= 0 && p <= 1) || !dtype_is_float(in->type) || out->type != in->type || mask->type != DTYPE_BOOL)
		return kernel_fail(c, "input of type %s, mask of type %s, or a probability that is not from 0 to 1", dtype_name(in->type),
				   dtype_name(mask->type));
	if (!kernel_resize_like(c, out, in) || !kernel_resize_like(c, mask, in))
		return false;
	if (!tensor_same_layout(in, out) || !tensor_same_layout(in, mask))
		return kernel_fail(c, "input, output and mask lie in different orders");
	for (size_t k = 0; k < tensor_elements(in); k++) {
		const bool stays = draw_uniform(c, DTYPE_FLOAT64) >= p;
		const union number x = { .d = stays ? element_double(element_at(in->data, in->type, (ptrdiff_t)k), in->type) / (1 - p) : 0 };

		run_write_doubles(element_at(out->data, out->type, (ptrdiff_t)k), out->type, 0, &x, 1);
		((bool *)mask->data)[k] = stays;
	}
	return true;
}
