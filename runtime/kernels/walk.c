/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/walk.h"

void walk_begin(struct walk *w, unsigned operands)
{
	w->rank = 0;
	w->operands = operands;
	w->row = 1;
	for (unsigned k = 0; k < operands; k++)
		w->at[k] = 0;
}

static bool continues(const struct walk *w, int32_t size, const int32_t *strides)
{
	if (!w->rank)
		return false;
	for (unsigned k = 0; k < w->operands; k++)
		if ((int64_t)strides[k] * size != w->strides[k][w->rank - 1])
			return false;
	return true;
}

void walk_add(struct walk *w, int32_t size, const int32_t *strides)
{
	if (size == 1)
		return;
	if (!size)
		w->row = 0;
	if (continues(w, size, strides))
		w->sizes[w->rank - 1] *= size;
	else
		w->sizes[w->rank++] = size;
	for (unsigned k = 0; k < w->operands; k++)
		w->strides[k][w->rank - 1] = strides[k];
}

void walk_ready(struct walk *w)
{
	for (unsigned d = 0; d < w->rank; d++)
		w->index[d] = 0;
	if (w->row && w->rank)
		w->row = w->sizes[w->rank - 1];
}

bool walk_next(struct walk *w)
{
	for (unsigned d = w->rank ? w->rank - 1 : 0; d--;) {
		for (unsigned k = 0; k < w->operands; k++)
			w->at[k] += w->strides[k][d];
		if (++w->index[d] < w->sizes[d])
			return true;
		for (unsigned k = 0; k < w->operands; k++)
			w->at[k] -= (ptrdiff_t)w->strides[k][d] * w->sizes[d];
		w->index[d] = 0;
	}
	w->row = 0;
	return false;
}

/* Stride of an input along dimension d of a tensor of `rank`; false when it does not broadcast. */
static bool broadcast_stride(const struct tensor *in, unsigned rank, unsigned d, int32_t size, int32_t *stride)
{
	const unsigned missing = rank - in->rank;

	*stride = 0;
	if (d < missing || in->sizes[d - missing] == 1)
		return true;
	*stride = in->strides[d - missing];
	return in->sizes[d - missing] == size;
}

bool walk_broadcast(struct walk *w, const struct tensor *out, const struct tensor *const *in, unsigned inputs)
{
	walk_begin(w, inputs + 1);
	for (unsigned k = 0; k < inputs; k++)
		if (in[k] && in[k]->rank > out->rank)
			return false;
	for (unsigned i = 0; i < out->rank; i++) {
		const unsigned d = out->order[i];
		int32_t strides[WALK_OPERANDS] = { out->strides[d] };

		for (unsigned k = 0; k < inputs; k++)
			if (in[k] && !broadcast_stride(in[k], out->rank, d, out->sizes[d], &strides[k + 1]))
				return false;
		walk_add(w, out->sizes[d], strides);
	}
	walk_ready(w);
	return true;
}
