/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/strided.h"

bool types_copy(struct kernel_context *c, const struct tensor *to, const struct tensor *from)
{
	const bool is_complex = dtype_of_parts(to->type) != to->type || dtype_of_parts(from->type) != from->type;

	return !is_complex || to->type == from->type ||
	       kernel_fail(c, "from %s to %s is not supported", dtype_name(from->type), dtype_name(to->type));
}

void walk_copy(struct walk *w, const struct tensor *to, const struct tensor *from)
{
	for (; w->row; walk_next(w))
		run_copy(element_at(to->data, to->type, w->at[0]), to->type, walk_stride(w, 0),
			 element_at(from->data, from->type, w->at[1]), from->type, walk_stride(w, 1), (size_t)w->row);
}

void strided_copy(struct part to, struct part from, const int32_t *sizes, unsigned rank, const uint8_t *order)
{
	struct walk w;

	walk_begin(&w, 2);
	for (unsigned i = 0; i < rank; i++) {
		const unsigned d = order ? order[i] : i;

		walk_add(&w, sizes[d], (int32_t[]){ to.strides[d], from.strides[d] });
	}
	walk_ready(&w);
	w.at[0] = to.at;
	w.at[1] = from.at;
	walk_copy(&w, to.tensor, from.tensor);
}

bool map_begin(struct kernel_context *c, struct map *m, const struct tensor *out, const struct tensor *in)
{
	const unsigned missing = out->rank - in->rank;

	for (unsigned d = 0; d < out->rank; d++) {
		m->offsets[d] = kernel_temp(c, sizeof(int32_t) * (size_t)out->sizes[d]);
		if (!m->offsets[d])
			return false;
		for (int32_t i = 0; i < out->sizes[d]; i++)
			m->offsets[d][i] = d < missing ? 0 : i * in->strides[d - missing];
	}
	return true;
}

/* The elements of the last dimension. */
static void map_row(const struct map *m, const struct tensor *out, const struct tensor *in, ptrdiff_t to, ptrdiff_t from,
		    bool nothing, const struct value *fill)
{
	static const int32_t single = 0;
	const unsigned last = out->rank ? out->rank - 1u : 0;
	const int32_t n = out->rank ? out->sizes[last] : 1, stride = out->rank ? out->strides[last] : 0;
	const int32_t *offsets = out->rank ? m->offsets[last] : &single;
	const union number integer = { .i = fill ? value_as_int(fill) : 0 }, real = { .d = fill ? value_as_double(fill) : 0 };

	for (int32_t k = 0; k < n; k++) {
		void *at = element_at(out->data, out->type, to + (ptrdiff_t)k * stride);

		if (!nothing && offsets[k] != MAP_NONE)
			run_copy(at, out->type, 1, element_at(in->data, in->type, from + offsets[k]), in->type, 1, 1);
		else if (fill && fill->kind == VALUE_DOUBLE)
			run_write_doubles(at, out->type, 0, &real, 1);
		else
			run_write_integers(at, out->type, 0, &integer, 1);
	}
}

void map_copy(const struct map *m, const struct tensor *out, const struct tensor *in, const struct value *fill)
{
	int32_t index[TENSOR_MAX_RANK] = { 0 };

	for (size_t rows = out->rank && out->sizes[out->rank - 1] ? tensor_elements(out) / (size_t)out->sizes[out->rank - 1]
								  : !out->rank; rows--;) {
		ptrdiff_t to = 0, from = 0;
		bool nothing = false;

		for (unsigned d = 0; d + 1 < out->rank; d++) {
			to += (ptrdiff_t)index[d] * out->strides[d];
			nothing |= m->offsets[d][index[d]] == MAP_NONE;
			from += nothing ? 0 : m->offsets[d][index[d]];
		}
		map_row(m, out, in, to, from, nothing, fill);
		for (unsigned d = out->rank ? out->rank - 1u : 0; d-- && ++index[d] == out->sizes[d];)
			index[d] = 0;
	}
}

bool broadcast_shape(struct kernel_context *c, const struct tensor *const *tensors, unsigned count, int32_t *sizes, unsigned *rank)
{
	*rank = 0;
	for (unsigned k = 0; k < count; k++)
		if (tensors[k] && tensors[k]->rank > *rank)
			*rank = tensors[k]->rank;
	for (unsigned d = 0; d < *rank; d++)
		sizes[d] = 1;
	for (unsigned k = 0; k < count; k++) {
		const struct tensor *t = tensors[k];
		int32_t *last = sizes + *rank - (t ? t->rank : 0);

		for (unsigned d = 0; t && d < t->rank; d++) {
			if (last[d] == 1)
				last[d] = t->sizes[d];
			else if (t->sizes[d] != 1 && t->sizes[d] != last[d])
				return kernel_fail(c, "inputs of sizes %d and %d do not broadcast", (int)last[d], (int)t->sizes[d]);
		}
	}
	return true;
}

bool dim_of(struct kernel_context *c, int64_t given, unsigned rank, unsigned *dim)
{
	const int64_t most = rank ? rank : 1;

	if (given < -most || given >= most)
		return kernel_fail(c, "dimension %lld does not exist in a tensor of %u", (long long)given, rank);
	*dim = (unsigned)(given < 0 ? given + most : given);
	return true;
}

void walk_lines(struct walk *w, unsigned dim, const struct tensor *in, const struct tensor *out, const struct tensor *second)
{
	walk_begin(w, 3);
	for (unsigned d = 0; d < in->rank; d++)
		if (d != dim)
			walk_add(w, in->sizes[d], (int32_t[]){ out->strides[d], in->strides[d], second ? second->strides[d] : 0 });
	walk_ready(w);
}
