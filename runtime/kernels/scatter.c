/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that a tensor of positions along one dimension takes from another, puts there, or joins with what is there. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/positions.h"
#include "runtime/kernels/strided.h"

#include <math.h>
#include <string.h>

/* For each element of an index tensor: one in `self` at the position along `dim`, one in `other` at the same place. */
struct pairing {
	struct walk w; /* operand 0: other, 1: index, 2: self */
	const struct tensor *self, *index, *other;
	unsigned dim;
};

static bool pairing_begin(struct kernel_context *c, struct pairing *p, const struct tensor *self, const struct value *dim,
			  const struct tensor *index, const struct tensor *other)
{
	*p = (struct pairing){ .self = self, .index = index, .other = other };
	if (!is_position(index->type) || index->rank != self->rank || (other && other->rank != self->rank))
		return kernel_fail(c, "index of type %s and %u dimensions for an input of %u", dtype_name(index->type), index->rank,
				   self->rank);
	if (!dim_of(c, dim->as.integer, self->rank, &p->dim))
		return false;
	walk_begin(&p->w, 3);
	for (unsigned d = 0; d < index->rank; d++) {
		if ((d != p->dim && index->sizes[d] > self->sizes[d]) || (other && index->sizes[d] > other->sizes[d]))
			return kernel_fail(c, "the index is larger than the tensors in dimension %u", d);
		walk_add(&p->w, index->sizes[d],
			 (int32_t[]){ other ? other->strides[d] : 0, index->strides[d], d == p->dim ? 0 : self->strides[d] });
	}
	walk_ready(&p->w);
	return true;
}

/* Offset in self of element k of the row. */
static bool paired(struct kernel_context *c, const struct pairing *p, int32_t k, ptrdiff_t *in_self)
{
	const bool flat = !p->self->rank;
	int32_t at;

	if (!position_at(c, p->index, p->w.at[1] + (ptrdiff_t)k * walk_stride(&p->w, 1), flat ? 1 : p->self->sizes[p->dim], &at))
		return false;
	*in_self = p->w.at[2] + (ptrdiff_t)k * walk_stride(&p->w, 2) + (flat ? 0 : (ptrdiff_t)at * p->self->strides[p->dim]);
	return true;
}

/* gather(self, dim, index, sparse_grad, out) */
bool kernel_gather(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *self = args[0]->as.tensor, *index = args[2]->as.tensor;
	struct tensor *out = args[4]->as.tensor;
	struct pairing p;
	ptrdiff_t at;

	if (!kernel_resize_like(c, out, index) || !pairing_begin(c, &p, self, args[1], index, out))
		return false;
	for (; p.w.row; walk_next(&p.w))
		for (int32_t k = 0; k < p.w.row; k++) {
			if (!paired(c, &p, k, &at))
				return false;
			run_copy(element_at(out->data, out->type, p.w.at[0] + (ptrdiff_t)k * walk_stride(&p.w, 0)), out->type, 1,
				 element_at(self->data, self->type, at), self->type, 1, 1);
		}
	return true;
}

/* How an element of the source joins the one that is there. */
enum joining { JOIN_REPLACE, JOIN_SUM, JOIN_PRODUCT, JOIN_MEAN, JOIN_LARGEST, JOIN_SMALLEST };

static union number join_doubles(enum joining how, union number a, union number b)
{
	switch (how) {
	case JOIN_SUM:
	case JOIN_MEAN: return (union number){ .d = a.d + b.d };
	case JOIN_PRODUCT: return (union number){ .d = a.d * b.d };
	case JOIN_LARGEST: return isnan(a.d) || a.d > b.d ? a : b;
	case JOIN_SMALLEST: return isnan(a.d) || a.d < b.d ? a : b;
	default: return b;
	}
}

static union number join_integers(enum joining how, union number a, union number b)
{
	switch (how) {
	case JOIN_SUM:
	case JOIN_MEAN: return (union number){ .i = (int64_t)((uint64_t)a.i + (uint64_t)b.i) };
	case JOIN_PRODUCT: return (union number){ .i = (int64_t)((uint64_t)a.i * (uint64_t)b.i) };
	case JOIN_LARGEST: return a.i > b.i ? a : b;
	case JOIN_SMALLEST: return a.i < b.i ? a : b;
	default: return b;
	}
}

static void join(enum joining how, const struct tensor *to, ptrdiff_t at, const struct tensor *from, ptrdiff_t from_at)
{
	void *p = element_at(to->data, to->type, at);
	const void *q = element_at(from->data, from->type, from_at);
	union number a, b;

	if (dtype_is_float(to->type)) {
		run_read_doubles(&a, p, to->type, 0, 1);
		run_read_doubles(&b, q, from->type, 0, 1);
		a = join_doubles(how, a, b);
		run_write_doubles(p, to->type, 0, &a, 1);
	} else {
		run_read_integers(&a, p, to->type, 0, 1);
		run_read_integers(&b, q, from->type, 0, 1);
		a = join_integers(how, a, b);
		run_write_integers(p, to->type, 0, &a, 1);
	}
}

