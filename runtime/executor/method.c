/* SPDX-License-Identifier: Apache-2.0 */
/* Loading a method: everything that the description names is looked up and checked here, once. */
#include "runtime/executor/method.h"
#include "runtime/core/format.h"
#include "runtime/executor/prim.h"
#include "runtime/program/schema.h"

#include <string.h>

#define OPERATOR_NAME_BYTES 128
#define PLANNED_ALIGNMENT 16

bool method_fail(struct method *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	format_text_list(m->why, sizeof m->why, format, args);
	va_end(args);
	return false;
}

bool method_out_of_memory(struct method *m, const struct memory *from)
{
	return method_fail(m, "the %s memory is too small: %zu bytes more than its %zu are needed", from->name,
			   from->short_by, from->bytes);
}

static bool damaged(struct method *m, const char *what)
{
	return method_fail(m, "the program is damaged: its %s make no sense", what);
}

/* A list of value numbers as pointers; NULL with a message when one is outside. */
static struct value **value_list(struct method *m, struct flat_vector numbers)
{
	struct memory *memory = m->environment->tables;
	struct value **list = memory_table(memory, numbers.count, sizeof *list);

	if (!list) {
		method_out_of_memory(m, memory);
		return NULL;
	}
	for (uint32_t i = 0; i < numbers.count; i++) {
		const uint32_t number = (uint32_t)flat_element(&m->program->flat, numbers, i, 4);

		if (number >= m->value_count) {
			damaged(m, "lists of values");
			return NULL;
		}
		list[i] = &m->values[number];
	}
	return list;
}

static bool give_buffers(struct method *m, struct flat_table plan)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector sizes = flat_vector(f, plan, PLAN_BUFFER_SIZES, 8);
	struct memory *memory = m->environment->planned;

	/* Entry 0 belongs to constants and says nothing. */
	m->buffer_count = sizes.count ? sizes.count - 1 : 0;
	if (m->buffer_count > METHOD_MAX_BUFFERS)
		return method_fail(m, "the method has %u planned memories, more than %u", (unsigned)m->buffer_count,
				   METHOD_MAX_BUFFERS);
	for (uint32_t i = 0; i < m->buffer_count; i++) {
		const uint64_t bytes = flat_element(f, sizes, i + 1, 8);
		struct span *b = &m->buffers[i];

		if (bytes > INT32_MAX)
			return damaged(m, "sizes of planned memories");
		b->bytes = (size_t)bytes;
		b->data = memory_take(memory, b->bytes, PLANNED_ALIGNMENT);
		if (!b->data)
			return method_out_of_memory(m, memory);
	}
	return true;
}

static bool load_operators(struct method *m, struct flat_table plan)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector list = flat_vector(f, plan, PLAN_OPERATORS, 4);
	const struct method_environment *e = m->environment;

	m->operator_count = list.count;
	m->operators = memory_table(e->tables, list.count, sizeof *m->operators);
	if (!m->operators)
		return method_out_of_memory(m, e->tables);
	for (uint32_t i = 0; i < list.count; i++) {
		const struct flat_table t = flat_table_element(f, list, i);
		uint32_t name_bytes, overload_bytes;
		const char *name = flat_string(f, t, OPERATOR_NAME, &name_bytes);
		const char *overload = flat_string(f, t, OPERATOR_OVERLOAD, &overload_bytes);
		const size_t bytes = (size_t)name_bytes + overload_bytes + 2;
		char *whole = bytes <= OPERATOR_NAME_BYTES ? memory_take(e->tables, bytes, 1) : NULL;

		if (bytes > OPERATOR_NAME_BYTES)
			return damaged(m, "names of operators");
		if (!whole)
			return method_out_of_memory(m, e->tables);
		format_text(whole, bytes, "%s%s%s", name, overload_bytes ? "." : "", overload);
		m->operators[i].name = whole;
		m->operators[i].kernel = prim_find(whole);
		if (!m->operators[i].kernel)
			m->operators[i].kernel = kernel_find(e->kernels, e->kernel_count, whole);
		if (!m->operators[i].kernel)
			return method_fail(m, "there is no kernel for operator %s: add it to runtime/kernels/kernels.def", whole);
	}
	return true;
}

