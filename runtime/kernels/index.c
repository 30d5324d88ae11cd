/* SPDX-License-Identifier: Apache-2.0 */
/* Elements chosen by tensors of positions, or by masks: index, index_put. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/masked.h"
#include "runtime/kernels/positions.h"
#include "runtime/kernels/strided.h"

#define MOST_INDICES 8

/* self[i0, :, i2, ...]: the index tensors' common shape takes the place of the dimensions that they index, or stands in
 * front when these are apart. */
struct indexing {
	const struct tensor *indices[MOST_INDICES];
	unsigned dims[MOST_INDICES], count;   /* which dimension each indexes */
	bool is_apart;                        /* other dimensions lie between them */
	int32_t common[TENSOR_MAX_RANK];      /* the index tensors' broadcast shape */
	unsigned common_rank, place;          /* place: where it begins in the result */
	int32_t sizes[TENSOR_MAX_RANK];       /* the result's */
	unsigned rank;
	int32_t kept[TENSOR_MAX_RANK], kept_strides[TENSOR_MAX_RANK]; /* of self's other dimensions */
	unsigned kept_rank;
};

/* Dimension d is indexed by these positions. */
static bool add_index(struct kernel_context *c, struct indexing *x, const struct tensor *self, const struct tensor *positions,
		      unsigned d)
{
	if (d >= self->rank)
		return kernel_fail(c, "the index tensors are for more than the input's %u dimensions", self->rank);
	if (x->count == MOST_INDICES)
		return kernel_fail(c, "more than %u index tensors are not supported", MOST_INDICES);
	x->is_apart |= x->count && d != x->dims[x->count - 1] + 1;
	x->dims[x->count] = d;
	x->indices[x->count++] = positions;
	return true;
}

/* A mask stands for as many index tensors as it has dimensions. */
static bool add_mask(struct kernel_context *c, struct indexing *x, const struct tensor *self, const struct tensor *mask, unsigned d)
{
	const struct tensor *positions;

	if (!mask->rank)
		return kernel_fail(c, "a mask without dimensions is not supported");
	for (unsigned k = 0; k < mask->rank; k++)
		if (d + k >= self->rank || mask->sizes[k] != self->sizes[d + k])
			return kernel_fail(c, "dimension %u of a mask is not the input's dimension %u", k, d + k);
	positions = mask_positions(c, mask);
	for (unsigned k = 0; positions && k < mask->rank; k++)
		if (!add_index(c, x, self, positions + k, d + k))
			return false;
	return positions != NULL;
}

static bool indexing_begin(struct kernel_context *c, struct indexing *x, const struct tensor *self, const struct value *list)
{
	*x = (struct indexing){ 0 };
	for (unsigned item = 0, d = 0; item < list->count; item++) {
		const struct tensor *t = list->as.tensors[item];
		const bool masks = t && is_mask(t->type);

		if (t && !masks && !is_position(t->type))
			return kernel_fail(c, "index tensor %u of type %s is not supported", item, dtype_name(t->type));
		if (t && !(masks ? add_mask(c, x, self, t, d) : add_index(c, x, self, t, d)))
			return false;
		d += masks ? t->rank : 1;
	}
	if (!x->count)
		return kernel_fail(c, "there is no index tensor");
	if (!broadcast_shape(c, x->indices, x->count, x->common, &x->common_rank))
		return false;
	x->place = x->is_apart ? 0 : x->dims[0];
	for (unsigned d = 0, k = 0; d < self->rank; d++) {
		if (k < x->count && x->dims[k] == d) {
			k++;
			continue;
		}
		x->kept[x->kept_rank] = self->sizes[d];
		x->kept_strides[x->kept_rank++] = self->strides[d];
	}
	x->rank = x->kept_rank + x->common_rank;
	if (x->rank > TENSOR_MAX_RANK)
		return kernel_fail(c, "the result has %u dimensions", x->rank);
	for (unsigned d = 0; d < x->rank; d++)
		x->sizes[d] = d < x->place ? x->kept[d] : d < x->place + x->common_rank ? x->common[d - x->place]
											: x->kept[d - x->common_rank];
	return true;
}

/* Offset in self of the k-th combination of positions, in the common shape's order; `at` gets the offset in a tensor
 * whose dimensions of the common shape have the strides `strides`. */
static bool combination(struct kernel_context *c, const struct indexing *x, const struct tensor *self, size_t k,
			const int32_t *strides, ptrdiff_t *from, ptrdiff_t *at)
{
	ptrdiff_t in_index[MOST_INDICES] = { 0 };
	int32_t p;

	*from = *at = 0;
	for (unsigned d = x->common_rank; d--; k /= (size_t)x->common[d]) {
		const int32_t i = (int32_t)(k % (size_t)x->common[d]);

		*at += (ptrdiff_t)i * strides[d];
		for (unsigned n = 0; n < x->count; n++) {
			const struct tensor *t = x->indices[n];
			const unsigned missing = x->common_rank - t->rank;

			if (d >= missing && t->sizes[d - missing] > 1)
				in_index[n] += (ptrdiff_t)i * t->strides[d - missing];
		}
	}
	for (unsigned n = 0; n < x->count; n++) {
		if (!position_at(c, x->indices[n], in_index[n], self->sizes[x->dims[n]], &p))
			return false;
		*from += (ptrdiff_t)p * self->strides[x->dims[n]];
	}
	return true;
}

