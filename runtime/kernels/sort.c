/* SPDX-License-Identifier: Apache-2.0 */
/* Lines in order: sort, topk. Equal elements keep their order; a NaN counts as the largest number. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/sort.h"
#include "runtime/kernels/strided.h"

#include <math.h>

static bool before(const struct order *o, const struct ranked *a, const struct ranked *b)
{
	const bool nan_a = o->is_real && isnan(a->value.d), nan_b = o->is_real && isnan(b->value.d);

	if (nan_a || nan_b)
		return nan_a && nan_b ? a->at < b->at : o->largest == nan_a;
	if (o->is_real ? a->value.d == b->value.d : a->value.i == b->value.i)
		return a->at < b->at;
	return o->largest == (o->is_real ? a->value.d > b->value.d : a->value.i > b->value.i);
}

bool order_begin(struct kernel_context *c, struct order *o, const struct tensor *in, int64_t dim, bool largest)
{
	*o = (struct order){ .in = in, .n = 1, .largest = largest, .is_real = dtype_is_float(in->type) };
	if (!dim_of(c, dim, in->rank, &o->dim))
		return false;
	if (in->rank)
		o->n = in->sizes[o->dim];
	return true;
}

/* Element i of the line that begins at `from`. */
static struct ranked ranked_at(const struct order *o, ptrdiff_t from, int32_t i)
{
	const void *at = element_at(o->in->data, o->in->type, from + (o->in->rank ? (ptrdiff_t)i * o->in->strides[o->dim] : 0));
	struct ranked r = { .at = i };

	if (o->is_real)
		r.value.d = element_double(at, o->in->type);
	else
		r.value.i = element_integer(at, o->in->type);
	return r;
}

/* The k best, best first: each new one is pushed to its place among those kept. */
static void rank_best(const struct order *o, struct ranked *kept, int32_t k, ptrdiff_t from)
{
	int32_t used = 0;

	for (int32_t i = 0; i < o->n; i++) {
		const struct ranked x = ranked_at(o, from, i);
		int32_t place = used < k ? used++ : k;

		if (place == k && (!k || !before(o, &x, &kept[k - 1])))
			continue;
		place -= place == k;
		for (; place && before(o, &x, &kept[place - 1]); place--)
			kept[place] = kept[place - 1];
		kept[place] = x;
	}
}

/* Two ordered parts of `from` become one of `to`. */
static void merge(const struct order *o, struct ranked *to, const struct ranked *from, int32_t first, int32_t middle, int32_t end)
{
	int32_t a = first, b = middle;

	for (int32_t i = first; i < end; i++)
		to[i] = b == end || (a < middle && before(o, &from[a], &from[b])) ? from[a++] : from[b++];
}

/* By merging. */
struct ranked *rank_all(const struct order *o, struct ranked *room, ptrdiff_t from)
{
	struct ranked *now = room, *next = room + o->n, *kept;

	for (int32_t i = 0; i < o->n; i++)
		now[i] = ranked_at(o, from, i);
	for (int32_t width = 1; width < o->n; width = width > o->n / 2 ? o->n : 2 * width) {
		for (int32_t i = 0, middle, end; i < o->n; i = end) {
			middle = o->n - i > width ? i + width : o->n;
			end = o->n - middle > width ? middle + width : o->n;
			merge(o, next, now, i, middle, end);
		}
		kept = now;
		now = next;
		next = kept;
	}
	return now;
}

/* Writes the first k of each line and where they lay. */
static bool write_lines(struct kernel_context *c, const struct order *o, int32_t k, struct tensor *values, struct tensor *positions)
{
	const struct tensor *in = o->in;
	const bool all = k == o->n;
	struct ranked *room = kernel_temp(c, sizeof *room * (size_t)k * (all ? 2 : 1)), *kept = room;
	const unsigned dim = o->dim;
	struct walk w;

	if (!room)
		return false;
	walk_lines(&w, dim, in, values, positions);
	for (; w.row; walk_next(&w))
		for (int32_t line = 0; line < w.row; line++) {
			const ptrdiff_t from = w.at[1] + (ptrdiff_t)line * walk_stride(&w, 1);
			ptrdiff_t value_at = w.at[0] + (ptrdiff_t)line * walk_stride(&w, 0);
			ptrdiff_t position_at = w.at[2] + (ptrdiff_t)line * walk_stride(&w, 2);

			if (all)
				kept = rank_all(o, room, from);
			else
				rank_best(o, kept, k, from);
			for (int32_t i = 0; i < k; i++) {
				const union number at = { .i = kept[i].at };

				run_copy(element_at(values->data, values->type, value_at), values->type, 1,
					 element_at(in->data, in->type, from + (in->rank ? (ptrdiff_t)kept[i].at * in->strides[dim] : 0)),
					 in->type, 1, 1);
				run_write_integers(element_at(positions->data, positions->type, position_at), positions->type, 0, &at, 1);
				value_at += in->rank ? values->strides[dim] : 0;
				position_at += in->rank ? positions->strides[dim] : 0;
			}
		}
	return true;
}

/* topk(self, k, dim, largest, sorted, values, positions): always sorted. */
bool kernel_topk(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *values = args[5]->as.tensor, *positions = args[6]->as.tensor;
	const int64_t k = args[1]->as.integer;
	int32_t sizes[TENSOR_MAX_RANK];
	struct order o;

	if (!order_begin(c, &o, in, args[2]->as.integer, args[3]->as.boolean))
		return false;
	if (k < 0 || k > o.n)
		return kernel_fail(c, "%lld are not among the elements of the dimension", (long long)k);
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = d == o.dim ? (int32_t)k : in->sizes[d];
	return kernel_resize(c, values, sizes, in->rank) && kernel_resize(c, positions, sizes, in->rank) &&
	       write_lines(c, &o, (int32_t)k, values, positions);
}

static bool sort(struct kernel_context *c, const struct tensor *in, struct value *const *args)
{
	struct tensor *values = args[2]->as.tensor, *positions = args[3]->as.tensor;
	struct order o;

	return order_begin(c, &o, in, args[0]->as.integer, args[1]->as.boolean) && kernel_resize_like(c, values, in) &&
	       kernel_resize_like(c, positions, in) && write_lines(c, &o, o.n, values, positions);
}

/* sort(self, dim, descending, values, positions) */
bool kernel_sort(struct kernel_context *c, struct value *const *args)
{
	return sort(c, args[0]->as.tensor, args + 1);
}

/* sort(self, stable, dim, descending, values, positions): always stable. */
bool kernel_sort_stable(struct kernel_context *c, struct value *const *args)
{
	return sort(c, args[0]->as.tensor, args + 2);
}