static const struct backend *find_backend(struct method *m, const char *id)
{
	for (const struct backend *const *b = m->environment->backends; *b; b++)
		if (!strcmp((*b)->id, id))
			return *b;
	return NULL;
}

/* ExecuTorch 0.5 and older let the backend turn images, where a program says so. */
static bool turns_images(struct flat *f, struct flat_table delegate)
{
	const struct flat_vector specs = flat_vector(f, delegate, DELEGATE_SPECS, 4);
	uint32_t bytes;

	for (uint32_t i = 0; i < specs.count; i++)
		if (!strcmp(flat_string(f, flat_table_element(f, specs, i), SPEC_KEY, &bytes), "permute_memory_format"))
			return true;
	return false;
}

static bool load_delegates(struct method *m, struct flat_table plan)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector list = flat_vector(f, plan, PLAN_DELEGATES, 4);

	m->delegate_count = list.count;
	m->delegates = memory_table(m->environment->tables, list.count, sizeof *m->delegates);
	if (!m->delegates)
		return method_out_of_memory(m, m->environment->tables);
	for (uint32_t i = 0; i < list.count; i++) {
		const struct flat_table t = flat_table_element(f, list, i);
		struct delegate *d = &m->delegates[i];
		uint32_t bytes;
		const char *id = flat_string(f, t, DELEGATE_ID, &bytes);

		d->backend = find_backend(m, id);
		if (!d->backend)
			return method_fail(m, "the program needs the backend %.64s, which is not in this image", id);
		if (turns_images(f, t))
			return method_fail(m, "delegate %u: its backend is to turn images (permute_memory_format): export the program again by "
					   "ExecuTorch 0.6 or later", (unsigned)i);
		d->data = program_delegate_data(m->program, flat_child(f, t, DELEGATE_DATA));
		if (!d->data.data)
			return damaged(m, "delegates' data");
		if (!d->backend->prepare(&m->context, m, d))
			return method_fail(m, "delegate %u: %s", (unsigned)i, m->context.why);
	}
	return true;
}

static bool load_call(struct method *m, struct instruction *i, struct flat_table content)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector args = flat_vector(f, content, CALL_ARGS, 4);

	i->index = (uint32_t)flat_number(f, content, CALL_INDEX, 4, 0);
	if (i->index >= (i->kind == INSTRUCTION_KERNEL ? m->operator_count : m->delegate_count) || args.count > UINT16_MAX)
		return damaged(m, "instructions");
	i->count = (uint16_t)args.count;
	i->args = value_list(m, args);
	return i->args != NULL;
}

/* An instruction that names values in its fields instead of a list. */
static bool load_fields(struct method *m, struct instruction *i, struct flat_table content, unsigned values)
{
	struct flat *f = &m->program->flat;

	i->args = memory_table(m->environment->tables, values, sizeof *i->args);
	if (!i->args)
		return method_out_of_memory(m, m->environment->tables);
	i->count = (uint16_t)values;
	for (unsigned k = 0; k < values; k++) {
		const uint32_t number = (uint32_t)flat_number(f, content, k, 4, 0);

		if (number >= m->value_count)
			return damaged(m, "instructions");
		i->args[k] = &m->values[number];
	}
	return true;
}

