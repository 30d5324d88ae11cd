/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/profile_functions.h"

#include <stdio.h>
#include <stdlib.h>

struct table {
	struct profile_function *context; /* by context: what it cost itself */
	struct profile_cost sum;
};

static void collect(void *ctx, u32 context, u32 pc, const struct profile_cost *c)
{
	struct table *t = ctx;
	struct profile_function *f = &t->context[context];

	(void)pc;
	profile_cost_add(&f->self, c);
	profile_cost_add(&t->sum, c);
	*(c->work < CPU_WORKS ? &f->work[c->work] : &f->rest) += c->cycles;
}

/* Cycles of a context and all below it count where no context above it is of the same function. */
static bool is_outermost(const struct calls *k, u32 context)
{
	for (u32 i = k->context[context].parent; i; i = k->context[i].parent)
		if (k->context[i].function == k->context[context].function)
			return false;
	return true;
}

static int by_function(const void *a, const void *b)
{
	const struct profile_function *x = a, *y = b;

	return x->function < y->function ? -1 : x->function > y->function;
}

static int by_cycles(const void *a, const void *b)
{
	const struct profile_function *x = a, *y = b;
	const u64 p = profile_cost_all(&x->self), q = profile_cost_all(&y->self);

	return p != q ? (p < q ? 1 : -1) : by_function(a, b);
}

static void add(struct profile_function *to, const struct profile_function *f)
{
	profile_cost_add(&to->self, &f->self);
	for (unsigned i = 0; i < CPU_WORKS; i++)
		to->work[i] += f->work[i];
	to->rest += f->rest;
	to->all += f->all;
	to->calls += f->calls;
}

/* Contexts, which are calls of functions from somewhere, become functions. The first context is none's. */
static void merge(const struct calls *k, struct table *t, u64 *below, struct profile_functions *out)
{
	struct profile_function *list = out->list;
	u32 n = 0;

	for (u32 i = k->count; i-- > 1;) { /* contexts below come later */
		below[i] += profile_cost_all(&t->context[i].self);
		below[k->context[i].parent] += below[i];
	}
	for (u32 i = 1; i < k->count; i++) {
		list[i - 1] = t->context[i];
		list[i - 1].function = k->context[i].function;
		list[i - 1].all = is_outermost(k, i) ? below[i] : 0;
		list[i - 1].calls = k->context[i].calls;
	}
	qsort(list, k->count - 1, sizeof *list, by_function);
	for (u32 i = 0; i < k->count - 1; i++)
		if (n && list[n - 1].function == list[i].function)
			add(&list[n - 1], &list[i]);
		else
			list[n++] = list[i];
	qsort(list, n, sizeof *list, by_cycles);
	out->count = n;
	out->sum = t->sum;
}

bool profile_functions_of(const struct profile *p, struct profile_functions *out, char *why, size_t why_size)
{
	const u32 count = profile_calls(p)->count;
	struct table t = { calloc(count, sizeof *t.context), { 0 } };
	u64 *below = calloc(count, sizeof *below);

	*out = (struct profile_functions){ .list = calloc(count, sizeof *out->list) };
	const bool ok = t.context && below && out->list;

	if (ok) {
		profile_each(p, collect, &t);
		merge(profile_calls(p), &t, below, out);
	} else {
		snprintf(why, why_size, "host memory is short");
		profile_functions_free(out);
	}
	free(t.context);
	free(below);
	return ok;
}

void profile_functions_free(struct profile_functions *f)
{
	free(f->list);
	*f = (struct profile_functions){ 0 };
}
