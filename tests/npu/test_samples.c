/* SPDX-License-Identifier: Apache-2.0 */
/* Whole networks against the outputs of the framework's reference kernels (data/, options/). */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/network/npu_program.h"
#include "tests/npu/packed_case.h"

#define RUNS 2

static void read_value(const struct packed_case *c, const char *kind, unsigned run, unsigned i, struct packed_file *f)
{
	char name[32];

	snprintf(name, sizeof(name), "%s%u_%u.bin", kind, run, i);
	cr_assert(packed_case_find(c, name, f), "%s", name);
}

static const struct npu_config *accelerator_of(const struct packed_case *c)
{
	char name[64];
	struct packed_file f;

	cr_assert(packed_case_find(c, "accelerator", &f));
	snprintf(name, sizeof(name), "%.*s", (int)f.size, (const char *)f.data);
	name[strcspn(name, "\n")] = 0;
	return npu_config_find(name);
}

static void set_inputs(struct npu_program *p, const struct packed_case *c, const char *what, unsigned run)
{
	for (u32 i = 0; i < p->input_count; i++) {
		struct packed_file f;
		read_value(c, "in", run, i, &f);
		cr_assert_eq(f.size, p->inputs[i].bytes, "%s: size of input %u", what, i);
		memcpy(p->inputs[i].host, f.data, f.size);
	}
}

static void compare_outputs(const struct npu_program *p, const struct packed_case *c, const char *what, unsigned run)
{
	for (u32 i = 0; i < p->output_count; i++) {
		struct packed_file f;
		read_value(c, "gold", run, i, &f);
		cr_assert_eq(f.size, p->outputs[i].bytes, "%s: size of output %u", what, i);
		cr_expect(memcmp(f.data, p->outputs[i].host, f.size) == 0, "%s: run %u, output %u differs", what, run, i);
	}
}

static void run_model(const struct packed_case *c, const struct packed_file *model, const char *what,
		      const struct npu_config *config, unsigned runs)
{
	char why[320];

	for (unsigned run = 0; run < runs; run++) {
		struct npu_program *p = npu_program_load(model->data, model->size, why, sizeof(why));
		cr_assert(p != NULL, "%s: %s", what, why);
		cr_assert(npu_program_fits(p, config, why, sizeof(why)), "%s: %s", what, why);
		struct npu_options o = { .config = config, .memory = npu_program_memory(p) };
		struct npu *n = npu_new(&o);
		set_inputs(p, c, what, run);
		cr_expect(npu_program_run(p, n), "%s: %s", what, npu_result(n)->message);
		cr_expect_gt(npu_result(n)->total_cycles, 0u);
		compare_outputs(p, c, what, run);
		npu_free(n);
		npu_program_free(p);
	}
}

/* What ExecuTorch or Vela made. */
static unsigned run_network(const struct packed_case *c, const char *what)
{
	struct packed_file model;

	cr_assert(packed_case_find(c, "model.pte", &model) || packed_case_find(c, "model_vela.tflite", &model), "%s", what);
	run_model(c, &model, what, accelerator_of(c), RUNS);
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
		run_model(c, &model, variant, npu_config_find(name), 1);
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

Test(npu_samples, model_for_another_accelerator_is_refused)
{
	char why[320];
	struct packed_case c;
	struct packed_file model;

	cr_assert(packed_case_read(&c, TEST_DATA "/conv_stride_101_ethos-u55-256.tar"));
	cr_assert(packed_case_find(&c, "model_vela.tflite", &model));
	struct npu_program *p = npu_program_load(model.data, model.size, why, sizeof(why));
	cr_assert(p != NULL);
	const struct npu_config *other = npu_config_find("ethos-u85-256");
	cr_expect(!npu_program_fits(p, other, why, sizeof(why)));
	cr_expect(strstr(why, "expected ethos-u85-256") != NULL, "%s", why);
	cr_expect(strstr(why, "vela --accelerator-config ethos-u85-256") != NULL, "%s", why);
	npu_program_free(p);
	packed_case_free(&c);
}
