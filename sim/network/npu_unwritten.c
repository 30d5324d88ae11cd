/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/network/npu_unwritten.h"

#include "npu/view.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct range {
	u64 first, bytes; /* bus address */
};

struct search {
	const struct npu_program *p;
	const struct npu_report *run;
	u32 first, end;        /* operations of the job looked at */
	struct range *covers;  /* what is written to the output looked at, or was there as an input */
	size_t count;
	bool is_short;         /* of host memory */
	char *names;
	size_t size, used;
};

static bool meets(struct range a, struct range b)
{
	return a.first < b.first + b.bytes && b.first < a.first + a.bytes;
}

/* Bus addresses of host memory that the NPU can write; none: of other memory. */
static struct range range_of(const struct npu_program *p, const u8 *host, u64 bytes)
{
	for (unsigned i = 0; i < p->block_count; i++) {
		const struct npu_block *b = &p->blocks[i];

		if (b->writable && host >= b->host && (u64)(host - b->host) < b->size)
			return (struct range){ b->base + (u64)(host - b->host), bytes };
	}
	return (struct range){ 0, 0 };
}

static void add(struct search *s, struct range output, struct range r)
{
	struct range *more = meets(output, r) ? realloc(s->covers, (s->count + 1) * sizeof *more) : NULL;

	s->is_short |= !more && meets(output, r);
	if (!more)
		return;
	s->covers = more;
	more[s->count++] = r;
}

static void add_operation(struct search *s, struct range output, const struct npu_op *op)
{
	struct npu_touched touched[NPU_TOUCHED];
	const unsigned count = npu_view_touched(op, touched);

	for (unsigned i = 0; i < count; i++)
		if (touched[i].written)
			add(s, output, (struct range){ touched[i].first, touched[i].bytes });
}

static int by_first(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Whether bytes of the output are in nothing that covers it. */
static bool has_gap(struct search *s, struct range output)
{
	u64 at = output.first;

	for (u32 i = s->first; i < s->end; i++)
		add_operation(s, output, &s->run->list[i].op);
	if (s->count)
		qsort(s->covers, s->count, sizeof *s->covers, by_first);
	for (size_t i = 0; i < s->count && s->covers[i].first <= at; i++)
		if (s->covers[i].first + s->covers[i].bytes > at)
			at = s->covers[i].first + s->covers[i].bytes;
	s->count = 0;
	return at < output.first + output.bytes && !s->is_short;
}

static void PRINTF_LIKE(2, 3) add_name(struct search *s, const char *format, ...)
{
	const char *separator = s->used ? ", " : "";
	va_list args;
	int n;

	n = snprintf(s->names + s->used, s->size - s->used, "%s", separator);
	s->used = s->used + (size_t)n < s->size ? s->used + (size_t)n : s->size - 1;
	va_start(args, format);
	n = vsnprintf(s->names + s->used, s->size - s->used, format, args);
	va_end(args);
	s->used = s->used + (size_t)n < s->size ? s->used + (size_t)n : s->size - 1;
}

static void search_network(struct search *s)
{
	const struct npu_program *p = s->p;

	s->end = s->run->count;
	for (u32 i = 0; i < p->output_count; i++) {
		const struct range output = range_of(p, p->outputs[i].host, p->outputs[i].bytes);

		for (u32 k = 0; k < p->input_count; k++)
			add(s, output, range_of(p, p->inputs[k].host, p->inputs[k].bytes));
		if (has_gap(s, output))
			add_name(s, "%u (%s)", i, p->outputs[i].name);
	}
}

/* What a step reads, as a range around it; none: it does not copy. */
static struct range read_by(const struct npu_program *p, const struct npu_step *step)
{
	u64 bytes = step->element_bytes;

	if (step->kind == NPU_STEP_COPY)
		return range_of(p, step->from, step->count);
	if (step->kind != NPU_STEP_MOVE)
		return (struct range){ 0, 0 };
	for (unsigned d = 0; d < step->rank; d++)
		bytes += step->size[d] ? (u64)(step->from_step[d] * (i64)(step->size[d] - 1)) : 0;
	return range_of(p, step->from, bytes);
}

/* A delegate's inputs are what was copied to its memory before the job at step `at`. */
static void add_inputs(struct search *s, struct range output, u32 at)
{
	while (at-- > 0 && s->p->steps[at].kind != NPU_STEP_JOB)
		if (s->p->steps[at].kind == NPU_STEP_COPY)
			add(s, output, range_of(s->p, s->p->steps[at].to, s->p->steps[at].count));
}

/* Its outputs are what is copied from there behind it. */
static void search_delegate(struct search *s, u32 at)
{
	const struct npu_job *job = &s->p->jobs[s->p->steps[at].job];
	u32 number = 0;

	for (u32 i = at + 1; i < s->p->step_count && s->p->steps[i].kind != NPU_STEP_JOB; i++) {
		const struct range output = read_by(s->p, &s->p->steps[i]);

		if (!output.bytes || output.first < job->base[1] || output.first >= job->base[2])
			continue;
		add_inputs(s, output, at);
		if (has_gap(s, output))
			add_name(s, "%u of delegate %u", number, s->p->steps[at].job);
		number++;
	}
}

static void search_delegates(struct search *s)
{
	for (u32 i = 0; i < s->p->step_count; i++) {
		if (s->p->steps[i].kind != NPU_STEP_JOB)
			continue;
		s->first = s->end;
		s->end += s->p->jobs[s->p->steps[i].job].operations;
		search_delegate(s, i);
	}
}

void npu_unwritten(const struct npu_program *p, const struct npu_report *run, char *names, size_t size)
{
	struct search s = { .p = p, .run = run, .names = names, .size = size };

	*names = 0;
	if (run->count != run->operations) /* host memory was short */
		return;
	if (p->steps)
		search_delegates(&s);
	else
		search_network(&s);
	free(s.covers);
}
