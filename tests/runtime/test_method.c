/* SPDX-License-Identifier: Apache-2.0 */
/* Loader and executor on programs that ExecuTorch exported (tests/runtime/generate.py); expected values by hand. */
#include "runtime/apps/bundle.h"
#include "tests/runtime/host.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define DATA RUNTIME_DATA "/"

static uint8_t file[1 << 16];
static struct host_program h;

static size_t read_data(const char *name)
{
	char path[512];
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, DATA "%s", name);
	f = fopen(path, "rb");
	cr_assert_not_null(f, "%s", path);
	n = fread(file, 1, sizeof file, f);
	fclose(f);
	return n;
}

static void load(const char *name, const char *method)
{
	const size_t bytes = read_data(name);

	cr_assert(host_load(&h, file, bytes, method), "%s: %s", name, h.why);
}

static void set(uint32_t index, const void *data, size_t bytes)
{
	cr_assert(method_set_input(&h.method, index, data, bytes), "%s", h.method.why);
}

static void output_is(uint32_t output, const float *expected, size_t count)
{
	const struct value *v = h.method.outputs[output];

	cr_assert_eq(v->kind, VALUE_TENSOR);
	cr_assert_eq(tensor_bytes(v->as.tensor), 4 * count);
	for (size_t i = 0; i < count; i++)
		cr_assert_float_eq(((const float *)v->as.tensor->data)[i], expected[i], 0, "element %zu: %g", i,
				   (double)((const float *)v->as.tensor->data)[i]);
}

/* An input's memory may serve for something else in the run: set inputs again for another. */
static void run_gives(uint32_t output, const float *expected, size_t count)
{
	cr_assert(method_run(&h.method), "%s", h.method.why);
	output_is(output, expected, count);
}

static void branch_gives(uint8_t taken, const float expected[3])
{
	const float x[] = { 1, 2, 3 };

	set(0, &taken, 1);
	set(1, x, sizeof x);
	run_gives(0, expected, 3);
}

Test(method, jumps_and_moves)
{
	load("choose.pte", NULL);
	branch_gives(1, (const float[]){ 2, 4, 6 });
	branch_gives(0, (const float[]){ 1, 4, 9 });
	host_close(&h);
}

Test(method, a_view_of_a_branch)
{
	load("branch.pte", NULL);
	branch_gives(0, (const float[]){ 10, 40, 90 });
	branch_gives(1, (const float[]){ 20, 40, 60 });
	output_is(1, (const float[]){ 1.5f, 2.5f, 3.5f }, 3);
	host_close(&h);
}

Test(method, methods_by_name)
{
	const float x[] = { 1, 2, 3 };

	load("methods.pte", "twice");
	set(0, x, sizeof x);
	run_gives(0, (const float[]){ 2, 4, 6 }, 3);
	host_close(&h);
	load("methods.pte", "thrice");
	set(0, x, sizeof x);
	run_gives(0, (const float[]){ 3, 6, 9 }, 3);
	host_close(&h);
	cr_assert_not(host_load(&h, file, read_data("methods.pte"), "fourfold"));
	cr_assert_str_eq(h.why, "the program has no method fourfold");
	host_close(&h);
}

Test(method, a_buffer_lasts)
{
	const float x[] = { 1, 2 };

	load("count.pte", NULL);
	set(0, x, sizeof x);
	run_gives(0, (const float[]){ 11.5f, 22.5f }, 2);
	set(0, x, sizeof x);
	run_gives(0, (const float[]){ 12.5f, 24.5f }, 2);
	host_close(&h);
}

Test(method, numbers_in_and_no_dimensions_out)
{
	const float x[] = { 1, 2, 3 };
	const int64_t n = 7;

	load("scale.pte", NULL);
	set(0, x, sizeof x);
	set(1, &n, sizeof n);
	run_gives(0, (const float[]){ 1, 4, 12 }, 3);
	cr_assert_eq(h.method.outputs[1]->as.tensor->rank, 0);
	output_is(1, (const float[]){ 3 }, 1);
	host_close(&h);
}

Test(method, data_in_another_file)
{
	const float x[] = { 1, 2, 3 };
	static uint8_t data[1 << 10];
	const size_t data_bytes = read_data("outside.ptd"), bytes = (memcpy(data, file, data_bytes), read_data("outside.pte"));

	cr_assert(host_load_data(&h, file, bytes, (struct span){ data, data_bytes }), "%s", h.why);
	set(0, x, sizeof x);
	run_gives(0, (const float[]){ 1, 4, 12 }, 3);
	host_close(&h);
	cr_assert_not(host_load(&h, file, bytes, NULL));
	cr_assert_not_null(strstr(h.why, "(.ptd) that was not given"), "%s", h.why);
	host_close(&h);
	cr_assert_not(host_load_data(&h, file, bytes, (struct span){ data, data_bytes - 1 }));
	cr_assert_str_eq(h.why, "the data file is cut off, or its header is damaged");
	host_close(&h);
	cr_assert_not(host_load_data(&h, file, bytes, (struct span){ file, bytes }));
	cr_assert_str_eq(h.why, "this is no data file of ExecuTorch's (.ptd)");
	host_close(&h);
}

