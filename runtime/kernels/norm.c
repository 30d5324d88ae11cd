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

/* What belongs to each channel; the arguments of all batch normalisations begin with input, weight, bias. */
struct channels {
	const struct tensor *in, *weight, *bias, *mean;
	const struct tensor *spread; /* variance, or the reciprocal of the deviation */
	bool is_reciprocal;
	double eps;
};

static bool channels_begin(struct kernel_context *c, struct channels *v, struct value *const *args, const struct value *eps,
			   struct tensor *out)
{
	*v = (struct channels){ .in = args[0]->as.tensor, .weight = value_tensor_or_null(args[1]), .bias = value_tensor_or_null(args[2]),
				.eps = value_as_double(eps) };
	if (v->in->rank < 2 || !dtype_is_float(v->in->type) || !dtype_is_float(out->type))
		return kernel_fail(c, "input of %u dimensions, type %s", v->in->rank, dtype_name(v->in->type));
	return has(c, v->weight, (size_t)v->in->sizes[1], "weight") && has(c, v->bias, (size_t)v->in->sizes[1], "bias") &&
	       kernel_resize_like(c, out, v->in);
}

static void normalise(const struct channels *v, const struct tensor *out)
{
	const struct tensor *in = v->in;
	struct walk w;

	walk_begin(&w, 3);
	for (unsigned i = 0; i < in->rank; i++) {
		const unsigned d = out->order[i];

		walk_add(&w, in->sizes[d], (int32_t[]){ out->strides[d], in->strides[d], d == 1 });
	}
	walk_ready(&w);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			const ptrdiff_t channel = w.at[2] + (ptrdiff_t)k * walk_stride(&w, 2);
			const double x = read(in, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1)) - read(v->mean, channel);
			const double spread = read(v->spread, channel);

			write(out, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0),
			      (v->is_reciprocal ? x * spread : x / sqrt(spread + v->eps)) * read_or(v->weight, channel, 1) +
				      read_or(v->bias, channel, 0));
		}
}

/* With given mean and variance; results[0..2] are out, save_mean, save_invstd. */
static bool normalise_given(struct kernel_context *c, struct value *const *args, const struct value *eps, struct value *const *results)
{
	struct channels v;

	if (!channels_begin(c, &v, args, eps, results[0]->as.tensor))
		return false;
	v.mean = args[3]->as.tensor;
	v.spread = args[4]->as.tensor;
	if (!has(c, v.mean, (size_t)v.in->sizes[1], "mean") || !has(c, v.spread, (size_t)v.in->sizes[1], "variance") ||
	    !kernel_resize(c, results[1]->as.tensor, (int32_t[]){ 0 }, 1) || !kernel_resize(c, results[2]->as.tensor, (int32_t[]){ 0 }, 1))
		return false;
	normalise(&v, results[0]->as.tensor);
	return true;
}

/* Mean and variance of one channel; returns the number of its elements. */
static size_t channel_statistics(const struct tensor *in, int32_t channel, double *mean, double *variance)
{
	const size_t n = in->sizes[1] ? tensor_elements(in) / (size_t)in->sizes[1] : 0;
	struct walk begin, w;

	walk_begin(&begin, 1);
	for (unsigned d = 0; d < in->rank; d++)
		if (d != 1)
			walk_add(&begin, in->sizes[d], &in->strides[d]);
	walk_ready(&begin);
	*mean = *variance = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (w = begin; w.row; walk_next(&w))
			for (int32_t k = 0; k < w.row; k++) {
				const double x = read(in, (ptrdiff_t)channel * in->strides[1] + w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0));

				*mean += pass ? 0 : x;
				*variance += pass ? (x - *mean) * (x - *mean) : 0;
			}
		*(pass ? variance : mean) /= (double)n;
	}
	return n;
}

static void take_into(const struct tensor *running, int32_t channel, double x, double momentum)
{
	write(running, channel, (1 - momentum) * read(running, channel) + momentum * x);
}

/* With the statistics of this batch, which the running ones (NULL: none) take in. */
static bool normalise_batch(struct kernel_context *c, struct value *const *args, const struct value *eps, struct value *const *results,
			    const struct tensor *running_mean, const struct tensor *running_var, double momentum)
{
	struct tensor *mean = results[1]->as.tensor, *reciprocal = results[2]->as.tensor;
	struct channels v;

	if (!channels_begin(c, &v, args, eps, results[0]->as.tensor) || !kernel_resize(c, mean, &v.in->sizes[1], 1) ||
	    !kernel_resize(c, reciprocal, &v.in->sizes[1], 1) || !has(c, running_mean, (size_t)v.in->sizes[1], "running mean") ||
	    !has(c, running_var, (size_t)v.in->sizes[1], "running variance"))
		return false;
	if ((running_mean && running_mean->is_constant) || (running_var && running_var->is_constant))
		return kernel_fail(c, "the running statistics are constants");
	for (int32_t channel = 0; channel < v.in->sizes[1]; channel++) {
		double m, variance;
		const size_t n = channel_statistics(v.in, channel, &m, &variance);

		write(mean, channel, m);
		write(reciprocal, channel, 1 / sqrt(variance + v.eps));
		if (running_mean)
			take_into(running_mean, channel, m, momentum);
		if (running_var)
			take_into(running_var, channel, variance * (double)n / ((double)n - 1), momentum);
	}
	v.mean = mean;
	v.spread = reciprocal;
	v.is_reciprocal = true;
	normalise(&v, results[0]->as.tensor);
	return true;
}

/* _native_batch_norm_legit_no_training(input, weight, bias, mean, var, momentum, eps, out, save_mean, save_invstd) */
bool kernel_batch_norm(struct kernel_context *c, struct value *const *args)
{
	return normalise_given(c, args, args[6], args + 7);
}

/* _native_batch_norm_legit(input, weight, bias, running_mean, running_var, training, momentum, eps, out, save_mean, save_invstd) */
bool kernel_batch_norm_legit(struct kernel_context *c, struct value *const *args)
{
	if (!args[5]->as.boolean)
		return normalise_given(c, args, args[7], args + 8);
	return normalise_batch(c, args, args[7], args + 8, args[3]->as.tensor, args[4]->as.tensor, value_as_double(args[6]));
}

/* _native_batch_norm_legit.no_stats(input, weight, bias, training, momentum, eps, out, save_mean, save_invstd) */
bool kernel_batch_norm_no_stats(struct kernel_context *c, struct value *const *args)
{
	return normalise_batch(c, args, args[5], args + 6, NULL, NULL, 0);
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
