/* SPDX-License-Identifier: Apache-2.0 */
/* Transposition and padding. */
#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/element.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/walk.h"

#include <string.h>

static void copy_rows(struct walk *w, const struct tensor *out, const struct tensor *in)
{
	for (; w->row; walk_next(w))
		run_copy(element_at(out->data, out->type, w->at[0]), out->type, walk_stride(w, 0),
			 element_at(in->data, in->type, w->at[1]), in->type, walk_stride(w, 1), (size_t)w->row);
}

/* transpose(input, perm, out) */
bool kernel_cortex_m_transpose(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	const int64_t *perm = args[1]->as.integers;
	struct tensor *out = args[2]->as.tensor;
	int32_t sizes[TENSOR_MAX_RANK];
	uint32_t seen = 0;
	struct walk w;

	if (args[1]->count != in->rank || out->type != in->type)
		return kernel_fail(c, "permutation or type of the output do not go with the input");
	for (unsigned d = 0; d < in->rank; d++) {
		if (perm[d] < 0 || perm[d] >= in->rank || (seen & 1u << perm[d]))
			return kernel_fail(c, "dimension %lld in the permutation is wrong or named twice", (long long)perm[d]);
		seen |= 1u << perm[d];
		sizes[d] = in->sizes[perm[d]];
	}
	if (!kernel_resize(c, out, sizes, in->rank))
		return false;
	walk_begin(&w, 2);
	for (unsigned i = 0; i < out->rank; i++) {
		const unsigned d = out->order[i];

		walk_add(&w, sizes[d], (int32_t[]){ out->strides[d], in->strides[perm[d]] });
	}
	walk_ready(&w);
	copy_rows(&w, out, in);
	return true;
}

/* The dialect's idea of channels-last; it decides what the four numbers of a padding belong to. */
static bool is_channels_last(const struct tensor *t)
{
	if (t->rank != 4)
		return false;
	return t->sizes[1] == 1 || (t->sizes[2] == 1 && t->sizes[3] == 1) || (t->order[0] == 0 && t->order[1] == 2);
}

/* pad(input, pre_pad, post_pad, pad_value, out): four numbers each, by the order of the input's memory, for the last
 * dimensions when there are fewer. */
bool kernel_cortex_m_pad(struct kernel_context *c, struct value *const *args)
{
	static const uint8_t nhwc_place[] = { 0, 3, 1, 2 }, plain_place[] = { 0, 1, 2, 3 };
	const struct tensor *in = args[0]->as.tensor;
	const uint8_t *place = is_channels_last(in) ? nhwc_place : plain_place;
	struct tensor *out = args[4]->as.tensor;
	int32_t sizes[4], value;
	ptrdiff_t first = 0;
	int64_t pre[4];
	struct walk w;

	if (!check_int8(c, in, "input") || !check_int8(c, out, "output") ||
	    !check_range(c, args[3], -128, 127, "value", &value))
		return false;
	if (in->rank > 4 || args[1]->count != 4 || args[2]->count != 4)
		return kernel_fail(c, "padding is for up to four dimensions, by two lists of four numbers");
	for (unsigned d = 0; d < in->rank; d++) {
		const unsigned k = place[4 - in->rank + d];
		const int64_t post = args[2]->as.integers[k];

		pre[d] = args[1]->as.integers[k];
		if (pre[d] < 0 || post < 0 || pre[d] > INT32_MAX / 4 || post > INT32_MAX / 4 || in->sizes[d] > INT32_MAX / 4)
			return kernel_fail(c, "padding %lld and %lld of dimension %u are not supported", (long long)pre[d],
					   (long long)post, d);
		sizes[d] = (int32_t)(in->sizes[d] + pre[d] + post);
	}
	if (!kernel_resize(c, out, sizes, in->rank))
		return false;
	memset(out->data, value, tensor_elements(out));
	walk_begin(&w, 2);
	for (unsigned i = 0; i < in->rank; i++) {
		const unsigned d = out->order[i];

		first += (ptrdiff_t)pre[d] * out->strides[d];
		walk_add(&w, in->sizes[d], (int32_t[]){ out->strides[d], in->strides[d] });
	}
	walk_ready(&w);
	w.at[0] = first;
	copy_rows(&w, out, in);
	return true;
}
