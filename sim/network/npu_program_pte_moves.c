/* SPDX-License-Identifier: Apache-2.0 */
/* ExecuTorch kernels that only move elements, as they stand between delegates: each becomes
 * steps that copy a block of elements between two strided places. Shapes have been checked against
 * the tensors' memory by the reader of the file; what is checked here is that they fit each other. */
#include "sim/network/npu_program_pte.h"

#include <string.h>

/* The tensors of a call and how they lie in memory. */
struct side {
	const struct pte_value *value;
	u8 *memory;
	i64 step[PTE_RANK]; /* bytes from one index of a dimension to the next */
};

struct call {
	struct npu_pte_loading *l;
	const struct pte_call *c;
	struct side in, out;
};

static bool damaged(const struct call *k)
{
	return npu_pte_fail(k->l, "an operator that moves data has arguments that do not fit: damaged program");
}

static bool find_side(const struct npu_pte_loading *l, i32 value, struct side *s)
{
	const struct pte_value *v = &l->pte->values[value];
	i64 step = v->element_bytes;

	*s = (struct side){ .value = v, .memory = l->memory[value] };
	for (u32 i = v->rank; i-- > 0;) {
		s->step[v->order[i]] = step;
		step *= v->sizes[v->order[i]];
	}
	return v->kind == PTE_TENSOR && s->memory;
}

/* Argument `n` as an integer, `otherwise` where it is None. */
static i64 integer(const struct call *k, u32 n, i64 otherwise)
{
	const struct pte_value *v = &k->l->pte->values[k->c->args[n]];

	return v->kind == PTE_INT ? v->integer : otherwise;
}

/* A dimension that may count from the end; -1: none. */
static i32 dimension(i64 d, u32 rank)
{
	const i64 from_start = d < 0 ? d + rank : d;

	return from_start < 0 || from_start >= rank ? -1 : (i32)from_start;
}

/* A step for a block of `size` elements. */
static struct npu_step block(const struct side *to, const u32 *size, u32 rank)
{
	struct npu_step s = { .kind = NPU_STEP_MOVE, .element_bytes = to->value->element_bytes, .rank = (u8)rank,
			      .count = 1, .to = to->memory };

	for (u32 d = 0; d < rank; d++) {
		s.size[d] = size[d];
		s.to_step[d] = to->step[d];
		s.count *= size[d];
	}
	return s;
}

/* The same bytes in another shape. */
static bool add_reshape(const struct call *k)
{
	const struct npu_step s = { .kind = NPU_STEP_COPY, .from = k->in.memory, .to = k->out.memory,
				    .count = k->out.value->bytes };

	return k->in.value->bytes == s.count ? npu_pte_add_step(k->l, &s) : damaged(k);
}

/* Every element to its place in another order of dimensions; out[d] is in[from[d]]. */
static bool add_order(const struct call *k, const u32 *from)
{
	const struct pte_value *in = k->in.value, *out = k->out.value;
	struct npu_step s = block(&k->out, out->sizes, out->rank);

	s.from = k->in.memory;
	if (in->rank != out->rank)
		return damaged(k);
	for (u32 d = 0; d < out->rank; d++) {
		s.from_step[d] = k->in.step[from[d]];
		if (in->sizes[from[d]] != out->sizes[d])
			return damaged(k);
	}
	return npu_pte_add_step(k->l, &s);
}

static bool add_layout(const struct call *k)
{
	u32 same[PTE_RANK];

	for (u32 d = 0; d < PTE_RANK; d++)
		same[d] = d;
	return add_order(k, same);
}

static bool add_permute(const struct call *k)
{
	const struct pte_value *values = k->l->pte->values, *order = &values[k->c->args[1]];
	const u32 rank = k->in.value->rank;
	u32 from[PTE_RANK];

	if (order->kind != PTE_LIST || order->item_count != rank)
		return damaged(k);
	for (u32 d = 0; d < rank; d++) {
		const struct pte_value *item = &values[order->items[d]];
		const i32 axis = item->kind == PTE_INT ? dimension(item->integer, rank) : -1;

		if (axis < 0)
			return damaged(k);
		from[d] = (u32)axis;
	}
	return add_order(k, from);
}

static i64 clamp(i64 at, i64 size)
{
	const i64 from_start = at < 0 ? at + size : at;

	return from_start < 0 ? 0 : from_start > size ? size : from_start;
}

