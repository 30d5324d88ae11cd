/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: calls, delegates, inputs and outputs of a method; values are read by pte_value.c. */
#include "loader/pte_private.h"

#include "loader/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of program.fbs. */
enum { PROGRAM_PLANS = 1, PROGRAM_DELEGATE_DATA = 3, PROGRAM_SEGMENTS = 4, PROGRAM_NAMED = 7 };
enum { PLAN_NAME = 0, PLAN_VALUES = 2, PLAN_INPUTS = 3, PLAN_OUTPUTS = 4, PLAN_CHAINS = 5, PLAN_OPERATORS = 6,
       PLAN_DELEGATES = 7 };
enum { CHAIN_INSTRUCTIONS = 2 };
enum { INSTRUCTION_TYPE = 0, INSTRUCTION_TABLE = 1 };
enum { CALL_INDEX = 0, CALL_ARGS = 1 };
enum { DELEGATE_ID = 0, DELEGATE_DATA = 1, DELEGATE_SPECS = 2, SPEC_KEY = 0 };
enum { REFERENCE_LOCATION = 0, REFERENCE_INDEX = 1, LOCATION_SEGMENT = 1 };

/* Extended header: "eh00" at byte 8, then its length, the program's size and where segments begin. */
enum { HEADER_MAGIC = 8, HEADER_SEGMENT_BASE = 24, HEADER_BYTES = 32 };

bool pte_is(const u8 *bytes, u64 size)
{
	const struct flatbuffer fb = { .bytes = bytes, .size = size };

	return fb_has_identifier(&fb, "ET12");
}

static void start_reading(struct pte_reading *r, const u8 *bytes, u64 size)
{
	*r = (struct pte_reading){ .fb = { .bytes = bytes, .size = size } };
	r->program = fb_root(&r->fb);
	if (size >= HEADER_BYTES && !memcmp(bytes + HEADER_MAGIC, "eh00", 4))
		r->segment_base = le64_at(bytes + HEADER_SEGMENT_BASE);
}

bool pte_segment(struct pte_reading *r, u64 index, const u8 **data, u64 *size)
{
	const struct fb_vector segments = fb_vector(&r->fb, r->program, PROGRAM_SEGMENTS, 4);
	u64 offset, at;

	if (index >= segments.count || !r->segment_base)
		return false;
	offset = fb_scalar(&r->fb, fb_table_element(&r->fb, segments, (u32)index), 0, 8, 0);
	*size = fb_scalar(&r->fb, fb_table_element(&r->fb, segments, (u32)index), 1, 8, 0);
	at = r->segment_base + offset;
	if (at < offset || at > r->fb.size || *size > r->fb.size - at)
		return false;
	*data = r->fb.bytes + at;
	return true;
}

bool pte_named_data(const u8 *bytes, u64 size, const char *key, const u8 **data, u64 *data_size)
{
	struct pte_reading r;
	struct fb_vector names;

	start_reading(&r, bytes, size);
	names = fb_vector(&r.fb, r.program, PROGRAM_NAMED, 4);
	for (u32 i = 0; i < names.count; i++) {
		const struct fb_table entry = fb_table_element(&r.fb, names, i);
		char name[PTE_NAME];

		fb_string(&r.fb, entry, 0, name, sizeof name);
		if (!strcmp(name, key))
			return pte_segment(&r, fb_scalar(&r.fb, entry, 1, 4, 0), data, data_size);
	}
	return false;
}

static i32 *read_indices(struct pte_reading *r, struct fb_table t, unsigned field, u32 *count)
{
	const struct fb_vector v = fb_vector(&r->fb, t, field, 4);
	i32 *list = calloc(v.count + 1u, sizeof *list);

	*count = list ? v.count : 0;
	r->fb.bad |= !list;
	for (u32 i = 0; i < *count; i++) {
		list[i] = (i32)fb_element(&r->fb, v, i, 4);
		if (list[i] < 0 || (u32)list[i] >= r->p->value_count) {
			r->fb.bad = true;
			list[i] = 0;
		}
	}
	return list;
}