static size_t combinations(const struct indexing *x)
{
	size_t n = 1;

	for (unsigned d = 0; d < x->common_rank; d++)
		n *= (size_t)x->common[d];
	return n;
}

/* Strides of the dimensions that are not of the common shape. */
static void strides_of_kept(const struct indexing *x, const int32_t *strides, int32_t *to)
{
	for (unsigned d = 0; d < x->kept_rank; d++)
		to[d] = strides[d < x->place ? d : d + x->common_rank];
}

/* index(self, indices, out) */
bool kernel_index(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *self = args[0]->as.tensor;
	struct tensor *out = args[2]->as.tensor;
	int32_t strides[TENSOR_MAX_RANK];
	struct indexing x;
	ptrdiff_t from, to;

	if (!indexing_begin(c, &x, self, args[1]) || !kernel_resize(c, out, x.sizes, x.rank))
		return false;
	strides_of_kept(&x, out->strides, strides);
	for (size_t k = 0; k < combinations(&x); k++) {
		if (!combination(c, &x, self, k, out->strides + x.place, &from, &to))
			return false;
		strided_copy((struct part){ out, to, strides }, (struct part){ self, from, x.kept_strides }, x.kept, x.kept_rank, NULL);
	}
	return true;
}

/* Adds what is copied to what is there. */
static void strided_add(struct part to, struct part from, const int32_t *sizes, unsigned rank)
{
	const bool real = dtype_is_float(to.tensor->type);
	union number a, b;
	struct walk w;

	walk_begin(&w, 2);
	for (unsigned d = 0; d < rank; d++)
		walk_add(&w, sizes[d], (int32_t[]){ to.strides[d], from.strides[d] });
	walk_ready(&w);
	for (; w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			void *p = element_at(to.tensor->data, to.tensor->type, to.at + w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0));
			const void *q = element_at(from.tensor->data, from.tensor->type,
						   from.at + w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1));

			if (real) {
				run_read_doubles(&a, p, to.tensor->type, 0, 1);
				run_read_doubles(&b, q, from.tensor->type, 0, 1);
				a.d += b.d;
				run_write_doubles(p, to.tensor->type, 0, &a, 1);
			} else {
				run_read_integers(&a, p, to.tensor->type, 0, 1);
				run_read_integers(&b, q, from.tensor->type, 0, 1);
				a.i = (int64_t)((uint64_t)a.i + (uint64_t)b.i);
				run_write_integers(p, to.tensor->type, 0, &a, 1);
			}
		}
}

static bool put(struct kernel_context *c, struct tensor *self, const struct value *list, const struct tensor *values, bool add)
{
	int32_t strides[TENSOR_MAX_RANK], kept[TENSOR_MAX_RANK];
	struct indexing x;
	ptrdiff_t to, from;

	if (!indexing_begin(c, &x, self, list))
		return false;
	if (values->rank > x.rank)
		return kernel_fail(c, "the values have %u dimensions, more than %u", values->rank, x.rank);
	for (unsigned d = 0; d < x.rank; d++) {
		const unsigned missing = x.rank - values->rank;

		strides[d] = d < missing || values->sizes[d - missing] == 1 ? 0 : values->strides[d - missing];
		if (d >= missing && values->sizes[d - missing] != 1 && values->sizes[d - missing] != x.sizes[d])
			return kernel_fail(c, "the values do not broadcast to what they replace");
	}
	strides_of_kept(&x, strides, kept);
	for (size_t k = 0; k < combinations(&x); k++) {
		if (!combination(c, &x, self, k, strides + x.place, &to, &from))
			return false;
		if (add)
			strided_add((struct part){ self, to, x.kept_strides }, (struct part){ values, from, kept }, x.kept, x.kept_rank);
		else
			strided_copy((struct part){ self, to, x.kept_strides }, (struct part){ values, from, kept }, x.kept, x.kept_rank,
				     NULL);
	}
	return true;
}

/* index_put(self, indices, values, accumulate, out) */
bool kernel_index_put(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[4]->as.tensor;

	return copy_whole(c, out, args[0]->as.tensor) && put(c, out, args[1], args[2]->as.tensor, args[3]->as.boolean);
}

/* index_put_(self, indices, values, accumulate) */
bool kernel_index_put_in_place(struct kernel_context *c, struct value *const *args)
{
	return put(c, args[0]->as.tensor, args[1], args[2]->as.tensor, args[3]->as.boolean);
}
