/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that a mask or counts choose. How many there are, the data say: outputs shrink to it within their bounds. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/masked.h"
#include "runtime/kernels/strided.h"

bool is_mask(unsigned type)
{
	return type == DTYPE_BOOL || type == DTYPE_UINT8;
}

static bool is_set(const struct tensor *t, ptrdiff_t at)
{
	return element_double(element_at(t->data, t->type, at), t->type) != 0;
}

/* Offset of element number k in PyTorch's order. */
static ptrdiff_t offset_of(const struct tensor *t, size_t k)
{
	ptrdiff_t at = 0;

	for (unsigned d = t->rank; d--; k /= (size_t)t->sizes[d])
		at += (ptrdiff_t)(k % (size_t)t->sizes[d]) * t->strides[d];
	return at;
}

static int32_t count_set(const struct tensor *t)
{
	const size_t elements = tensor_elements(t);
	int32_t found = 0;

	for (size_t k = 0; k < elements; k++)
		found += is_set(t, (ptrdiff_t)k);
	return found;
}

struct tensor *mask_positions(struct kernel_context *c, const struct tensor *mask)
{
	const size_t elements = tensor_elements(mask), found = (size_t)count_set(mask);
	struct tensor *positions = kernel_temp(c, sizeof *positions * mask->rank);
	int32_t *shape = kernel_temp(c, 2 * sizeof *shape); /* size and stride, the same for all */
	int32_t *data = kernel_temp(c, sizeof *data * mask->rank * found);
	size_t n = 0;

	if (!positions || !shape || !data)
		return NULL;
	shape[0] = (int32_t)found;
	shape[1] = 1;
	for (unsigned d = 0; d < mask->rank; d++)
		positions[d] = (struct tensor){ .data = data + d * found, .sizes = shape, .strides = shape + 1, .type = DTYPE_INT32, .rank = 1 };
	for (size_t k = 0; k < elements; k++) {
		size_t rest = k;

		if (!is_set(mask, offset_of(mask, k)))
			continue;
		for (unsigned d = mask->rank; d--; rest /= (size_t)mask->sizes[d])
			data[d * found + n] = (int32_t)(rest % (size_t)mask->sizes[d]);
		n++;
	}
	return positions;
}

/* nonzero(self, out): a row of positions for each element that is not 0. */
bool kernel_nonzero(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[1]->as.tensor;
	const size_t elements = tensor_elements(in);
	int32_t found = 0;

	if (!kernel_resize(c, out, (int32_t[]){ count_set(in), in->rank }, 2))
		return false;
	for (size_t k = 0; k < elements; k++) {
		size_t rest = k;

		if (!is_set(in, offset_of(in, k)))
			continue;
		for (unsigned d = in->rank; d--; rest /= (size_t)in->sizes[d]) {
			const union number at = { .i = (int64_t)(rest % (size_t)in->sizes[d]) };

			run_write_integers(element_at(out->data, out->type, (ptrdiff_t)found * out->strides[0] + (ptrdiff_t)d * out->strides[1]),
					   out->type, 0, &at, 1);
		}
		found++;
	}
	return true;
}

/* A walk in PyTorch's order over the shape that self and mask broadcast to: operand 0 is self, 1 the mask, 2 an output of
 * that shape (NULL: none). */
struct masking {
	const struct tensor *self, *mask;
	int32_t sizes[TENSOR_MAX_RANK];
	unsigned rank;
};

static bool masking_begin(struct kernel_context *c, struct masking *m, const struct tensor *self, const struct tensor *mask)
{
	*m = (struct masking){ .self = self, .mask = mask };
	if (!is_mask(mask->type))
		return kernel_fail(c, "mask of type %s, not bool", dtype_name(mask->type));
	return broadcast_shape(c, (const struct tensor *const[]){ self, mask }, 2, m->sizes, &m->rank);
}

static int32_t broadcast_step(const struct tensor *t, unsigned rank, unsigned d)
{
	const unsigned missing = rank - t->rank;

	return d < missing || t->sizes[d - missing] == 1 ? 0 : t->strides[d - missing];
}

