/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/apps/bundle.h"
#include "runtime/core/format.h"
#include "runtime/kernels/element.h"
#include "runtime/kernels/half.h"

#include <string.h>

enum { BUNDLE_VERSION, BUNDLE_SUITES, BUNDLE_PROGRAM };
enum { SUITE_METHOD, SUITE_CASES };
enum { CASE_INPUTS, CASE_OUTPUTS };
enum { ENTRY_TYPE, ENTRY_TABLE };
enum { ENTRY_TENSOR = 1, ENTRY_INT = 2, ENTRY_BOOL = 3, ENTRY_DOUBLE = 4 };
enum { TENSOR_TYPE, TENSOR_SIZES, TENSOR_DATA, TENSOR_ORDER };

bool bundle_is(const void *bytes, size_t size)
{
	const struct flat f = { .bytes = bytes, .size = (uint32_t)size };

	return flat_has_identifier(&f, "BP08");
}

bool bundle_open(struct bundle *b, const void *bytes, size_t size, struct span *program, char *why, size_t why_bytes)
{
	struct flat_vector v;

	*b = (struct bundle){ .flat = { .bytes = bytes, .size = (uint32_t)size } };
	b->root = flat_root(&b->flat);
	v = flat_vector(&b->flat, b->root, BUNDLE_PROGRAM, 1);
	*program = (struct span){ b->flat.bytes + v.at, v.count };
	if (v.at && !b->flat.bad)
		return true;
	format_text(why, why_bytes, "the bundle is damaged, or holds no program");
	return false;
}

static struct flat_vector cases_of(struct bundle *b, const char *method)
{
	const struct flat_vector suites = flat_vector(&b->flat, b->root, BUNDLE_SUITES, 4);

	for (uint32_t i = 0; i < suites.count; i++) {
		const struct flat_table suite = flat_table_element(&b->flat, suites, i);
		uint32_t bytes;

		if (!strcmp(flat_string(&b->flat, suite, SUITE_METHOD, &bytes), method))
			return flat_vector(&b->flat, suite, SUITE_CASES, 4);
	}
	return (struct flat_vector){ 0 };
}

uint32_t bundle_tests(struct bundle *b, const char *method)
{
	return cases_of(b, method).count;
}

/* An entry's bytes: a tensor's data, or a number of 8 bytes (a bool: 1). */
static struct span entry_data(struct bundle *b, struct flat_table entry)
{
	const uint64_t type = flat_number(&b->flat, entry, ENTRY_TYPE, 1, 0);
	const struct flat_table content = flat_child(&b->flat, entry, ENTRY_TABLE);
	static uint64_t number;
	struct flat_vector v;

	if (type != ENTRY_TENSOR) {
		number = flat_number(&b->flat, content, 0, type == ENTRY_BOOL ? 1 : 8, 0);
		return (struct span){ (const uint8_t *)&number, type == ENTRY_BOOL ? 1 : 8 };
	}
	v = flat_vector(&b->flat, content, TENSOR_DATA, 1);
	return (struct span){ b->flat.bytes + v.at, v.count };
}

/* A tensor's sizes may differ from the program's, within its bounds. */
static bool size_input(struct bundle *b, struct method *m, uint32_t index, struct flat_table entry)
{
	const struct flat_table content = flat_child(&b->flat, entry, ENTRY_TABLE);
	const struct flat_vector list = flat_vector(&b->flat, content, TENSOR_SIZES, 4);
	const uint64_t type = flat_number(&b->flat, content, TENSOR_TYPE, 1, 0);
	int32_t sizes[TENSOR_MAX_RANK];

	if (index >= m->input_count || m->inputs[index]->kind != VALUE_TENSOR ||
	    flat_number(&b->flat, entry, ENTRY_TYPE, 1, 0) != ENTRY_TENSOR)
		return true; /* setting it says what is wrong */
	if (type != m->inputs[index]->as.tensor->type)
		return method_fail(m, "input %u of the bundle is %s, that of the program %s", (unsigned)index, dtype_name((unsigned)type),
				   dtype_name(m->inputs[index]->as.tensor->type));
	for (uint32_t i = 0; i < list.count && i < TENSOR_MAX_RANK; i++)
		sizes[i] = (int32_t)flat_element(&b->flat, list, i, 4);
	return method_resize_input(m, index, sizes, list.count);
}

bool bundle_set_inputs(struct bundle *b, struct method *m, uint32_t index, char *why, size_t why_bytes)
{
	const struct flat_vector cases = cases_of(b, m->name);
	struct flat_vector inputs;

	b->test = index < cases.count ? flat_table_element(&b->flat, cases, index) : (struct flat_table){ 0 };
	inputs = flat_vector(&b->flat, b->test, CASE_INPUTS, 4);
	for (uint32_t i = 0; i < inputs.count; i++) {
		const struct flat_table entry = flat_table_element(&b->flat, inputs, i);
		const struct span data = entry_data(b, entry);

		if (b->flat.bad || !size_input(b, m, i, entry) || !method_set_input(m, i, data.data, data.bytes)) {
			format_text(why, why_bytes, "%s", b->flat.bad ? "the bundle is damaged" : m->why);
			return false;
		}
	}
	if (b->test.at)
		return true;
	format_text(why, why_bytes, "the bundle has no test %u for method %s", (unsigned)index, m->name);
	return false;
}

