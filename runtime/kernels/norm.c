/* SPDX-License-Identifier: Apache-2.0 */
/* Normalisation: per channel with given statistics, over the last dimensions, over groups of channels. */
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/walk.h"

#include <math.h>

static double read(const struct tensor *t, ptrdiff_t k)
{
	return element_double(element_at(t->data, t->type, k), t->type);
}

static double read_or(const struct tensor *t, ptrdiff_t k, double otherwise)
{
	return t ? read(t, k) : otherwise;
}

static void write(const struct tensor *t, ptrdiff_t k, double x)
{
	const union number n = { .d = x };

	run_write_doubles(element_at(t->data, t->type, k), t->type, 0, &n, 1);
}

/* Optional tensors of `count` elements. */
static bool has(struct kernel_context *c, const struct tensor *t, size_t count, const char *what)
{
	if (t && (tensor_elements(t) != count || !tensor_is_contiguous(t)))
		return kernel_fail(c, "%s has %zu elements, not %zu", what, tensor_elements(t), count);
	return true;
}

/* _native_batch_norm_legit_no_training(input, weight, bias, mean, var, momentum, eps, out, save_mean, save_invstd) */
bool kernel_batch_norm(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *weight = value_tensor_or_null(args[1]);
	const struct tensor *bias = value_tensor_or_null(args[2]), *mean = args[3]->as.tensor, *var = args[4]->as.tensor;
	struct tensor *out = args[7]->as.tensor;
	const double eps = value_as_double(args[6]);
	struct walk w;

	if (in->rank < 2 || !dtype_is_float(in->type) || !dtype_is_float(out->type))
		return kernel_fail(c, "input of %u dimensions, type %s", in->rank, dtype_name(in->type));

	const size_t channels = (size_t)in->sizes[1];

	if (!has(c, weight, channels, "weight") || !has(c, bias, channels, "bias") || !has(c, mean, channels, "mean") ||
	    !has(c, var, channels, "variance") || !kernel_resize_like(c, out, in) ||
	    !kernel_resize(c, args[8]->as.tensor, (int32_t[]){ 0 }, 1) || !kernel_resize(c, args[9]->as.tensor, (int32_t[]){ 0 }, 1))
		return false;
	walk_begin(&w, 3);
	for (unsigned i = 0; i < in->rank; i++) {
		const unsigned d = out->order[i];

		walk_add(&w, in->sizes[d], (int32_t[]){ out->strides[d], in->strides[d], d == 1 });
	}
	walk_ready(&w);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			const ptrdiff_t channel = w.at[2] + (ptrdiff_t)k * walk_stride(&w, 2);
			const double x = read(in, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1));

			write(out, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0),
			      (x - read(mean, channel)) / sqrt(read(var, channel) + eps) * read_or(weight, channel, 1) +
				      read_or(bias, channel, 0));
		}
	return true;
}

/* Mean and reciprocal of the deviation of n elements in a row. */
static void statistics(const struct tensor *in, size_t from, size_t n, double eps, double *mean, double *rstd)
{
	double sum = 0, squares = 0;

	for (size_t k = 0; k < n; k++)
		sum += read(in, (ptrdiff_t)(from + k));
	*mean = sum / (double)n;
	for (size_t k = 0; k < n; k++) {
		const double x = read(in, (ptrdiff_t)(from + k)) - *mean;

		squares += x * x;
	}
	*rstd = 1 / sqrt(squares / (double)n + eps);
}

static bool all_plain(struct kernel_context *c, const struct tensor *in, const struct tensor *out)
{
	if (!dtype_is_float(in->type) || !dtype_is_float(out->type))
		return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
	return (tensor_is_contiguous(in) && tensor_is_contiguous(out)) ||
	       kernel_fail(c, "input and output are not both contiguous");
}

