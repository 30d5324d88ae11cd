/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of ExecuTorch programs; see pte.h. Field numbers are those of program.fbs. */
#include "loader/pte.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/flatbuffer.h"

enum { PROGRAM_PLANS = 1, PROGRAM_DELEGATE_DATA = 3, PROGRAM_SEGMENTS = 4 };
enum { PLAN_VALUES = 2, PLAN_INPUTS = 3, PLAN_OUTPUTS = 4, PLAN_CHAINS = 5, PLAN_DELEGATES = 7 };
enum { CHAIN_INSTRUCTIONS = 2 };
enum { INSTRUCTION_TYPE = 0, INSTRUCTION_VALUE = 1, TYPE_DELEGATE_CALL = 2 };
enum { CALL_DELEGATE = 0, CALL_ARGS = 1 };
enum { DELEGATE_ID = 0, DELEGATE_PROCESSED = 1 };
enum { REFERENCE_LOCATION = 0, REFERENCE_INDEX = 1, IN_SEGMENT = 1 };
enum { SEGMENT_OFFSET = 0, SEGMENT_SIZE = 1 };

#define MAX_ITEMS 100000u

struct reader {
	struct flatbuffer fb;
	struct fb_table root, plan;
	u64 segments_at; /* file offset of the segments, 0: none */
	struct pte_program *program;
};

/* An extended header behind the identifier says where the segments begin. */
static u64 segment_base(const u8 *bytes, u64 size)
{
	u64 base = 0;

	if (size < 32 || memcmp(bytes + 8, "eh00", 4) != 0)
		return 0;
	for (unsigned i = 0; i < 8; i++)
		base |= (u64)bytes[24 + i] << (8 * i);
	return base;
}

static u32 *read_indices(struct reader *r, struct fb_vector v, u32 *count)
{
	u32 *list = calloc(v.count + 1u, sizeof(*list));

	*count = list ? v.count : 0;
	for (u32 i = 0; i < *count; i++) {
		list[i] = (u32)fb_element(&r->fb, v, i, 4);
		r->fb.bad |= list[i] >= r->program->value_count;
	}
	return list;
}

/* Bytes of a delegate: inside the flatbuffer or in a segment behind it. */
static void read_data(struct reader *r, struct fb_table reference, struct pte_call *c)
{
	struct flatbuffer *fb = &r->fb;
	u32 index = (u32)fb_scalar(fb, reference, REFERENCE_INDEX, 4, 0);

	if (fb_scalar(fb, reference, REFERENCE_LOCATION, 1, 0) == IN_SEGMENT) {
		struct fb_vector segments = fb_vector(fb, r->root, PROGRAM_SEGMENTS, 4);
		struct fb_table s = fb_table_element(fb, segments, index);
		u64 at = r->segments_at + fb_scalar(fb, s, SEGMENT_OFFSET, 8, 0);
		c->bytes = fb_scalar(fb, s, SEGMENT_SIZE, 8, 0);
		if (at > fb->size || c->bytes > fb->size - at)
			fb->bad = true;
		else
			c->data = fb->bytes + at;
		return;
	}
	struct fb_vector all = fb_vector(fb, r->root, PROGRAM_DELEGATE_DATA, 4);
	struct fb_vector data = fb_vector(fb, fb_table_element(fb, all, index), 0, 1);
	c->data = fb->bytes + data.at;
	c->bytes = data.count;
}

static void read_call(struct reader *r, struct fb_table instruction, struct pte_call *c)
{
	struct flatbuffer *fb = &r->fb;
	struct fb_vector delegates = fb_vector(fb, r->plan, PLAN_DELEGATES, 4);

	if (fb_scalar(fb, instruction, INSTRUCTION_TYPE, 1, 0) != TYPE_DELEGATE_CALL)
		return;
	struct fb_table call = fb_child(fb, instruction, INSTRUCTION_VALUE);
	struct fb_table d = fb_table_element(fb, delegates, (u32)fb_scalar(fb, call, CALL_DELEGATE, 4, 0));
	fb_string(fb, d, DELEGATE_ID, c->backend, sizeof(c->backend));
	c->args = read_indices(r, fb_vector(fb, call, CALL_ARGS, 4), &c->arg_count);
	read_data(r, fb_child(fb, d, DELEGATE_PROCESSED), c);
}

static bool read_plan(struct reader *r)
{
	struct flatbuffer *fb = &r->fb;
	struct pte_program *p = r->program;
	struct fb_vector chains = fb_vector(fb, r->plan, PLAN_CHAINS, 4);
	struct fb_table chain = fb_table_element(fb, chains, 0);
	struct fb_vector instructions = fb_vector(fb, chain, CHAIN_INSTRUCTIONS, 4);

	p->value_count = fb_vector(fb, r->plan, PLAN_VALUES, 4).count;
	if (p->value_count > MAX_ITEMS || instructions.count > MAX_ITEMS)
		return false;
	p->calls = calloc(instructions.count + 1u, sizeof(*p->calls));
	if (!p->calls)
		return false;
	for (; p->call_count < instructions.count; p->call_count++)
		read_call(r, fb_table_element(fb, instructions, p->call_count), &p->calls[p->call_count]);
	p->inputs = read_indices(r, fb_vector(fb, r->plan, PLAN_INPUTS, 4), &p->input_count);
	p->outputs = read_indices(r, fb_vector(fb, r->plan, PLAN_OUTPUTS, 4), &p->output_count);
	return !fb->bad && chains.count;
}

struct pte_program *pte_read(const u8 *bytes, u64 size, char *why, size_t why_size)
{
	struct reader r = { .fb = { .bytes = bytes, .size = size } };

	if (!fb_has_identifier(&r.fb, "ET12") && !fb_has_identifier(&r.fb, "ET13")) {
		snprintf(why, why_size, "not a .pte file (no ET12 identifier)");
		return NULL;
	}
	r.segments_at = segment_base(bytes, size);
	r.root = fb_root(&r.fb);
	struct fb_vector plans = fb_vector(&r.fb, r.root, PROGRAM_PLANS, 4);
	r.plan = fb_table_element(&r.fb, plans, 0);
	r.program = calloc(1, sizeof(*r.program));
	if (r.program && plans.count && read_plan(&r))
		return r.program;
	snprintf(why, why_size, "damaged .pte file (an offset leads outside of it)");
	pte_free(r.program);
	return NULL;
}

void pte_free(struct pte_program *p)
{
	if (!p)
		return;
	for (u32 i = 0; i < p->call_count; i++)
		free(p->calls[i].args);
	free(p->calls);
	free(p->inputs);
	free(p->outputs);
	free(p);
}
