/* SPDX-License-Identifier: Apache-2.0 */
/* Discrete Fourier transforms of any length: by its prime factors, in double. What torch.fft and torch.stft become. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>

enum { NOT_SCALED, BY_ROOT, BY_LENGTH }; /* the argument `normalization` */

struct complex {
	double real, imaginary;
};

/* One transform of `n` elements; all in temporary memory. */
struct transform {
	int32_t n;
	struct complex *line, *result, *scratch;
	struct complex *roots; /* exp(-2 pi i k / n), conjugated for the inverse */
};

static bool transform_begin(struct kernel_context *c, struct transform *f, int32_t n, bool forward)
{
	const double turn = (forward ? -2 : 2) * 3.14159265358979323846 / n;

	if (n < 1)
		return kernel_fail(c, "a dimension of %d elements cannot be transformed", (int)n);
	f->n = n;
	f->line = kernel_temp(c, 4 * sizeof *f->line * (size_t)n);
	if (!f->line)
		return false;
	f->result = f->line + n;
	f->scratch = f->result + n;
	f->roots = f->scratch + n;
	for (int32_t k = 0; k < n; k++)
		f->roots[k] = (struct complex){ cos(turn * k), sin(turn * k) };
	return true;
}

static int32_t smallest_factor(int32_t n)
{
	for (int32_t p = 2; p <= n / p; p++)
		if (n % p == 0)
			return p;
	return n;
}

/* to[0..n) becomes the transform of from[0], from[stride], ...; n * stride is the whole length. */
static void transform_part(const struct transform *f, struct complex *to, const struct complex *from, int32_t n, int32_t stride)
{
	const int32_t p = smallest_factor(n), m = n / p;

	if (n == 1) {
		*to = *from;
		return;
	}
	for (int32_t r = 0; r < p; r++)
		transform_part(f, to + r * m, from + r * stride, m, stride * p);
	for (int32_t k = 0; k < m; k++) {
		for (int32_t q = 0; q < p; q++) {
			struct complex sum = { 0, 0 };

			for (int32_t r = 0; r < p; r++) {
				const struct complex x = to[r * m + k], w = f->roots[(int64_t)r * (k + q * m) % n * stride];

				sum.real += x.real * w.real - x.imaginary * w.imaginary;
				sum.imaginary += x.real * w.imaginary + x.imaginary * w.real;
			}
			f->scratch[q] = sum;
		}
		for (int32_t q = 0; q < p; q++)
			to[q * m + k] = f->scratch[q];
	}
}

static void transform_run(const struct transform *f)
{
	transform_part(f, f->result, f->line, f->n, 1);
}

/* Element i of a line; the imaginary part of a real tensor is 0. */
static struct complex read(const struct tensor *t, ptrdiff_t at, int32_t i, int32_t stride)
{
	const unsigned type = dtype_of_parts(t->type), parts = type == t->type ? 1 : 2;
	union number x[2] = { { .d = 0 }, { .d = 0 } };

	run_read_doubles(x, element_at(t->data, t->type, at + (ptrdiff_t)i * stride), type, 1, parts);
	return (struct complex){ x[0].d, x[1].d };
}

static void write(const struct tensor *t, ptrdiff_t at, int32_t i, int32_t stride, struct complex value)
{
	const unsigned type = dtype_of_parts(t->type), parts = type == t->type ? 1 : 2;
	const union number x[2] = { { .d = value.real }, { .d = value.imaginary } };

	run_write_doubles(element_at(t->data, t->type, at + (ptrdiff_t)i * stride), type, 1, x, parts);
}

/* Transforms all lines of `in`. What a line of `in` lacks of `n` elements are those that the spectrum of real numbers mirrors. */
static bool transform_lines(struct kernel_context *c, const struct tensor *in, const struct tensor *out, unsigned dim, int32_t n,
			    bool forward)
{
	const size_t used = c->temp_used;
	struct transform f;
	struct walk w;

	if (!transform_begin(c, &f, n, forward))
		return false;
	walk_lines(&w, dim, in, out, NULL);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			const ptrdiff_t to = w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0), from = w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1);

			for (int32_t i = 0; i < n; i++)
				if (i < in->sizes[dim])
					f.line[i] = read(in, from, i, in->strides[dim]);
				else
					f.line[i] = (struct complex){ f.line[n - i].real, -f.line[n - i].imaginary };
			transform_run(&f);
			for (int32_t i = 0; i < out->sizes[dim]; i++)
				write(out, to, i, out->strides[dim], f.result[i]);
		}
	c->temp_used = used; /* the next dimension's takes its place */
	return true;
}

