/* SPDX-License-Identifier: Apache-2.0 */
/* Copies where each dimension of the output lists positions of the input: reversed, rotated, repeated, padded, enlarged. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

/* flip(self, dims, out) */
bool kernel_flip(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	struct map m;
	unsigned d;

	if (!kernel_resize_like(c, out, in) || !map_begin(c, &m, out, in))
		return false;
	for (unsigned i = 0; i < args[1]->count; i++) {
		if (!dim_of(c, args[1]->as.integers[i], in->rank, &d))
			return false;
		for (int32_t k = 0; in->rank && k < in->sizes[d]; k++)
			m.offsets[d][k] = (in->sizes[d] - 1 - k) * in->strides[d];
	}
	map_copy(&m, out, in, NULL);
	return true;
}

/* roll(self, shifts, dims, out) */
bool kernel_roll(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[3]->as.tensor;
	struct map m;
	unsigned d;

	if (args[1]->count != args[2]->count)
		return kernel_fail(c, "there are %u shifts for %u dimensions", (unsigned)args[1]->count, (unsigned)args[2]->count);
	if (!kernel_resize_like(c, out, in) || !map_begin(c, &m, out, in))
		return false;
	for (unsigned i = 0; i < args[1]->count; i++) {
		if (!dim_of(c, args[2]->as.integers[i], in->rank, &d))
			return false;
		for (int32_t k = 0; in->rank && k < in->sizes[d]; k++) {
			const int64_t n = in->sizes[d], from = ((k - args[1]->as.integers[i] % n) % n + n) % n;

			m.offsets[d][k] = (int32_t)from * in->strides[d];
		}
	}
	map_copy(&m, out, in, NULL);
	return true;
}

/* repeat(self, repeats, out) */
bool kernel_repeat(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	const unsigned rank = args[1]->count, missing = rank - in->rank;
	int32_t sizes[TENSOR_MAX_RANK];
	struct map m;

	if (rank < in->rank || rank > TENSOR_MAX_RANK)
		return kernel_fail(c, "%u repeats for an input of %u dimensions", rank, in->rank);
	for (unsigned d = 0; d < rank; d++) {
		const int64_t size = args[1]->as.integers[d] * (d < missing ? 1 : in->sizes[d - missing]);

		if (args[1]->as.integers[d] < 0 || args[1]->as.integers[d] > INT32_MAX || size > INT32_MAX)
			return kernel_fail(c, "%lld repeats are not possible", (long long)args[1]->as.integers[d]);
		sizes[d] = (int32_t)size;
	}
	if (!kernel_resize(c, out, sizes, rank) || !map_begin(c, &m, out, in))
		return false;
	for (unsigned d = missing; d < rank; d++)
		for (int32_t k = 0; k < sizes[d]; k++)
			m.offsets[d][k] = k % in->sizes[d - missing] * in->strides[d - missing];
	map_copy(&m, out, in, NULL);
	return true;
}

/* index_select(self, dim, index, out) */
bool kernel_index_select(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor, *index = args[2]->as.tensor;
	struct tensor *out = args[3]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK];
	struct map m;
	unsigned dim;

	if (index->rank > 1 || (index->type != DTYPE_INT32 && index->type != DTYPE_INT64) || !in->rank)
		return kernel_fail(c, "the index is not a list of int32 or int64, or the input has no dimension");
	if (!dim_of(c, args[1]->as.integer, in->rank, &dim))
		return false;
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = d == dim ? (int32_t)tensor_elements(index) : in->sizes[d];
	if (!kernel_resize(c, out, sizes, in->rank) || !map_begin(c, &m, out, in))
		return false;
	for (int32_t k = 0; k < sizes[dim]; k++) {
		const int64_t at = element_integer(element_at(index->data, index->type, k), index->type);

		if (at < 0 || at >= in->sizes[dim])
			return kernel_fail(c, "index %lld is not in a dimension of %d", (long long)at, (int)in->sizes[dim]);
		m.offsets[dim][k] = (int32_t)at * in->strides[dim];
	}
	map_copy(&m, out, in, NULL);
	return true;
}

/* Where a position of the padded dimension comes from. */
typedef int32_t position(int32_t k, int32_t size);

static int32_t position_constant(int32_t k, int32_t size)
{
	return k < 0 || k >= size ? -1 : k;
}

static int32_t position_reflection(int32_t k, int32_t size)
{
	return k < 0 ? -k : k >= size ? 2 * (size - 1) - k : k;
}

static int32_t position_replication(int32_t k, int32_t size)
{
	return k < 0 ? 0 : k >= size ? size - 1 : k;
}

/* Pairs of paddings, the last dimension's first; negative ones cut off. */
static bool pad(struct kernel_context *c, struct value *const *args, const struct value *fill, struct tensor *out, position *from)
{
	const struct tensor *in = args[0]->as.tensor;
	const unsigned padded = args[1]->count / 2;
	const int64_t *padding = args[1]->as.integers;
	int32_t sizes[TENSOR_MAX_RANK];
	struct map m;

	if (args[1]->count % 2 || padded > in->rank)
		return kernel_fail(c, "%u paddings for an input of %u dimensions", (unsigned)args[1]->count, in->rank);
	for (unsigned i = 0; i < in->rank; i++) {
		const unsigned d = in->rank - 1 - i;
		const int64_t before = i < padded ? padding[2 * i] : 0, behind = i < padded ? padding[2 * i + 1] : 0;
		const int64_t most = from == position_reflection ? in->sizes[d] - 1 : INT32_MAX / 4;

		if (before > most || behind > most || before < -in->sizes[d] || behind < -in->sizes[d] ||
		    in->sizes[d] + before + behind < 0 || (from == position_replication && !in->sizes[d]))
			return kernel_fail(c, "padding %lld and %lld of dimension %u does not go with its size %d", (long long)before,
					   (long long)behind, d, (int)in->sizes[d]);
		sizes[d] = (int32_t)(in->sizes[d] + before + behind);
	}
	if (!kernel_resize(c, out, sizes, in->rank) || !map_begin(c, &m, out, in))
		return false;
	for (unsigned i = 0; i < padded; i++) {
		const unsigned d = in->rank - 1 - i;

		for (int32_t k = 0; k < sizes[d]; k++) {
			const int32_t at = from(k - (int32_t)padding[2 * i], in->sizes[d]);

			m.offsets[d][k] = at < 0 ? MAP_NONE : at * in->strides[d];
		}
	}
	map_copy(&m, out, in, fill);
	return true;
}

/* constant_pad_nd(self, pad, value, out) */
bool kernel_constant_pad(struct kernel_context *c, struct value *const *args)
{
	return pad(c, args, args[2], args[3]->as.tensor, position_constant);
}

/* reflection_pad1d, 2d, 3d(self, padding, out) */
bool kernel_reflection_pad(struct kernel_context *c, struct value *const *args)
{
	return pad(c, args, NULL, args[2]->as.tensor, position_reflection);
}

/* replication_pad1d, 2d, 3d(self, padding, out) */
bool kernel_replication_pad(struct kernel_context *c, struct value *const *args)
{
	return pad(c, args, NULL, args[2]->as.tensor, position_replication);
}
