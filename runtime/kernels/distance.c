/* SPDX-License-Identifier: Apache-2.0 */
/* Distances between rows of matrices by the norm of any degree. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>

/* A row of `n` elements. */
struct row {
	const struct tensor *tensor;
	ptrdiff_t at;
	int32_t stride;
};

static double element_of(struct row r, int32_t k)
{
	return element_double(element_at(r.tensor->data, r.tensor->type, r.at + (ptrdiff_t)k * r.stride), r.tensor->type);
}

static double distance(struct row a, struct row b, int32_t n, double p)
{
	double sum = 0;

	for (int32_t k = 0; k < n; k++) {
		const double x = fabs(element_of(a, k) - element_of(b, k));

		if (isinf(p))
			sum = x > sum || isnan(x) ? x : sum;
		else
			sum += p == 0 ? x != 0 : p == 1 ? x : p == 2 ? x * x : pow(x, p);
	}
	return isinf(p) || p == 0 || p == 1 ? sum : p == 2 ? sqrt(sum) : pow(sum, 1 / p);
}

static void write(const struct tensor *out, ptrdiff_t at, double x)
{
	const union number n = { .d = x };

	run_write_doubles(element_at(out->data, out->type, at), out->type, 0, &n, 1);
}

static bool has_degree(struct kernel_context *c, double p, const struct tensor *in, const struct tensor *out)
{
	if (!dtype_is_float(in->type) || !dtype_is_float(out->type))
		return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
	return p >= 0 || kernel_fail(c, "the norm's degree is not 0 or more");
}

/* All pairs of rows of two matrices. */
static void between(const struct tensor *a, ptrdiff_t a_at, const struct tensor *b, ptrdiff_t b_at, const struct tensor *out,
		    ptrdiff_t to, double p)
{
	const unsigned ra = a->rank - 2u, rb = b->rank - 2u, r = out->rank - 2u;

	for (int32_t i = 0; i < a->sizes[ra]; i++)
		for (int32_t j = 0; j < b->sizes[rb]; j++)
			write(out, to + (ptrdiff_t)i * out->strides[r] + (ptrdiff_t)j * out->strides[r + 1],
			      distance((struct row){ a, a_at + (ptrdiff_t)i * a->strides[ra], a->strides[ra + 1] },
				       (struct row){ b, b_at + (ptrdiff_t)j * b->strides[rb], b->strides[rb + 1] }, a->sizes[ra + 1], p));
}

/* _cdist_forward(x1, x2, p, compute_mode, out) */
bool kernel_cdist(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *a = args[0]->as.tensor, *b = args[1]->as.tensor;
	struct tensor *out = args[4]->as.tensor;
	const double p = value_as_double(args[2]);
	struct tensor batches[3];
	uint8_t order[TENSOR_MAX_RANK];
	int32_t sizes[TENSOR_MAX_RANK];
	unsigned rank;
	struct walk w;

	if (a->rank < 2 || b->rank < 2 || a->sizes[a->rank - 1] != b->sizes[b->rank - 1])
		return kernel_fail(c, "the inputs are not matrices with rows of the same length");
	if (!has_degree(c, p, a, out))
		return false;
	batches[0] = *a;
	batches[1] = *b;
	batches[0].rank = (uint8_t)(a->rank - 2);
	batches[1].rank = (uint8_t)(b->rank - 2);
	if (!broadcast_shape(c, (const struct tensor *const[]){ &batches[0], &batches[1] }, 2, sizes, &rank))
		return false;
	sizes[rank] = a->sizes[a->rank - 2];
	sizes[rank + 1] = b->sizes[b->rank - 2];
	if (!kernel_resize(c, out, sizes, rank + 2))
		return false;
	batches[2] = *out;
	batches[2].rank = (uint8_t)rank;
	batches[2].order = order;
	for (unsigned d = 0; d < rank; d++)
		order[d] = (uint8_t)d;
	if (!walk_broadcast(&w, &batches[2], (const struct tensor *const[]){ &batches[0], &batches[1] }, 2))
		return kernel_fail(c, "an input does not broadcast to the output");
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++)
			between(a, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1), b, w.at[2] + (ptrdiff_t)k * walk_stride(&w, 2), out,
				w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0), p);
	return true;
}

/* _pdist_forward(self, p, out): each pair of rows once. */
bool kernel_pdist(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	const double p = value_as_double(args[1]);
	ptrdiff_t to = 0;

	if (in->rank != 2 || in->sizes[0] > 65535)
		return kernel_fail(c, "the input has %u dimensions, or more than 65535 rows", in->rank);
	if (!has_degree(c, p, in, out) ||
	    !kernel_resize(c, out, (int32_t[]){ (int32_t)((int64_t)in->sizes[0] * (in->sizes[0] - 1) / 2) }, 1))
		return false;
	for (int32_t i = 0; i < in->sizes[0]; i++)
		for (int32_t j = i + 1; j < in->sizes[0]; j++)
			write(out, to++, distance((struct row){ in, (ptrdiff_t)i * in->strides[0], in->strides[1] },
						  (struct row){ in, (ptrdiff_t)j * in->strides[0], in->strides[1] }, in->sizes[1], p));
	return true;
}