static bool load_instruction(struct method *m, struct instruction *i, struct flat_table from)
{
	struct flat *f = &m->program->flat;
	const struct flat_table content = flat_child(f, from, INSTRUCTION_TABLE);

	i->kind = (uint8_t)flat_number(f, from, INSTRUCTION_TYPE, 1, 0);
	switch (i->kind) {
	case INSTRUCTION_KERNEL:
	case INSTRUCTION_DELEGATE:
		return load_call(m, i, content);
	case INSTRUCTION_MOVE:
		return load_fields(m, i, content, 2);
	case INSTRUCTION_JUMP_FALSE:
		i->index = (uint32_t)flat_number(f, content, JUMP_DESTINATION, 4, 0);
		if (i->index > m->instruction_count)
			return damaged(m, "jumps");
		return load_fields(m, i, content, 1);
	case INSTRUCTION_FREE:
		return load_fields(m, i, content, 1);
	default:
		return method_fail(m, "the program has an instruction of kind %u, which this runtime does not know", i->kind);
	}
}

static bool load_instructions(struct method *m, struct flat_table plan)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector chains = flat_vector(f, plan, PLAN_CHAINS, 4);
	struct flat_vector list;

	if (chains.count != 1)
		return method_fail(m, "the method has %u chains of instructions; one is supported", (unsigned)chains.count);
	list = flat_vector(f, flat_table_element(f, chains, 0), CHAIN_INSTRUCTIONS, 4);
	m->instruction_count = list.count;
	m->instructions = memory_table(m->environment->tables, list.count, sizeof *m->instructions);
	if (!m->instructions)
		return method_out_of_memory(m, m->environment->tables);
	for (uint32_t i = 0; i < list.count; i++)
		if (!load_instruction(m, &m->instructions[i], flat_table_element(f, list, i)))
			return false;
	return true;
}

/* Outputs that the compiler has not planned get memory here; inputs bring theirs. */
static bool give_outputs(struct method *m)
{
	struct memory *memory = m->environment->planned;

	for (uint32_t i = 0; i < m->output_count; i++) {
		struct tensor *t = m->outputs[i]->kind == VALUE_TENSOR ? m->outputs[i]->as.tensor : NULL;
		bool is_input = false;

		for (uint32_t k = 0; k < m->input_count; k++)
			is_input |= m->inputs[k] == m->outputs[i];
		if (!t || t->data || is_input)
			continue;
		t->data = memory_take(memory, t->capacity, PLANNED_ALIGNMENT);
		if (!t->data)
			return method_out_of_memory(m, memory);
		t->is_planned = true;
	}
	return true;
}

static bool load_io(struct method *m, struct flat_table plan)
{
	struct flat *f = &m->program->flat;
	const struct flat_vector inputs = flat_vector(f, plan, PLAN_INPUTS, 4);
	const struct flat_vector outputs = flat_vector(f, plan, PLAN_OUTPUTS, 4);

	m->input_count = inputs.count;
	m->output_count = outputs.count;
	m->inputs = value_list(m, inputs);
	m->outputs = m->inputs ? value_list(m, outputs) : NULL;
	return m->outputs && give_outputs(m);
}

/* The other parts point at values: these need their place before they are read themselves. */
static bool place_values(struct method *m, struct flat_table plan)
{
	m->value_count = flat_vector(&m->program->flat, plan, PLAN_VALUES, 4).count;
	m->values = memory_table(m->environment->tables, m->value_count, sizeof *m->values);
	return m->values || method_out_of_memory(m, m->environment->tables);
}

bool method_load(struct method *m, struct program *p, const char *name, const struct method_environment *e)
{
	struct flat_table plan;
	uint32_t bytes;

	*m = (struct method){ .environment = e, .program = p,
			      .context = { .temp = e->temp, .temp_bytes = e->temp_bytes } };
	plan = program_method(p, name);
	if (!plan.at)
		return p->flat.bad ? damaged(m, "methods") :
		       method_fail(m, "the program has no method %.64s", name && *name ? name : "at all");
	m->name = flat_string(&p->flat, plan, PLAN_NAME, &bytes);
	if (!give_buffers(m, plan) || !place_values(m, plan) || !method_load_values(m, plan) || !load_io(m, plan) ||
	    !load_operators(m, plan) || !load_delegates(m, plan) || !load_instructions(m, plan))
		return false;
	return p->flat.bad ? damaged(m, "offsets") : true;
}