static void read_call(struct pte_reading *r, struct fb_table t, struct pte_call *c)
{
	const struct fb_table content = fb_child(&r->fb, t, INSTRUCTION_TABLE);

	c->kind = (u8)fb_scalar(&r->fb, t, INSTRUCTION_TYPE, 1, 0);
	c->index = (u32)fb_scalar(&r->fb, content, CALL_INDEX, 4, 0);
	if (c->kind == PTE_KERNEL || c->kind == PTE_DELEGATE) {
		c->args = read_indices(r, content, CALL_ARGS, &c->arg_count);
	} else if (c->kind == PTE_MOVE) {
		const u64 to = fb_scalar(&r->fb, content, 1, 4, 0);

		c->args = calloc(1, sizeof *c->args);
		r->fb.bad |= !c->args || c->index >= r->p->value_count || to >= r->p->value_count;
		if (!r->fb.bad) {
			c->args[0] = (i32)to;
			c->arg_count = 1;
		}
	}
}

/* ExecuTorch 0.5 and older let the backend turn images, where a program says so. */
static bool turns_images(struct pte_reading *r, struct fb_table delegate)
{
	const struct fb_vector specs = fb_vector(&r->fb, delegate, DELEGATE_SPECS, 4);
	char key[32];

	for (u32 i = 0; i < specs.count; i++) {
		fb_string(&r->fb, fb_table_element(&r->fb, specs, i), SPEC_KEY, key, sizeof key);
		if (!strcmp(key, "permute_memory_format"))
			return true;
	}
	return false;
}

static void read_delegate(struct pte_reading *r, struct fb_table t, struct pte_delegate *d)
{
	const struct fb_table reference = fb_child(&r->fb, t, DELEGATE_DATA);
	const u64 index = fb_scalar(&r->fb, reference, REFERENCE_INDEX, 4, 0);

	fb_string(&r->fb, t, DELEGATE_ID, d->id, sizeof d->id);
	d->turns_images = turns_images(r, t);
	if (fb_scalar(&r->fb, reference, REFERENCE_LOCATION, 1, 0) == LOCATION_SEGMENT) {
		if (!pte_segment(r, index, &d->data, &d->size))
			r->fb.bad = true;
		return;
	}

	const struct fb_vector inlined = fb_vector(&r->fb, r->program, PROGRAM_DELEGATE_DATA, 4);

	if (index >= inlined.count) {
		r->fb.bad = true;
		return;
	}

	const struct fb_vector data = fb_vector(&r->fb, fb_table_element(&r->fb, inlined, (u32)index), 0, 1);

	d->data = r->fb.bytes + data.at;
	d->size = data.count;
}

static bool read_lists(struct pte_reading *r, struct fb_table plan)
{
	const struct fb_vector values = fb_vector(&r->fb, plan, PLAN_VALUES, 4);
	const struct fb_vector operators = fb_vector(&r->fb, plan, PLAN_OPERATORS, 4);
	const struct fb_vector delegates = fb_vector(&r->fb, plan, PLAN_DELEGATES, 4);
	struct pte_program *p = r->p;

	p->values = calloc(values.count + 1u, sizeof *p->values);
	p->operators = calloc(operators.count + 1u, sizeof *p->operators);
	p->delegates = calloc(delegates.count + 1u, sizeof *p->delegates);
	if (!p->values || !p->operators || !p->delegates)
		return false;
	p->value_count = values.count; /* lists name values behind them */
	for (u32 i = 0; i < values.count; i++)
		pte_read_value(r, fb_table_element(&r->fb, values, i), &p->values[i]);
	for (; p->operator_count < operators.count; p->operator_count++) {
		const struct fb_table t = fb_table_element(&r->fb, operators, p->operator_count);
		char name[PTE_NAME - 32], overload[30];

		fb_string(&r->fb, t, 0, name, sizeof name);
		fb_string(&r->fb, t, 1, overload, sizeof overload);
		snprintf(p->operators[p->operator_count], PTE_NAME, "%s%s%s", name, *overload ? "." : "", overload);
	}
	for (; p->delegate_count < delegates.count; p->delegate_count++)
		read_delegate(r, fb_table_element(&r->fb, delegates, p->delegate_count),
			      &p->delegates[p->delegate_count]);
	p->inputs = read_indices(r, plan, PLAN_INPUTS, &p->input_count);
	p->outputs = read_indices(r, plan, PLAN_OUTPUTS, &p->output_count);
	return p->inputs && p->outputs;
}