/* For each element of the output how many of the source have joined it; NULL: nobody asks. Without include_self the first
 * one replaces what is there. */
struct joined {
	int32_t *counts;
	bool include_self;
};

static bool scatter(struct kernel_context *c, struct value *const *args, struct tensor *out, enum joining how, const struct joined *j)
{
	const struct tensor *source = args[3]->as.tensor;
	struct pairing p;
	ptrdiff_t at;

	if (!pairing_begin(c, &p, out, args[1], args[2]->as.tensor, source))
		return false;
	for (; p.w.row; walk_next(&p.w))
		for (int32_t k = 0; k < p.w.row; k++) {
			if (!paired(c, &p, k, &at))
				return false;
			join(j->counts && !j->include_self && !j->counts[at] ? JOIN_REPLACE : how, out, at, source,
			     p.w.at[0] + (ptrdiff_t)k * walk_stride(&p.w, 0));
			if (j->counts)
				j->counts[at]++;
		}
	return true;
}

/* scatter, scatter_add(self, dim, index, source, out) */
bool kernel_scatter(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[4]->as.tensor;

	return copy_whole(c, out, args[0]->as.tensor) && scatter(c, args, out, JOIN_REPLACE, &(struct joined){ 0 });
}

bool kernel_scatter_add(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[4]->as.tensor;

	return copy_whole(c, out, args[0]->as.tensor) && scatter(c, args, out, JOIN_SUM, &(struct joined){ 0 });
}

static bool joining_of(struct kernel_context *c, const char *name, enum joining *how)
{
	static const struct { const char *name; enum joining how; } names[] = {
		{ "sum", JOIN_SUM }, { "prod", JOIN_PRODUCT }, { "mean", JOIN_MEAN }, { "amax", JOIN_LARGEST }, { "amin", JOIN_SMALLEST },
	};

	for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
		if (!strcmp(names[k].name, name)) {
			*how = names[k].how;
			return true;
		}
	return kernel_fail(c, "reduction %s does not exist", name);
}

/* Sums become averages; those of integers are rounded down. */
static void divide_by_counts(const struct tensor *out, const struct joined *j)
{
	const size_t elements = tensor_elements(out);

	for (size_t k = 0; k < elements; k++) {
		const int64_t count = (int64_t)j->counts[k] + j->include_self;
		void *at = element_at(out->data, out->type, (ptrdiff_t)k);
		union number x;

		if (count < 2)
			continue;
		if (dtype_is_float(out->type)) {
			run_read_doubles(&x, at, out->type, 0, 1);
			x.d /= (double)count;
			run_write_doubles(at, out->type, 0, &x, 1);
		} else {
			run_read_integers(&x, at, out->type, 0, 1);
			x.i = x.i / count - (x.i % count < 0);
			run_write_integers(at, out->type, 0, &x, 1);
		}
	}
}

/* scatter_reduce(self, dim, index, source, reduce, include_self, out) */
bool kernel_scatter_reduce(struct kernel_context *c, struct value *const *args)
{
	struct tensor *out = args[6]->as.tensor;
	struct joined j = { .include_self = args[5]->as.boolean };
	enum joining how = JOIN_SUM;
	size_t bytes;

	if (!joining_of(c, args[4]->as.text, &how) || !copy_whole(c, out, args[0]->as.tensor))
		return false;
	if (how == JOIN_MEAN && out->type == DTYPE_BOOL)
		return kernel_fail(c, "there is no mean of type bool");
	bytes = tensor_elements(out) * sizeof *j.counts;
	if (!j.include_self || how == JOIN_MEAN) {
		j.counts = kernel_temp(c, bytes);
		if (!j.counts)
			return false;
		memset(j.counts, 0, bytes);
	}
	if (!scatter(c, args, out, how, &j))
		return false;
	if (how == JOIN_MEAN)
		divide_by_counts(out, &j);
	return true;
}

/* scatter(self, dim, index, value, out) */
bool kernel_scatter_value(struct kernel_context *c, struct value *const *args)
{
	const union number integer = { .i = value_as_int(args[3]) }, real = { .d = value_as_double(args[3]) };
	struct tensor *out = args[4]->as.tensor;
	struct pairing p;
	ptrdiff_t at;

	if (!copy_whole(c, out, args[0]->as.tensor) || !pairing_begin(c, &p, out, args[1], args[2]->as.tensor, NULL))
		return false;
	for (; p.w.row; walk_next(&p.w))
		for (int32_t k = 0; k < p.w.row; k++) {
			if (!paired(c, &p, k, &at))
				return false;
			if (args[3]->kind == VALUE_DOUBLE)
				run_write_doubles(element_at(out->data, out->type, at), out->type, 0, &real, 1);
			else
				run_write_integers(element_at(out->data, out->type, at), out->type, 0, &integer, 1);
		}
	return true;
}
