/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/strided.h"

struct operand operand_of(const struct value *v)
{
	return v->kind == VALUE_TENSOR ? (struct operand){ .tensor = v->as.tensor } : (struct operand){ .number = v };
}

/* Tensors with dimensions come before those without, and these before plain numbers: an operand of a lower rank
 * changes the type only when it is of a higher kind (bool, integer, float). */
static unsigned operand_level(const struct operand *o)
{
	return !o->tensor ? 0 : o->tensor->rank ? 2 : 1;
}

static unsigned type_kind(unsigned type)
{
	return type == DTYPE_BOOL ? 0 : dtype_is_float(type) ? 2 : 1;
}

static unsigned operand_type(const struct operand *o)
{
	if (o->tensor)
		return o->tensor->type;
	return o->number->kind == VALUE_DOUBLE ? DTYPE_FLOAT32 : o->number->kind == VALUE_BOOL ? DTYPE_BOOL : DTYPE_INT64;
}

enum dtype operands_promote(const struct operand *in, unsigned inputs)
{
	bool any = false;
	unsigned type = DTYPE_BOOL;

	for (unsigned level = 3; level--;) {
		bool any_here = false;
		unsigned here = DTYPE_BOOL;

		for (unsigned k = 0; k < inputs; k++) {
			if (operand_level(&in[k]) != level)
				continue;
			here = any_here ? dtype_promote(here, operand_type(&in[k])) : operand_type(&in[k]);
			any_here = true;
		}
		if (any_here && (!any || type_kind(here) > type_kind(type)))
			type = any ? dtype_promote(type, here) : here;
		any |= any_here;
	}
	return (enum dtype)type;
}

/* An input's elements as the type of the computation holds them. */
static void read_run(const struct elementwise *e, const struct operand *o, union number *to, ptrdiff_t at, int32_t stride,
		     unsigned n)
{
	const bool doubles = dtype_is_float(e->compute);

	if (!o->tensor) {
		for (unsigned k = 0; k < n; k++)
			if (doubles)
				to[k].d = value_as_double(o->number);
			else
				to[k].i = value_as_int(o->number);
	} else if (doubles) {
		run_read_doubles(to, element_at(o->tensor->data, o->tensor->type, at), o->tensor->type, stride, n);
	} else {
		run_read_integers(to, element_at(o->tensor->data, o->tensor->type, at), o->tensor->type, stride, n);
	}
	if (o->tensor && o->tensor->type == e->compute)
		return;
	if (doubles)
		run_round_doubles(to, e->compute, n);
	else
		run_wrap_integers(to, e->compute, n);
}

static void write_run(const struct elementwise *e, const struct tensor *out, union number *run, ptrdiff_t at,
		      int32_t stride, unsigned n)
{
	void *to = element_at(out->data, out->type, at);

	if (dtype_is_float(e->result)) {
		if (out->type != e->result)
			run_round_doubles(run, e->result, n);
		run_write_doubles(to, out->type, stride, run, n);
	} else {
		if (out->type != e->result)
			run_wrap_integers(run, e->result, n);
		run_write_integers(to, out->type, stride, run, n);
	}
}

static void compute_row(const struct elementwise *e, const struct walk *w, const struct tensor *out)
{
	run_function *f = dtype_is_float(e->compute) ? e->doubles : e->integers;
	union number runs[3][RUN];

	for (int32_t done = 0; done < w->row; done += RUN) {
		const unsigned n = (unsigned)(w->row - done < RUN ? w->row - done : RUN);

		for (unsigned k = 0; k < e->inputs; k++) {
			const int32_t stride = walk_stride(w, k + 1);

			read_run(e, &e->in[k], runs[k], w->at[k + 1] + (ptrdiff_t)done * stride, stride, n);
		}
		f(runs[0], runs[0], runs[1], runs[2], n, e->parameters);
		write_run(e, out, runs[0], w->at[0] + (ptrdiff_t)done * walk_stride(w, 0), walk_stride(w, 0), n);
	}
}

bool elementwise_run(struct kernel_context *c, const struct elementwise *e, struct tensor *out)
{
	const struct tensor *tensors[3] = { e->in[0].tensor, e->in[1].tensor, e->in[2].tensor };
	int32_t sizes[TENSOR_MAX_RANK];
	unsigned rank;
	struct walk w;

	if (!(dtype_is_float(e->compute) ? e->doubles : e->integers))
		return kernel_fail(c, "it does not compute with type %s", dtype_name(e->compute));
	if (dtype_is_float(e->result) && !dtype_is_float(out->type))
		return kernel_fail(c, "a result of type %s does not go into an output of type %s", dtype_name(e->result),
				   dtype_name(out->type));
	if (!broadcast_shape(c, tensors, e->inputs, sizes, &rank) || !kernel_resize(c, out, sizes, rank))
		return false;
	if (!walk_broadcast(&w, out, tensors, e->inputs))
		return kernel_fail(c, "an input does not broadcast to the output");
	for (; w.row; walk_next(&w))
		compute_row(e, &w, out);
	return true;
}
