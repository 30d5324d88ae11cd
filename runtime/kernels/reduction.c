/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/reduction.h"
#include "runtime/kernels/strided.h"

static bool dims_of(struct kernel_context *c, struct reduction *r, const struct value *dims)
{
	const bool list = dims->kind == VALUE_INT_LIST;
	unsigned d;

	r->dims = 0;
	if (value_is_none(dims) || (list && !dims->count)) {
		r->dims = ~0u;
		return true;
	}
	for (unsigned i = 0; i < (list ? dims->count : 1); i++) {
		if (!dim_of(c, list ? dims->as.integers[i] : dims->as.integer, r->in->rank, &d))
			return false;
		r->dims |= 1u << d;
	}
	return true;
}

bool reduction_begin(struct kernel_context *c, struct reduction *r, const struct tensor *in, const struct value *dims,
		     bool keepdim, struct tensor *out, struct tensor *second)
{
	int32_t sizes[TENSOR_MAX_RANK];
	unsigned rank = 0, kept = 0;

	r->in = in;
	r->count = 1;
	if (!dims_of(c, r, dims))
		return false;
	for (unsigned d = 0; d < in->rank; d++)
		if (!(r->dims >> d & 1))
			sizes[rank++] = in->sizes[d];
		else if (keepdim)
			sizes[rank++] = 1;
	if (!kernel_resize(c, out, sizes, rank) || (second && !kernel_resize(c, second, sizes, rank)))
		return false;
	walk_begin(&r->kept, 3);
	walk_begin(&r->reduced, 1);
	for (unsigned d = 0; d < in->rank; d++) {
		if (r->dims >> d & 1) {
			walk_add(&r->reduced, in->sizes[d], &in->strides[d]);
			r->count *= (size_t)in->sizes[d];
		} else {
			walk_add(&r->kept, in->sizes[d],
				 (int32_t[]){ out->strides[kept], in->strides[d], second ? second->strides[kept] : 0 });
		}
		kept += keepdim || !(r->dims >> d & 1);
	}
	walk_ready(&r->kept);
	walk_ready(&r->reduced);
	return true;
}

void runs_begin(struct runs *s, const struct reduction *r, ptrdiff_t at)
{
	s->w = r->reduced;
	s->at = at;
	s->done = 0;
}

/* Position of the next run; NULL behind the last. */
static const void *next_run(struct runs *s, const struct reduction *r)
{
	ptrdiff_t at;

	if (s->done == s->w.row) {
		if (!s->w.row || !walk_next(&s->w))
			return NULL;
		s->done = 0;
	}
	at = s->at + s->w.at[0] + (ptrdiff_t)s->done * walk_stride(&s->w, 0);
	s->n = (unsigned)(s->w.row - s->done < RUN ? s->w.row - s->done : RUN);
	s->done += (int32_t)s->n;
	return element_at(r->in->data, r->in->type, at);
}

bool runs_next_doubles(struct runs *s, const struct reduction *r)
{
	const void *from = next_run(s, r);

	if (from)
		run_read_doubles(s->run, from, r->in->type, walk_stride(&s->w, 0), s->n);
	return from;
}

bool runs_next_integers(struct runs *s, const struct reduction *r)
{
	const void *from = next_run(s, r);

	if (from)
		run_read_integers(s->run, from, r->in->type, walk_stride(&s->w, 0), s->n);
	return from;
}