Test(method, a_loop)
{
	const float x[] = { 1, 2, 3, 4, 5, 6 };

	load("rows.pte", NULL);
	set(0, x, sizeof x);
	run_gives(0, (const float[]){ 1, 4, 9, 16, 25, 36 }, 6);
	host_close(&h);
}

Test(method, shapes_within_bounds)
{
	const float x[] = { 1, 2, 3, 4, 5, 6 };

	load("dynamic.pte", NULL);
	cr_assert(method_resize_input(&h.method, 0, (const int32_t[]){ 3, 2 }, 2), "%s", h.method.why);
	set(0, x, sizeof x);
	run_gives(0, (const float[]){ 2, 4, 6, 8, 10, 12 }, 6);
	cr_assert_not(method_resize_input(&h.method, 0, (const int32_t[]){ 9, 2 }, 2));
	cr_assert_str_eq(h.method.why, "input 0: the result does not fit the 64 bytes planned for it");
	host_close(&h);
}

Test(method, wrong_use_is_told)
{
	const float x[] = { 1, 2, 3 };

	load("choose.pte", NULL);
	cr_assert_not(method_set_input(&h.method, 1, x, 8));
	cr_assert_str_eq(h.method.why, "input 1 has 8 bytes, the program expects 12");
	cr_assert_not(method_set_input(&h.method, 2, x, 8));
	cr_assert_str_eq(h.method.why, "there is no input 2: the method has 2");
	host_close(&h);
	cr_assert_not(host_load_in(&h, file, read_data("choose.pte"), NULL, 1 << 16, 32));
	cr_assert_not_null(strstr(h.why, "the planned memory is too small"), "%s", h.why);
	host_close(&h);
	cr_assert_not(host_load_in(&h, file, read_data("choose.pte"), NULL, 100, 1 << 16));
	cr_assert_not_null(strstr(h.why, "the table memory is too small"), "%s", h.why);
	host_close(&h);
}

Test(method, a_missing_kernel_is_named)
{
	const size_t bytes = read_data("choose.pte");

	for (size_t i = 0; i + 10 < bytes; i++)
		if (!memcmp(file + i, "aten::add", 9))
			file[i + 6] = 'x';
	cr_assert_not(host_load(&h, file, bytes, NULL));
	cr_assert_str_eq(h.why, "there is no kernel for operator aten::xdd.out: add it to runtime/kernels/kernels.def");
	host_close(&h);
}

/* Whatever is missing at the end, or changed by a bit: a line, no fault. */
Test(method, damaged_programs)
{
	const size_t bytes = read_data("choose.pte");

	for (size_t n = 0; n < bytes; n += 4) {
		if (host_load(&h, file, n, NULL))
			method_run(&h.method);
		else
			cr_assert_neq(h.why[0], 0);
		host_close(&h);
	}
}

static bool bundle_passes(const char *name, struct bundle_errors *e)
{
	struct bundle b;
	struct span program;
	const size_t bytes = read_data(name);
	static uint8_t copy[1 << 16] __attribute__((aligned(16)));
	bool same;

	memcpy(copy, file, bytes);
	cr_assert(bundle_is(copy, bytes));
	cr_assert(bundle_open(&b, copy, bytes, &program, h.why, sizeof h.why), "%s", h.why);
	cr_assert(host_load(&h, program.data, program.bytes, NULL), "%s", h.why);
	cr_assert(bundle_set_inputs(&b, &h.method, 0, h.why, sizeof h.why), "%s", h.why);
	cr_assert(method_run(&h.method));
	same = bundle_compare(&b, &h.method, 0.01, 0.01, e, h.why, sizeof h.why);
	host_close(&h);
	return same && !e->outside;
}

Test(method, bundles)
{
	struct bundle_errors e;

	cr_assert(bundle_passes("right.bpte", &e));
	cr_assert_eq(e.max_absolute, 0);
	cr_assert_not(bundle_passes("wrong.bpte", &e));
	cr_assert_eq(e.outside, 3);
	cr_assert_float_eq(e.max_absolute, 0.5, 1e-6);
}

/* Three rows of a program whose input has up to eight. */
Test(method, a_bundle_sets_sizes)
{
	struct bundle_errors e;

	cr_assert(bundle_passes("sized.bpte", &e), "%s", h.why);
	cr_assert_eq(e.max_absolute, 0);
}

/* The bundle says that the last dimension, of one element, lies outside of the one before. */
Test(method, a_bundle_with_another_place_of_one_element)
{
	struct bundle_errors e;

	cr_assert(bundle_passes("column.bpte", &e), "%s", h.why);
}

/* Numbers of 16 bits with a point: 1.0, 2.0, 3.0, and the last differs by 0.5. */
Test(method, a_bundle_of_halves)
{
	struct bundle_errors e;

	cr_assert_not(bundle_passes("halves.bpte", &e));
	cr_assert_eq(e.outside, 1);
	cr_assert_float_eq(e.max_absolute, 0.5, 1e-6);
}
