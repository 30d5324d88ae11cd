/* SPDX-License-Identifier: Apache-2.0 */
/* Running a method: inputs, then one instruction after the other. */
#include "runtime/executor/method.h"
#include "runtime/core/format.h"
#include "runtime/program/schema.h"

#include <string.h>

static bool fail_at(struct method *m, uint32_t at, const char *who, const char *why)
{
	return method_fail(m, "instruction %u, %s: %s", (unsigned)at, who, why);
}

static bool set_tensor(struct method *m, uint32_t index, struct tensor *t, const void *data, size_t bytes)
{
	if (bytes != tensor_bytes(t))
		return method_fail(m, "input %u has %zu bytes, the program expects %zu", (unsigned)index, bytes,
				   tensor_bytes(t));
	if (t->is_constant)
		return method_fail(m, "input %u is a constant of the program", (unsigned)index);
	if (t->is_planned) {
		memcpy(t->data, data, bytes);
		return true;
	}
	if ((uintptr_t)data % dtype_bytes(t->type))
		return method_fail(m, "the data of input %u is not aligned", (unsigned)index);
	t->data = (void *)data;
	t->capacity = bytes;
	return true;
}

static int64_t integer_from(const void *data, size_t bytes)
{
	uint64_t raw = 0;

	memcpy(&raw, data, bytes);
	return (int64_t)(raw << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static double double_from(const void *data, size_t bytes)
{
	double number;
	float single;

	if (bytes == 4) {
		memcpy(&single, data, 4);
		return (double)single;
	}
	memcpy(&number, data, 8);
	return number;
}

bool method_set_input(struct method *m, uint32_t index, const void *data, size_t bytes)
{
	struct value *v;

	if (index >= m->input_count)
		return method_fail(m, "there is no input %u: the method has %u", (unsigned)index, (unsigned)m->input_count);
	v = m->inputs[index];
	switch (v->kind) {
	case VALUE_TENSOR:
		return set_tensor(m, index, v->as.tensor, data, bytes);
	case VALUE_NONE:
		return true;
	case VALUE_INT:
		if (bytes != 8 && bytes != 4 && bytes != 2 && bytes != 1)
			break;
		v->as.integer = integer_from(data, bytes);
		return true;
	case VALUE_DOUBLE:
		if (bytes != 8 && bytes != 4)
			break;
		v->as.number = double_from(data, bytes);
		return true;
	case VALUE_BOOL:
		if (bytes != 1)
			break;
		v->as.boolean = *(const uint8_t *)data != 0;
		return true;
	default:
		return method_fail(m, "input %u is neither a tensor nor a number", (unsigned)index);
	}
	return method_fail(m, "input %u is a number, and %zu bytes are none of its sizes", (unsigned)index, bytes);
}

bool method_resize_input(struct method *m, uint32_t index, const int32_t *sizes, unsigned rank)
{
	struct tensor *t;

	if (index >= m->input_count || m->inputs[index]->kind != VALUE_TENSOR)
		return method_fail(m, "input %u is not a tensor", (unsigned)index);
	t = m->inputs[index]->as.tensor;
	if (!t->is_planned) { /* the data that follows brings its own memory */
		t->capacity = INT32_MAX;
		t->data = NULL;
	}
	return kernel_resize(&m->context, t, sizes, rank) ||
	       method_fail(m, "input %u: %s", (unsigned)index, m->context.why);
}

static void fetch_lists(const struct instruction *i)
{
	for (unsigned k = 0; k < i->count; k++) {
		const uint32_t kind = i->args[k]->kind;

		if (kind == VALUE_INT_LIST || kind == VALUE_TENSOR_LIST || kind == VALUE_OPTIONAL_TENSOR_LIST)
			method_fetch_list(i->args[k]);
	}
}

static bool call_kernel(struct method *m, uint32_t at, const struct instruction *i)
{
	const struct method_operator *o = &m->operators[i->index];
	struct kernel_context *c = &m->context;
	const struct kernel_entry *kernel;

	fetch_lists(i);
	c->temp_used = 0;
	kernel = kernel_fitting(o->kernel, i->args, i->count, c->why, sizeof c->why);
	if (!kernel || !kernel->run(c, i->args))
		return fail_at(m, at, o->name, c->why);
	return true;
}

static bool call_delegate(struct method *m, uint32_t at, const struct instruction *i)
{
	struct delegate *d = &m->delegates[i->index];

	m->context.temp_used = 0;
	fetch_lists(i);
	return d->backend->run(&m->context, m, d, i->args, i->count) ||
	       fail_at(m, at, d->backend->id, m->context.why);
}

/* Whether a condition holds: a bool, or a tensor of bools that are all true. */
static bool condition_of(const struct value *v, bool *holds)
{
	if (v->kind == VALUE_BOOL) {
		*holds = v->as.boolean;
		return true;
	}
	if (v->kind != VALUE_TENSOR || v->as.tensor->type != DTYPE_BOOL || !v->as.tensor->data)
		return false;
	*holds = true;
	for (size_t k = tensor_elements(v->as.tensor); k--;)
		*holds &= ((const uint8_t *)v->as.tensor->data)[k] != 0;
	return true;
}

/* A branch's result goes to the place that was planned for it: views of it look there, and the branch's own memory serves
 * others behind the branch. What has no such place takes the branch's. (Upstream's runtime always does the latter.) */
static bool move_value(struct method *m, uint32_t at, const struct value *from, struct value *to)
{
	const struct tensor *source = from->kind == VALUE_TENSOR ? from->as.tensor : NULL;
	struct tensor *target = to->kind == VALUE_TENSOR ? to->as.tensor : NULL;

	if (!source || !target || source == target || !source->data || !target->is_planned || source->type != target->type ||
	    source->rank != target->rank || memcmp(source->order, target->order, source->rank)) {
		*to = *from;
		return true;
	}
	if (!kernel_resize_like(&m->context, target, source))
		return fail_at(m, at, "move", m->context.why);
	memmove(target->data, source->data, tensor_bytes(source));
	return true;
}

/* Number of the instruction that follows; *ok: whether this one succeeded. */
static uint32_t run_instruction(struct method *m, uint32_t at, bool *ok)
{
	const struct instruction *i = &m->instructions[at];
	bool holds = true;

	switch (i->kind) {
	case INSTRUCTION_KERNEL:
		*ok = call_kernel(m, at, i);
		break;
	case INSTRUCTION_DELEGATE:
		*ok = call_delegate(m, at, i);
		break;
	case INSTRUCTION_MOVE:
		*ok = move_value(m, at, i->args[0], i->args[1]);
		break;
	case INSTRUCTION_JUMP_FALSE:
		*ok = condition_of(i->args[0], &holds) || fail_at(m, at, "jump", "its condition is no bool");
		return holds ? at + 1 : i->index;
	default: /* free: all memory is planned */
		break;
	}
	return at + 1;
}

static const char *instruction_name(const struct method *m, const struct instruction *i)
{
	return i->kind == INSTRUCTION_KERNEL ? m->operators[i->index].name :
	       i->kind == INSTRUCTION_DELEGATE ? m->delegates[i->index].backend->id : "";
}

static uint32_t run_traced(struct method *m, uint32_t at, bool *ok)
{
	const struct instruction *i = &m->instructions[at];
	struct tracer *t = m->environment->tracer;
	const uint64_t start = t->now();
	const uint32_t next = run_instruction(m, at, ok);
	const bool is_call = i->kind == INSTRUCTION_KERNEL || i->kind == INSTRUCTION_DELEGATE;

	if (is_call)
		t->event(t, i->kind == INSTRUCTION_KERNEL ? EVENT_KERNEL : EVENT_DELEGATE, instruction_name(m, i), at, start,
			 t->now());
	if (is_call && *ok && t->outputs)
		t->outputs(t, instruction_name(m, i), at, i->args, i->count);
	return next;
}

bool method_run(struct method *m)
{
	struct tracer *t = m->environment->tracer;
	const uint64_t start = t ? t->now() : 0;
	bool ok = true;

	for (uint32_t i = 0; i < m->input_count; i++) {
		const struct value *v = m->inputs[i];

		if (v->kind == VALUE_TENSOR && !v->as.tensor->data && tensor_elements(v->as.tensor))
			return method_fail(m, "input %u has not been set", (unsigned)i);
	}
	m->steps = 0;
	for (uint32_t at = 0; ok && at < m->instruction_count;) {
		if (m->step_limit && m->steps == m->step_limit)
			return method_fail(m, "the method has not ended after %llu instructions", (unsigned long long)m->steps);
		m->steps++;
		m->at = at;
		at = t ? run_traced(m, at, &ok) : run_instruction(m, at, &ok);
	}
	if (t)
		t->event(t, EVENT_METHOD, m->name, 0, start, t->now());
	return ok;
}
