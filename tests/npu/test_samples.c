/* SPDX-License-Identifier: Apache-2.0 */
/* Whole networks against the outputs of the framework's reference kernels (data/, options/). */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/fvpsim.h"
#include "tests/npu/packed_case.h"

#define RUNS 2

static void read_value(const struct packed_case *c, const char *kind, unsigned run, unsigned i, struct packed_file *f)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%u_%u.bin", kind, run, i);
	cr_assert(packed_case_find(c, name, f), "%s", name);
}

static void accelerator_of(const struct packed_case *c, char name[64])
{
	struct packed_file f;

	cr_assert(packed_case_find(c, "accelerator", &f));
	snprintf(name, 64, "%.*s", (int)f.size, (const char *)f.data);
	name[strcspn(name, "\n")] = 0;
}

static void set_inputs(struct fvpsim_network *n, const struct packed_case *c, const char *what, unsigned run)
{
	struct fvpsim_tensor input = { .size = sizeof input };

	for (unsigned i = 0; !fvpsim_network_input(n, i, &input, NULL); i++) {
		struct packed_file f;
		read_value(c, "in", run, i, &f);
		cr_assert_eq(f.size, input.bytes, "%s: size of input %u", what, i);
		memcpy(input.data, f.data, f.size);
	}
}

static void compare_outputs(struct fvpsim_network *n, const struct packed_case *c, const char *what, unsigned run)
{
	struct fvpsim_tensor output = { .size = sizeof output };

	for (unsigned i = 0; !fvpsim_network_output(n, i, &output, NULL); i++) {
		struct packed_file f;
		read_value(c, "gold", run, i, &f);
		cr_assert_eq(f.size, output.bytes, "%s: size of output %u", what, i);
		cr_expect(memcmp(f.data, output.data, f.size) == 0, "%s: run %u, output %u differs", what, run, i);
	}
}

/* Each run with a new network: some keep variables from one run to the next. */
static void run_model(const struct packed_case *c, const struct packed_file *model, const char *what, const char *accelerator, unsigned runs)
{
	struct fvpsim_error error;

	for (unsigned run = 0; run < runs; run++) {
		struct fvpsim_network *n = fvpsim_network_new(accelerator, model->data, model->size, NULL, &error);
		cr_assert(n != NULL, "%s: %s", what, error.text);
		set_inputs(n, c, what, run);
		cr_expect(fvpsim_network_run(n, &error) == FVPSIM_OK, "%s: %s", what, error.text);
		cr_expect_gt(fvpsim_network_cycles(n), 0u);
		compare_outputs(n, c, what, run);
		fvpsim_network_free(n);
	}
}

/* What ExecuTorch or Vela made. */
static unsigned run_network(const struct packed_case *c, const char *what)
{
	struct packed_file model;
	char accelerator[64];

	accelerator_of(c, accelerator);
	cr_assert(packed_case_find(c, "model.pte", &model) || packed_case_find(c, "model_vela.tflite", &model), "%s", what);
	run_model(c, &model, what, accelerator, RUNS);
	return 1;
}

/* Every model in the case is the same network, compiled for ACCELERATOR_NUMBER.tflite with other options. */
static unsigned run_variants(const struct packed_case *c, const char *what)
{
	struct packed_file model;
	unsigned count = 0;

	for (unsigned i = 0; packed_case_at(c, i, &model); i++) {
		char name[sizeof(model.name)];
		char variant[600];
		if (!strstr(model.name, ".tflite"))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(model.name, "_"), model.name);
		snprintf(variant, sizeof(variant), "%.400s: %s", what, model.name);
		run_model(c, &model, variant, name, 1);
		count++;
	}
	return count;
}

/* Calls `run` for every case of a folder; returns the sum of what it returns. */
static unsigned each_case(const char *folder, unsigned (*run)(const struct packed_case *c, const char *what))
{
	DIR *d = opendir(folder);
	unsigned count = 0;

	cr_assert(d != NULL, "%s", folder);
	for (struct dirent *e; (e = readdir(d)); ) {
		struct packed_case c;
		char path[512];
		if (e->d_name[0] == '.' || strcmp(e->d_name, "README.md") == 0)
			continue;
		cr_assert(strstr(e->d_name, ".tar"), "%s/%s: not packed: python pack.py FOLDER", folder, e->d_name);
		snprintf(path, sizeof(path), "%s/%.200s", folder, e->d_name);
		cr_assert(packed_case_read(&c, path), "%s", path);
		count += run(&c, e->d_name);
		packed_case_free(&c);
	}
	closedir(d);
	return count;
}

Test(npu_samples, networks_equal_the_reference_kernels)
{
	cr_expect_geq(each_case(TEST_DATA, run_network), 40u);
}

Test(npu_samples, options_of_the_compiler_do_not_change_a_result)
{
	cr_expect_geq(each_case(TEST_OPTIONS, run_variants), 20u);
}

static struct fvpsim_error refusal_of(const char *path, const char *accelerator)
{
	struct fvpsim_error error = { 0 };
	struct packed_case c;
	struct packed_file model;

	cr_assert(packed_case_read(&c, path));
	cr_assert(packed_case_find(&c, "model_vela.tflite", &model));
	cr_expect(fvpsim_network_new(accelerator, model.data, model.size, NULL, &error) == NULL);
	packed_case_free(&c);
	return error;
}

Test(npu_samples, model_for_another_accelerator_is_refused)
{
	const struct fvpsim_error error = refusal_of(TEST_DATA "/conv_stride_101_ethos-u55-256.tar", "ethos-u85-256");

	cr_expect_eq(error.kind, FVPSIM_ACCELERATOR);
	cr_expect(strstr(error.text, "expected ethos-u85-256") != NULL, "%s", error.text);
	cr_expect(strstr(error.text, "vela --accelerator-config ethos-u85-256") != NULL, "%s", error.text);
}

/* Vela reads the state in one region and writes it in another. */
Test(npu_samples, variables_in_regions_of_their_own_are_refused)
{
	const struct fvpsim_error error = refusal_of(TEST_REFUSED "/separate_io_lstm.tar", "ethos-u55-128");

	cr_expect(strstr(error.text, "--separate-io-regions, but its variables") != NULL, "%s", error.text);
}