/* native_layer_norm(input, normalized_shape, weight, bias, eps, out, mean, rstd) */
bool kernel_layer_norm(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *weight = value_tensor_or_null(args[2]), *bias = value_tensor_or_null(args[3]);
	struct tensor *out = args[5]->as.tensor, *means = args[6]->as.tensor, *rstds = args[7]->as.tensor;
	const unsigned last = args[1]->count, first = in->rank - last;
	int32_t sizes[TENSOR_MAX_RANK];
	size_t n = 1, rows = 1;

	if (last > in->rank)
		return kernel_fail(c, "%u dimensions of %u are to be normalized", last, in->rank);
	for (unsigned d = 0; d < in->rank; d++) {
		sizes[d] = d < first ? in->sizes[d] : 1;
		if (d >= first && in->sizes[d] != args[1]->as.integers[d - first])
			return kernel_fail(c, "dimension %u is %d, not as the shape to be normalized", d, (int)in->sizes[d]);
		if (d < first)
			rows *= (size_t)in->sizes[d];
		else
			n *= (size_t)in->sizes[d];
	}
	if (!has(c, weight, n, "weight") || !has(c, bias, n, "bias") || !kernel_resize_like(c, out, in) || !all_plain(c, in, out) ||
	    !kernel_resize(c, means, sizes, in->rank) || !kernel_resize(c, rstds, sizes, in->rank))
		return false;
	for (size_t r = 0; n && r < rows; r++) {
		double mean, rstd;

		statistics(in, r * n, n, value_as_double(args[4]), &mean, &rstd);
		for (size_t k = 0; k < n; k++)
			write(out, (ptrdiff_t)(r * n + k), (read(in, (ptrdiff_t)(r * n + k)) - mean) * rstd *
								   read_or(weight, (ptrdiff_t)k, 1) + read_or(bias, (ptrdiff_t)k, 0));
		write(means, (ptrdiff_t)r, mean);
		write(rstds, (ptrdiff_t)r, rstd);
	}
	return true;
}

/* native_group_norm(input, weight, bias, N, C, HxW, groups, eps, out, mean, rstd) */
bool kernel_group_norm(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *weight = value_tensor_or_null(args[1]), *bias = value_tensor_or_null(args[2]);
	struct tensor *out = args[8]->as.tensor, *means = args[9]->as.tensor, *rstds = args[10]->as.tensor;
	const int64_t images = args[3]->as.integer, channels = args[4]->as.integer, space = args[5]->as.integer;
	const int64_t groups = args[6]->as.integer;

	if (images < 0 || channels < 1 || space < 0 || groups < 1 || images > INT32_MAX || channels > INT32_MAX ||
	    space > INT32_MAX || channels % groups || (uint64_t)images * (uint64_t)channels > INT32_MAX ||
	    (uint64_t)(images * channels) * (uint64_t)space != tensor_elements(in))
		return kernel_fail(c, "N, C, HxW and groups do not go with the input");
	if (!has(c, weight, (size_t)channels, "weight") || !has(c, bias, (size_t)channels, "bias") ||
	    !kernel_resize_like(c, out, in) || !all_plain(c, in, out) ||
	    !kernel_resize(c, means, (int32_t[]){ (int32_t)images, (int32_t)groups }, 2) ||
	    !kernel_resize(c, rstds, (int32_t[]){ (int32_t)images, (int32_t)groups }, 2))
		return false;

	const size_t per_group = (size_t)(channels / groups), n = per_group * (size_t)space;

	for (size_t g = 0; n && g < (size_t)(images * groups); g++) {
		double mean, rstd;

		statistics(in, g * n, n, value_as_double(args[7]), &mean, &rstd);
		for (size_t k = 0; k < n; k++) {
			const ptrdiff_t channel = (ptrdiff_t)(g % (size_t)groups * per_group + k / (size_t)space);

			write(out, (ptrdiff_t)(g * n + k), (read(in, (ptrdiff_t)(g * n + k)) - mean) * rstd * read_or(weight, channel, 1) +
								   read_or(bias, channel, 0));
		}
		write(means, (ptrdiff_t)g, mean);
		write(rstds, (ptrdiff_t)g, rstd);
	}
	return true;
}