/* Divides all elements by the lengths of the dimensions, or by their root. */
static bool scale(struct kernel_context *c, const struct tensor *out, double count, int64_t normalization)
{
	const unsigned type = dtype_of_parts(out->type), parts = type == out->type ? 1 : 2;
	const double factor = normalization == BY_ROOT ? 1 / sqrt(count) : 1 / count;
	const size_t numbers = tensor_elements(out) * parts;
	union number x;

	if (normalization < NOT_SCALED || normalization > BY_LENGTH)
		return kernel_fail(c, "normalization %lld is not known", (long long)normalization);
	for (size_t i = 0; normalization != NOT_SCALED && i < numbers; i++) {
		void *at = element_at(out->data, type, (ptrdiff_t)i);

		run_read_doubles(&x, at, type, 1, 1);
		x.d *= factor;
		run_write_doubles(at, type, 1, &x, 1);
	}
	return true;
}

/* The dimensions, and the product of their sizes. */
static bool read_dims(struct kernel_context *c, const struct value *list, const struct tensor *t, unsigned *dims, double *count)
{
	if (!list->count || list->count > t->rank)
		return kernel_fail(c, "%u dimensions of %u are to be transformed", (unsigned)list->count, t->rank);
	*count = 1;
	for (unsigned i = 0; i < list->count; i++) {
		if (!dim_of(c, list->as.integers[i], t->rank, &dims[i]))
			return false;
		*count *= t->sizes[dims[i]];
	}
	return true;
}

static bool check_types(struct kernel_context *c, const struct tensor *in, const struct tensor *out, bool complex_in, bool complex_out)
{
	const unsigned type = dtype_of_parts(in->type);

	if (dtype_is_float(type) && dtype_of_parts(out->type) == type && (type != in->type) == complex_in &&
	    (type != out->type) == complex_out)
		return true;
	return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
}

/* _fft_r2c(self, dim, normalization, onesided, out): the last dimension first. */
bool kernel_fft_r2c(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[4]->as.tensor;
	unsigned dims[TENSOR_MAX_RANK], last;
	int32_t sizes[TENSOR_MAX_RANK];
	double count;

	if (!check_types(c, in, out, false, true) || !read_dims(c, args[1], in, dims, &count))
		return false;
	last = dims[args[1]->count - 1];
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = d == last && args[3]->as.boolean ? in->sizes[d] / 2 + 1 : in->sizes[d];
	if (!kernel_resize(c, out, sizes, in->rank) || !transform_lines(c, in, out, last, in->sizes[last], true))
		return false;
	for (unsigned i = args[1]->count - 1; i--;)
		if (!transform_lines(c, out, out, dims[i], out->sizes[dims[i]], true))
			return false;
	return scale(c, out, count, args[2]->as.integer);
}

/* _fft_c2r(self, dim, normalization, last_dim_size, out) */
bool kernel_fft_c2r(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[4]->as.tensor;
	const int64_t n = args[3]->as.integer;
	int32_t sizes[TENSOR_MAX_RANK];
	unsigned dims[TENSOR_MAX_RANK];
	double count;

	if (!check_types(c, in, out, true, false) || !read_dims(c, args[1], in, dims, &count))
		return false;
	if (args[1]->count != 1)
		return kernel_fail(c, "real numbers from more than one dimension at once are not supported");
	if (n < 1 || n / 2 + 1 != in->sizes[dims[0]])
		return kernel_fail(c, "%lld numbers are not the inverse of %d", (long long)n, (int)in->sizes[dims[0]]);
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = d == dims[0] ? (int32_t)n : in->sizes[d];
	return kernel_resize(c, out, sizes, in->rank) && transform_lines(c, in, out, dims[0], (int32_t)n, false) &&
	       scale(c, out, (double)n, args[2]->as.integer);
}

/* _fft_c2c(self, dim, normalization, forward, out) */
bool kernel_fft_c2c(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[4]->as.tensor;
	unsigned dims[TENSOR_MAX_RANK];
	double count;

	if (!check_types(c, in, out, true, true) || !read_dims(c, args[1], in, dims, &count) || !kernel_resize_like(c, out, in))
		return false;
	for (unsigned i = 0; i < args[1]->count; i++)
		if (!transform_lines(c, i ? out : in, out, dims[i], in->sizes[dims[i]], args[3]->as.boolean))
			return false;
	return scale(c, out, count, args[2]->as.integer);
}