/* In what the expected tensor is another than the output; NULL when in nothing. Where a dimension of one element lies in
 * memory makes no difference. */
static const char *difference(struct bundle *b, struct flat_table entry, const struct tensor *t)
{
	const struct flat_table e = flat_child(&b->flat, entry, ENTRY_TABLE);
	const struct flat_vector sizes = flat_vector(&b->flat, e, TENSOR_SIZES, 4);
	const struct flat_vector order = flat_vector(&b->flat, e, TENSOR_ORDER, 1);
	int32_t lengths[TENSOR_MAX_RANK], strides[TENSOR_MAX_RANK] = { 0 };
	uint8_t places[TENSOR_MAX_RANK];
	struct tensor expected = { .sizes = lengths, .strides = strides, .order = places, .rank = t->rank };

	if (flat_number(&b->flat, e, TENSOR_TYPE, 1, 0) != t->type)
		return "type";
	if (sizes.count != t->rank)
		return "number of dimensions";
	for (unsigned i = 0; i < t->rank; i++) {
		expected.sizes[i] = (int32_t)flat_element(&b->flat, sizes, i, 4);
		expected.order[i] = order.count == t->rank ? (uint8_t)flat_element(&b->flat, order, i, 1) : t->order[i];
		if (expected.sizes[i] != t->sizes[i])
			return "shape";
		if (expected.order[i] >= t->rank)
			return "order in memory";
	}
	tensor_set_strides(&expected);
	return tensor_same_layout(&expected, t) ? NULL : "order in memory";
}

/* Element as a number, from data that need not be aligned. */
static double element(const uint8_t *data, unsigned type, size_t i)
{
	union { float f32; double f64; int8_t i8; int16_t i16; int32_t i32; int64_t i64; uint8_t u8; uint16_t u16;
		uint32_t u32; uint64_t u64; } x = { 0 };

	memcpy(&x, data + i * dtype_bytes(type), dtype_bytes(type));
	switch (type) {
	case DTYPE_FLOAT32: return (double)x.f32;
	case DTYPE_FLOAT64: return x.f64;
	case DTYPE_INT8: return x.i8;
	case DTYPE_INT16: return x.i16;
	case DTYPE_INT32: return x.i32;
	case DTYPE_INT64: return (double)x.i64;
	case DTYPE_FLOAT16: return (double)half_to_float(x.u16);
	case DTYPE_BFLOAT16: return (double)bfloat_to_float(x.u16);
	case DTYPE_UINT16: return x.u16;
	case DTYPE_UINT32: return x.u32;
	case DTYPE_UINT64: return (double)x.u64;
	default: return x.u8;
	}
}

/* Adds up one tensor; *count counts elements. */
static void add_errors(const void *actual, const void *expected, const struct tensor *t, double atol, double rtol,
		       struct bundle_errors *sum, size_t *count)
{
	const unsigned type = dtype_of_parts(t->type);
	const bool is_close = dtype_is_float(type);

	for (size_t i = 0; i < tensor_bytes(t) / dtype_bytes(type); i++, ++*count) {
		const double a = element(actual, type, i), e = element(expected, type, i);
		const double size = e < 0 ? -e : e;
		double error = a > e ? a - e : e - a, relative;

		if (a == e || (a != a && e != e)) /* both infinite, or both no number */
			error = 0;
		relative = size > 0 ? error / size : error;
		sum->mean_absolute += error;
		sum->mean_relative += relative;
		sum->max_absolute = error > sum->max_absolute ? error : sum->max_absolute;
		sum->max_relative = relative > sum->max_relative ? relative : sum->max_relative;
		sum->outside += !(error <= (is_close ? atol + rtol * size : 0));
	}
}

bool bundle_compare(struct bundle *b, const struct method *m, double atol, double rtol, struct bundle_errors *out,
		    char *why, size_t why_bytes)
{
	const struct flat_vector outputs = flat_vector(&b->flat, b->test, CASE_OUTPUTS, 4);
	size_t count = 0;

	*out = (struct bundle_errors){ 0 };
	for (uint32_t i = 0; i < outputs.count; i++) {
		const struct flat_table entry = flat_table_element(&b->flat, outputs, i);
		const struct value *v = i < m->output_count ? m->outputs[i] : NULL;
		const struct span expected = entry_data(b, entry);
		const bool are_tensors = v && v->kind == VALUE_TENSOR && flat_number(&b->flat, entry, ENTRY_TYPE, 1, 0) == ENTRY_TENSOR;
		const char *differs = are_tensors ? difference(b, entry, v->as.tensor) : "kind";

		if (!differs && (expected.bytes != tensor_bytes(v->as.tensor) || b->flat.bad))
			differs = "number of bytes";
		if (differs) {
			format_text(why, why_bytes, "output %u cannot be compared: it has another %s than expected", (unsigned)i, differs);
			return false;
		}
		add_errors(v->as.tensor->data, expected.data, v->as.tensor, atol, rtol, out, &count);
	}
	if (count) {
		out->mean_absolute /= (double)count;
		out->mean_relative /= (double)count;
	}
	return true;
}
