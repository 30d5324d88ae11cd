/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/cortex_m/common.h"
#include "runtime/kernels/cortex_m/requantize.h"
#include "runtime/kernels/element.h"
#include "runtime/kernels/walk.h"

bool check_int8(struct kernel_context *c, const struct tensor *t, const char *what)
{
	return t->type == DTYPE_INT8 || kernel_fail(c, "%s is of type %s, not int8", what, dtype_name(t->type));
}

bool check_range(struct kernel_context *c, const struct value *v, int32_t low, int32_t high, const char *what, int32_t *to)
{
	const int64_t x = value_as_int(v);

	if (x != (int32_t)x || (int32_t)x < low || (int32_t)x > high)
		return kernel_fail(c, "%s %lld is not in %d..%d", what, (long long)x, (int)low, (int)high);
	*to = (int32_t)x;
	return true;
}

bool check_pair(struct kernel_context *c, const struct value *v, int32_t low, int32_t high, const char *what, struct pair *to)
{
	if (v->count < 1 || v->count > 2)
		return kernel_fail(c, "%s has %u numbers, not two", what, (unsigned)v->count);
	for (unsigned i = 0; i < v->count; i++)
		if (v->as.integers[i] < low || v->as.integers[i] > high)
			return kernel_fail(c, "%s %lld is not in %d..%d", what, (long long)v->as.integers[i], (int)low, (int)high);
	to->h = (int32_t)v->as.integers[0];
	to->w = (int32_t)v->as.integers[v->count - 1];
	return true;
}

bool check_nhwc(struct kernel_context *c, const struct tensor *t, const char *what, struct nhwc *to)
{
	if (!check_int8(c, t, what))
		return false;
	if (t->rank != 4)
		return kernel_fail(c, "%s has %u dimensions, not 4", what, t->rank);
	*to = (struct nhwc){ t->sizes[0], t->sizes[2], t->sizes[3], t->sizes[1] };
	return true;
}

bool check_shift(struct kernel_context *c, const struct value *v, int32_t *to)
{
	return check_range(c, v, SHIFT_LOWEST, SHIFT_HIGHEST, "shift", to);
}

bool check_scales(struct kernel_context *c, const struct tensor *multipliers, const struct tensor *shifts, int32_t count)
{
	if (multipliers->type != DTYPE_INT32 || shifts->type != DTYPE_INT32 ||
	    tensor_elements(multipliers) < (size_t)count || tensor_elements(shifts) < (size_t)count)
		return kernel_fail(c, "multipliers and shifts are not int32 for each of %d channels", (int)count);
	for (int32_t i = 0; i < count; i++)
		if (((int32_t *)shifts->data)[i] < SHIFT_LOWEST || ((int32_t *)shifts->data)[i] > SHIFT_HIGHEST)
			return kernel_fail(c, "shift %d of channel %d is not in %d..%d", (int)((int32_t *)shifts->data)[i],
					   (int)i, SHIFT_LOWEST, SHIFT_HIGHEST);
	return true;
}

bool check_bias(struct kernel_context *c, const struct value *v, int32_t count, const int32_t **to)
{
	const struct tensor *t = value_tensor_or_null(v);

	if (t && (t->type != DTYPE_INT32 || tensor_elements(t) != (size_t)count))
		return kernel_fail(c, "bias is not int32 for each of %d channels", (int)count);
	*to = t ? t->data : NULL;
	return true;
}

/* A tensor of four dimensions beside a plain buffer of the order N, H, W, C. */
static void walk_nhwc(struct walk *w, const struct tensor *t)
{
	static const uint8_t order[] = { 0, 2, 3, 1 };
	int32_t stride = (int32_t)tensor_elements(t);

	walk_begin(w, 2);
	for (unsigned i = 0; i < 4; i++) {
		const unsigned d = order[i];

		stride /= t->sizes[d] ? t->sizes[d] : 1;
		walk_add(w, t->sizes[d], (int32_t[]){ t->strides[d], stride });
	}
	walk_ready(w);
}

static bool is_nhwc(const struct tensor *t)
{
	struct walk w;

	walk_nhwc(&w, t);
	return !w.rank || (w.rank == 1 && w.strides[0][0] == 1);
}

const int8_t *nhwc_input(struct kernel_context *c, const struct tensor *t)
{
	int8_t *copy;
	struct walk w;

	if (is_nhwc(t))
		return t->data;
	copy = kernel_temp(c, tensor_elements(t));
	if (!copy)
		return NULL;
	walk_nhwc(&w, t);
	for (; w.row; walk_next(&w))
		run_copy(copy + w.at[1], DTYPE_INT8, walk_stride(&w, 1), (int8_t *)t->data + w.at[0], DTYPE_INT8,
			 walk_stride(&w, 0), (size_t)w.row);
	return copy;
}

int8_t *nhwc_output(struct kernel_context *c, struct tensor *t)
{
	return is_nhwc(t) ? t->data : kernel_temp(c, tensor_elements(t));
}

void nhwc_output_done(struct tensor *t, const int8_t *written)
{
	struct walk w;

	if (written == t->data)
		return;
	walk_nhwc(&w, t);
	for (; w.row; walk_next(&w))
		run_copy((int8_t *)t->data + w.at[0], DTYPE_INT8, walk_stride(&w, 0), written + w.at[1], DTYPE_INT8,
			 walk_stride(&w, 1), (size_t)w.row);
}