static void masking_walk(const struct masking *m, const struct tensor *out, struct walk *w)
{
	walk_begin(w, 3);
	for (unsigned d = 0; d < m->rank; d++)
		walk_add(w, m->sizes[d], (int32_t[]){ broadcast_step(m->self, m->rank, d), broadcast_step(m->mask, m->rank, d),
						      out ? out->strides[d] : 0 });
	walk_ready(w);
}

static ptrdiff_t operand_at(const struct walk *w, unsigned operand, int32_t k)
{
	return w->at[operand] + (ptrdiff_t)k * walk_stride(w, operand);
}

/* masked_select(self, mask, out) */
bool kernel_masked_select(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[2]->as.tensor;
	struct masking m;
	struct walk w;
	int32_t found = 0;

	if (!masking_begin(c, &m, args[0]->as.tensor, args[1]->as.tensor))
		return false;
	for (masking_walk(&m, NULL, &w); w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++)
			found += is_set(m.mask, operand_at(&w, 1, k));
	if (!kernel_resize(c, out, &found, 1))
		return false;
	found = 0;
	for (masking_walk(&m, NULL, &w); w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++)
			if (is_set(m.mask, operand_at(&w, 1, k)))
				run_copy(element_at(out->data, out->type, found++), out->type, 1,
					 element_at(m.self->data, m.self->type, operand_at(&w, 0, k)), m.self->type, 1, 1);
	return true;
}

/* masked_scatter(self, mask, source, out): elements of the source, one after the other, where the mask is set. */
bool kernel_masked_scatter(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *source = args[2]->as.tensor;
	struct tensor *out = args[3]->as.tensor;
	const size_t most = tensor_elements(source);
	struct masking m;
	struct walk w;
	size_t taken = 0;

	if (!masking_begin(c, &m, args[0]->as.tensor, args[1]->as.tensor) || !kernel_resize(c, out, m.sizes, m.rank))
		return false;
	for (masking_walk(&m, out, &w); w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			const bool from_source = is_set(m.mask, operand_at(&w, 1, k));
			const struct tensor *from = from_source ? source : m.self;

			if (from_source && taken == most)
				return kernel_fail(c, "the source has %zu elements, fewer than the mask takes", most);
			run_copy(element_at(out->data, out->type, operand_at(&w, 2, k)), out->type, 1,
				 element_at(from->data, from->type, from_source ? offset_of(source, taken++) : operand_at(&w, 0, k)), from->type,
				 1, 1);
		}
	return true;
}

/* repeat_interleave(repeats, output_size, out): position k as often as repeats[k] says. */
bool kernel_repeat_interleave(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *repeats = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	int64_t sum = 0;
	int32_t at = 0;

	if (repeats->rank != 1 || (repeats->type != DTYPE_INT32 && repeats->type != DTYPE_INT64))
		return kernel_fail(c, "repeats of type %s and %u dimensions", dtype_name(repeats->type), repeats->rank);
	for (int32_t k = 0; k < repeats->sizes[0]; k++) {
		const int64_t n = element_integer(element_at(repeats->data, repeats->type, k), repeats->type);

		if (n < 0 || n > INT32_MAX - sum)
			return kernel_fail(c, "%lld repeats, or too many in all", (long long)n);
		sum += n;
	}
	if (sum != value_int_or(args[1], sum))
		return kernel_fail(c, "output_size is %lld, the repeats are %lld", (long long)args[1]->as.integer, (long long)sum);
	if (!kernel_resize(c, out, (int32_t[]){ (int32_t)sum }, 1))
		return false;
	for (int32_t k = 0; k < repeats->sizes[0]; k++) {
		const union number position = { .i = k };

		for (int64_t n = element_integer(element_at(repeats->data, repeats->type, k), repeats->type); n--; at++)
			run_write_integers(element_at(out->data, out->type, at), out->type, 0, &position, 1);
	}
	return true;
}