/* input, dim, start, end, step, out */
static bool add_slice(const struct call *k)
{
	const struct pte_value *in = k->in.value, *out = k->out.value;
	const i32 axis = dimension(integer(k, 1, 0), in->rank);
	struct npu_step s = block(&k->out, out->sizes, out->rank);

	if (axis < 0 || in->rank != out->rank)
		return damaged(k);

	const i64 start = clamp(integer(k, 2, 0), in->sizes[axis]), step = integer(k, 4, 1);
	const i64 end = clamp(integer(k, 3, in->sizes[axis]), in->sizes[axis]);

	if (step < 1 || step > INT32_MAX ||
	    (i64)out->sizes[axis] != (end > start ? (end - start + step - 1) / step : 0))
		return damaged(k);
	s.from = k->in.memory + start * k->in.step[axis];
	for (u32 d = 0; d < out->rank; d++) {
		s.from_step[d] = k->in.step[d] * (d == (u32)axis ? step : 1);
		if (d != (u32)axis && in->sizes[d] != out->sizes[d])
			return damaged(k);
	}
	return npu_pte_add_step(k->l, &s);
}

/* One tensor of a concatenation, at index `at` of the axis. */
static bool add_part(const struct call *k, const struct side *in, u32 axis, u64 at)
{
	const struct pte_value *v = in->value, *out = k->out.value;
	struct npu_step s = block(&k->out, v->sizes, v->rank);

	if (v->rank != out->rank || v->scalar_type != out->scalar_type || at + v->sizes[axis] > out->sizes[axis])
		return damaged(k);
	s.from = in->memory;
	s.to += (i64)at * k->out.step[axis];
	for (u32 d = 0; d < v->rank; d++) {
		s.from_step[d] = in->step[d];
		if (d != axis && v->sizes[d] != out->sizes[d])
			return damaged(k);
	}
	return npu_pte_add_step(k->l, &s);
}

/* tensors, dim, out */
static bool add_cat(const struct call *k)
{
	const struct pte_value *list = &k->l->pte->values[k->c->args[0]];
	const i32 axis = dimension(integer(k, 1, 0), k->out.value->rank);
	u64 at = 0;

	if (list->kind != PTE_LIST || axis < 0)
		return damaged(k);
	for (u32 i = 0; i < list->item_count; i++) {
		struct side in;

		if (list->items[i] < 0 || !find_side(k->l, list->items[i], &in))
			return damaged(k);
		if (!add_part(k, &in, (u32)axis, at))
			return false;
		at += in.value->sizes[axis];
	}
	return at == k->out.value->sizes[axis] ? true : damaged(k);
}

/* Arguments as in ExecuTorch's portable kernels; the output comes last. */
static const struct kernel {
	const char *name;
	u32 args; /* at least */
	bool (*add)(const struct call *);
} kernels[] = {
	{ "executorch_prim::et_view.default", 3, add_reshape },
	{ "aten::view_copy.out", 3, add_reshape },
	{ "aten::unsqueeze_copy.out", 3, add_reshape },
	{ "aten::squeeze_copy.dim_out", 3, add_reshape },
	{ "aten::squeeze_copy.dims_out", 3, add_reshape },
	{ "aten::clone.out", 3, add_layout },
	{ "dim_order_ops::_clone_dim_order.out", 3, add_layout },
	{ "dim_order_ops::_to_dim_order_copy.out", 3, add_layout },
	{ "aten::permute_copy.out", 3, add_permute },
	{ "aten::slice_copy.Tensor_out", 6, add_slice },
	{ "aten::cat.out", 3, add_cat },
};

static const struct kernel *find_kernel(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(kernels); i++)
		if (!strcmp(name, kernels[i].name))
			return &kernels[i];
	return NULL;
}

bool npu_pte_moves(const char *kernel)
{
	return find_kernel(kernel) != NULL;
}

bool npu_pte_add_movement(struct npu_pte_loading *l, const char *kernel, const struct pte_call *c)
{
	const struct kernel *found = find_kernel(kernel);
	struct call k = { .l = l, .c = c };

	if (c->arg_count < found->args || !find_side(l, c->args[c->arg_count - 1], &k.out))
		return damaged(&k);
	if (found->add == add_cat)
		return add_cat(&k);
	if (!find_side(l, c->args[0], &k.in))
		return damaged(&k);
	if (k.in.value->scalar_type != k.out.value->scalar_type)
		return npu_pte_fail(l, "an operator changes the type of a tensor, which needs a CPU: delegate it");
	return found->add(&k);
}
