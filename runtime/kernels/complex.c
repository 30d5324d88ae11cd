/* SPDX-License-Identifier: Apache-2.0 */
/* Complex numbers: a tensor of them is one of their parts with a last dimension of two. */
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/strided.h"

#include <math.h>

static bool is_complex(struct kernel_context *c, const struct tensor *t)
{
	return dtype_of_parts(t->type) != t->type || kernel_fail(c, "input of type %s, which is not complex", dtype_name(t->type));
}

/* Begins a walk over all elements; strides count parts. */
static void parts_begin(struct walk *w, const struct tensor *in, const struct tensor *out, int32_t out_factor)
{
	walk_begin(w, 2);
	for (unsigned d = 0; d < in->rank; d++)
		walk_add(w, in->sizes[d], (int32_t[]){ out_factor * out->strides[d], 2 * in->strides[d] });
	walk_ready(w);
}

/* view_as_real_copy(self, out) */
bool kernel_view_as_real_copy(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[1]->as.tensor;
	const unsigned type = dtype_of_parts(in->type);
	int32_t sizes[TENSOR_MAX_RANK];
	struct walk w;

	if (!is_complex(c, in))
		return false;
	if (in->rank == TENSOR_MAX_RANK)
		return kernel_fail(c, "the result has %u dimensions", in->rank + 1u);
	for (unsigned d = 0; d < in->rank; d++)
		sizes[d] = in->sizes[d];
	sizes[in->rank] = 2;
	if (!kernel_resize(c, out, sizes, in->rank + 1u))
		return false;
	for (parts_begin(&w, in, out, 1); w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++)
			run_copy(element_at(out->data, out->type, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0)), out->type, out->strides[in->rank],
				 element_at(in->data, type, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1)), type, 1, 2);
	return true;
}

/* _conj_physical(self, out) */
bool kernel_conj_physical(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[1]->as.tensor;
	const unsigned type = dtype_of_parts(in->type);
	union number parts[2];
	struct walk w;

	if (!is_complex(c, in) || !kernel_resize_like(c, out, in))
		return false;
	if (out->type != in->type)
		return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
	for (parts_begin(&w, in, out, 2); w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			run_read_doubles(parts, element_at(in->data, type, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1)), type, 1, 2);
			parts[1].d = -parts[1].d;
			run_write_doubles(element_at(out->data, type, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0)), type, 1, parts, 2);
		}
	return true;
}

/* abs(self, out) */
bool kernel_abs_complex(struct kernel_context *c, struct value *const *args)
{
	const struct tensor *in = args[0]->as.tensor;
	struct tensor *out = args[1]->as.tensor;
	const unsigned type = dtype_of_parts(in->type);
	union number parts[2];
	struct walk w;

	if (!is_complex(c, in) || !kernel_resize_like(c, out, in))
		return false;
	if (out->type != type)
		return kernel_fail(c, "from %s to %s is not supported", dtype_name(in->type), dtype_name(out->type));
	for (parts_begin(&w, in, out, 1); w.row; walk_next(&w))
		for (int32_t k = 0; k < w.row; k++) {
			run_read_doubles(parts, element_at(in->data, type, w.at[1] + (ptrdiff_t)k * walk_stride(&w, 1)), type, 1, 2);
			parts[0].d = hypot(parts[0].d, parts[1].d);
			run_write_doubles(element_at(out->data, out->type, w.at[0] + (ptrdiff_t)k * walk_stride(&w, 0)), out->type, 0,
					  parts, 1);
		}
	return true;
}
