/* SPDX-License-Identifier: Apache-2.0 */
/* Calls kernels with recorded operands and compares with recorded results: of PyTorch and of the cortex_m dialect's
 * reference (kernel_golden.py makes the file). Runs on the host, with the file as argument, and on the simulated core, where it
 * is part of the image, so that the same cases judge the plain and the vector code. */
#include "kernel_golden.h"
#include "runtime/core/format.h"
#include "runtime/core/kernel.h"
#include "runtime/kernels/element.h"

#include <math.h>
#include <string.h>

#define MOST_ARGUMENTS 24
#define MOST_TENSORS 48
#define TEMP_BYTES 65536

static uint8_t memory[128 * 1024] __attribute__((aligned(16))), temp[TEMP_BYTES] __attribute__((aligned(16)));

struct reader {
	const uint8_t *at;
	size_t used; /* bytes of `memory` */
	struct value values[MOST_ARGUMENTS], *arguments[MOST_ARGUMENTS];
	struct tensor tensors[MOST_TENSORS];
	const uint8_t *expected[MOST_TENSORS]; /* of an output; else NULL */
	int32_t numbers[MOST_TENSORS][2][TENSOR_MAX_RANK];
	uint8_t orders[MOST_TENSORS][TENSOR_MAX_RANK];
	unsigned tensor_count;
};

static void *take(struct reader *r, size_t bytes)
{
	void *p = memory + r->used;

	r->used += (bytes + 15) & ~(size_t)15;
	return r->used <= sizeof memory ? p : NULL;
}

static void copy(struct reader *r, void *to, size_t bytes)
{
	memcpy(to, r->at, bytes);
	r->at += bytes;
}

static uint8_t byte(struct reader *r)
{
	return *r->at++;
}

/* type, rank, sizes (16 bits each), order, data. Inputs are copied, so that they are aligned and may be overwritten. */
static struct tensor *tensor(struct reader *r, bool output)
{
	const unsigned k = r->tensor_count++;
	struct tensor *t = &r->tensors[k];
	size_t bytes;

	*t = (struct tensor){ .type = byte(r), .sizes = r->numbers[k][0], .strides = r->numbers[k][1], .order = r->orders[k] };
	t->rank = byte(r);
	for (unsigned d = 0; d < t->rank; d++) {
		t->sizes[d] = r->at[0] | r->at[1] << 8;
		r->at += 2;
	}
	copy(r, t->order, t->rank);
	tensor_set_strides(t);
	bytes = tensor_bytes(t);
	t->capacity = bytes;
	t->data = take(r, bytes);
	if (t->data && output)
		memset(t->data, 0xa5, bytes);
	else if (t->data)
		memcpy(t->data, r->at, bytes);
	r->expected[k] = output ? r->at : NULL;
	r->at += bytes;
	return t;
}

static void list_of_tensors(struct reader *r, struct value *v, bool output)
{
	struct tensor **items = take(r, v->count * sizeof *items);

	for (unsigned i = 0; i < v->count; i++)
		items[i] = byte(r) ? tensor(r, output) : NULL;
	v->as.tensors = items;
}

static void list_of_numbers(struct reader *r, struct value *v, size_t bytes)
{
	void *items = take(r, v->count * bytes);

	copy(r, items, v->count * bytes);
	v->as.integers = items;
}

static void value(struct reader *r, struct value *v)
{
	const bool output = byte(r);

	v->kind = byte(r);
	v->count = 0;
	switch (v->kind) {
	case VALUE_INT:
	case VALUE_DOUBLE: copy(r, &v->as.integer, 8); return;
	case VALUE_BOOL: v->as.boolean = byte(r); return;
	case VALUE_TENSOR: v->as.tensor = tensor(r, output); return;
	default: break;
	}
	if (v->kind == VALUE_NONE)
		return;
	v->count = byte(r);
	if (v->kind == VALUE_TENSOR_LIST || v->kind == VALUE_OPTIONAL_TENSOR_LIST) {
		list_of_tensors(r, v, output);
	} else if (v->kind == VALUE_STRING) {
		v->as.text = (const char *)r->at; /* with its zero */
		r->at += v->count + 1;
	} else {
		list_of_numbers(r, v, v->kind == VALUE_BOOL_LIST ? 1 : 8);
	}
}

/* The first element that is too far off, or -1. */
static long difference(const struct tensor *t, const uint8_t *expected, double tolerance)
{
	const unsigned type = dtype_of_parts(t->type);
	const size_t bytes = dtype_bytes(type);
	uint64_t aligned;

	for (size_t k = 0; k < tensor_bytes(t) / bytes; k++) {
		double want, got;

		memcpy(&aligned, expected + k * bytes, bytes);
		if (!dtype_is_float(type)) {
			if (memcmp(&aligned, (uint8_t *)t->data + k * bytes, bytes))
				return (long)k;
			continue;
		}
		want = element_double(&aligned, type);
		got = element_double((uint8_t *)t->data + k * bytes, type);
		if (!(isnan(want) && isnan(got)) && want != got && !(fabs(want - got) <= tolerance * (1 + fabs(want))))
			return (long)k;
	}
	return -1;
}

static bool call(struct reader *r, const char *name, unsigned count, char *why, size_t why_bytes)
{
	const struct kernel_entry *k = kernel_find(kernel_table, kernel_count, name);
	struct kernel_context c = { .temp = temp, .temp_bytes = sizeof temp };

	if (r->used > sizeof memory) {
		format_text(why, why_bytes, "the case is larger than the test's memory");
		return false;
	}
	if (!k) {
		format_text(why, why_bytes, "there is no such kernel");
		return false;
	}
	k = kernel_fitting(k, r->arguments, count, why, why_bytes);
	if (!k)
		return false;
	if (!k->run(&c, r->arguments)) {
		format_text(why, why_bytes, "%s", c.why);
		return false;
	}
	return true;
}

/* name, tolerance, number of arguments, arguments */
static bool one(struct reader *r, char *why, size_t why_bytes)
{
	const char *name = (const char *)r->at;
	char reason[KERNEL_WHY_BYTES];
	double tolerance;
	unsigned count;

	r->at += strlen(name) + 1;
	copy(r, &tolerance, sizeof tolerance);
	count = byte(r);
	r->used = 0;
	r->tensor_count = 0;
	for (unsigned i = 0; i < count; i++) {
		r->arguments[i] = &r->values[i];
		value(r, &r->values[i]);
	}
	if (!call(r, name, count, reason, sizeof reason)) {
		format_text(why, why_bytes, "%s: %s", name, reason);
		return false;
	}
	for (unsigned k = 0; k < r->tensor_count; k++) {
		const long at = r->expected[k] ? difference(&r->tensors[k], r->expected[k], tolerance) : -1;

		if (at >= 0) {
			format_text(why, why_bytes, "%s: element %ld differs", name, at);
			return false;
		}
	}
	return true;
}

unsigned golden_run(const uint8_t *file, const uint8_t *end, void (*report)(const char *line), unsigned *failed)
{
	static struct reader r;
	char why[256], line[300];
	unsigned cases = 0;

	*failed = 0;
	for (r.at = file; r.at < end; cases++)
		if (!one(&r, why, sizeof why)) {
			++*failed;
			format_text(line, sizeof line, "case %u, %s", cases, why);
			report(line);
		}
	return cases;
}