static bool read_calls(struct pte_reading *r, struct fb_table plan, const char **problem)
{
	const struct fb_vector chains = fb_vector(&r->fb, plan, PLAN_CHAINS, 4);
	struct pte_program *p = r->p;
	struct fb_vector instructions;

	*problem = "the program has no chain of instructions, or several; export it again";
	if (chains.count != 1)
		return false;
	instructions = fb_vector(&r->fb, fb_table_element(&r->fb, chains, 0), CHAIN_INSTRUCTIONS, 4);
	p->calls = calloc(instructions.count + 1u, sizeof *p->calls);
	*problem = "host memory is short";
	if (!p->calls)
		return false;
	for (; p->call_count < instructions.count; p->call_count++) {
		struct pte_call *c = &p->calls[p->call_count];

		read_call(r, fb_table_element(&r->fb, instructions, p->call_count), c);
		r->fb.bad |= (c->kind == PTE_KERNEL && c->index >= p->operator_count) ||
			     (c->kind == PTE_DELEGATE && c->index >= p->delegate_count);
	}
	return true;
}

static struct fb_table find_plan(struct pte_reading *r, const char *method)
{
	const struct fb_vector plans = fb_vector(&r->fb, r->program, PROGRAM_PLANS, 4);
	char name[PTE_NAME];

	for (u32 i = 0; i < plans.count; i++) {
		const struct fb_table plan = fb_table_element(&r->fb, plans, i);

		fb_string(&r->fb, plan, PLAN_NAME, name, sizeof name);
		if (!strcmp(name, method ? method : "forward"))
			return plan;
	}
	return plans.count && !method ? fb_table_element(&r->fb, plans, 0) : (struct fb_table){ 0 };
}

/* What is wrong with the name, with all that are possible. */
static void unknown_method(struct pte_reading *r, const char *method, char *why, size_t why_size)
{
	const struct fb_vector plans = fb_vector(&r->fb, r->program, PROGRAM_PLANS, 4);
	size_t n = (size_t)snprintf(why, why_size, "the program has no method '%.100s'; it has", method);
	char name[PTE_NAME];

	for (u32 i = 0; i < plans.count && n < why_size; i++) {
		fb_string(&r->fb, fb_table_element(&r->fb, plans, i), PLAN_NAME, name, sizeof name);
		n += (size_t)snprintf(why + n, why_size - n, "%s %s", i ? "," : "", name);
	}
}

struct pte_program *pte_read(const u8 *bytes, u64 size, const char *method, char *why, size_t why_size)
{
	const char *problem = "host memory is short";
	struct pte_reading r;
	struct fb_table plan;

	start_reading(&r, bytes, size);
	plan = find_plan(&r, method);
	if (method && !plan.at && !r.fb.bad) {
		unknown_method(&r, method, why, why_size);
		return NULL;
	}
	r.p = calloc(1, sizeof *r.p);
	if (r.p && read_lists(&r, plan) && read_calls(&r, plan, &problem) && !r.fb.bad)
		return r.p;
	if (r.fb.bad)
		problem = "damaged .pte file: something points outside of it; export the program again";
	snprintf(why, why_size, "%s", problem);
	pte_free(r.p);
	return NULL;
}

void pte_free(struct pte_program *p)
{
	if (!p)
		return;
	for (u32 i = 0; i < p->call_count; i++)
		free(p->calls[i].args);
	for (u32 i = 0; i < p->value_count; i++)
		free(p->values[i].items);
	free(p->values);
	free(p->calls);
	free(p->operators);
	free(p->delegates);
	free(p->inputs);
	free(p->outputs);
	free(p);
}
