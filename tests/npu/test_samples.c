/* SPDX-License-Identifier: Apache-2.0 */
/* Whole networks against the outputs of the framework's reference kernels (data/). */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader/file.h"
#include "sim/npu_program.h"

#define RUNS 2

static bool read_value(const char *folder, const char *kind, unsigned run, unsigned i, struct file_bytes *f)
{
	char path[600], why[256];

	snprintf(path, sizeof(path), "%s/%s%u_%u.bin", folder, kind, run, i);
	return file_read(path, f, why, sizeof(why));
}

static const struct npu_config *accelerator_of(const char *folder)
{
	char path[600], why[256], name[64];
	struct file_bytes f;

	snprintf(path, sizeof(path), "%s/accelerator", folder);
	cr_assert(file_read(path, &f, why, sizeof(why)), "%s", why);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn((char *)f.data, "\n"), (char *)f.data);
	file_free(&f);
	return npu_config_find(name);
}

static void set_inputs(struct npu_program *p, const char *folder, unsigned run)
{
	for (u32 i = 0; i < p->input_count; i++) {
		struct file_bytes f;
		cr_assert(read_value(folder, "in", run, i, &f), "%s: input %u", folder, i);
		cr_assert_eq(f.size, p->inputs[i].bytes, "%s: size of input %u", folder, i);
		memcpy(p->inputs[i].host, f.data, f.size);
		file_free(&f);
	}
}

static void compare_outputs(const struct npu_program *p, const char *folder, const char *model, unsigned run)
{
	for (u32 i = 0; i < p->output_count; i++) {
		struct file_bytes f;
		cr_assert(read_value(folder, "gold", run, i, &f), "%s: golden %u", folder, i);
		cr_expect_eq(f.size, p->outputs[i].bytes, "%s: size of output %u", folder, i);
		cr_expect(memcmp(f.data, p->outputs[i].host, f.size) == 0, "%s/%s: run %u, output %u differs",
			  folder, model, run, i);
		file_free(&f);
	}
}

/* What ExecuTorch or Vela made. */
static const char *model_of(const char *folder)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/model.pte", folder);
	return access(path, R_OK) == 0 ? "model.pte" : "model_vela.tflite";
}

static void run_model(const char *folder, const char *model, const struct npu_config *config, unsigned runs)
{
	char path[800], why[320];
	struct file_bytes f;

	snprintf(path, sizeof(path), "%s/%s", folder, model);
	cr_assert(file_read(path, &f, why, sizeof(why)), "%s", why);
	for (unsigned run = 0; run < runs; run++) {
		struct npu_program *p = npu_program_load(f.data, f.size, why, sizeof(why));
		cr_assert(p != NULL, "%s: %s", path, why);
		cr_assert(npu_program_fits(p, config, why, sizeof(why)), "%s: %s", path, why);
		struct npu_options o = { .config = config, .memory = npu_program_memory(p) };
		struct npu *n = npu_new(&o);
		set_inputs(p, folder, run);
		cr_expect(npu_program_run(p, n), "%s: %s", path, npu_result(n)->message);
		cr_expect_gt(npu_result(n)->total_cycles, 0u);
		compare_outputs(p, folder, model, run);
		npu_free(n);
		npu_program_free(p);
	}
	file_free(&f);
}

Test(npu_samples, networks_equal_the_reference_kernels)
{
	DIR *d = opendir(TEST_DATA);
	unsigned count = 0;

	cr_assert(d != NULL, TEST_DATA);
	for (struct dirent *e; (e = readdir(d)); ) {
		char folder[512];
		if (!strstr(e->d_name, "_ethos-"))
			continue;
		snprintf(folder, sizeof(folder), "%s/%.200s", TEST_DATA, e->d_name);
		run_model(folder, model_of(folder), accelerator_of(folder), RUNS);
		count++;
	}
	closedir(d);
	cr_expect_geq(count, 40u);
}

/* Every model in a folder is the same network, compiled for ACCELERATOR_NUMBER.tflite with other options. */
static unsigned run_variants(const char *folder)
{
	DIR *d = opendir(folder);
	unsigned count = 0;

	cr_assert(d != NULL, "%s", folder);
	for (struct dirent *e; (e = readdir(d)); ) {
		char name[64];
		if (!strstr(e->d_name, ".tflite"))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(e->d_name, "_"), e->d_name);
		run_model(folder, e->d_name, npu_config_find(name), 1);
		count++;
	}
	closedir(d);
	return count;
}

Test(npu_samples, options_of_the_compiler_do_not_change_a_result)
{
	DIR *d = opendir(TEST_OPTIONS);
	unsigned count = 0;

	cr_assert(d != NULL, TEST_OPTIONS);
	for (struct dirent *e; (e = readdir(d)); ) {
		char folder[512];
		if (e->d_name[0] == '.' || strcmp(e->d_name, "README.md") == 0)
			continue;
		snprintf(folder, sizeof(folder), "%s/%.200s", TEST_OPTIONS, e->d_name);
		count += run_variants(folder);
	}
	closedir(d);
	cr_expect_geq(count, 20u);
}

Test(npu_samples, model_for_another_accelerator_is_refused)
{
	char why[320];
	struct file_bytes f;

	cr_assert(file_read(TEST_DATA "/conv_stride_101_ethos-u55-256/model_vela.tflite", &f, why, sizeof(why)),
		  "%s", why);
	struct npu_program *p = npu_program_load(f.data, f.size, why, sizeof(why));
	cr_assert(p != NULL);
	const struct npu_config *other = npu_config_find("ethos-u85-256");
	cr_expect(!npu_program_fits(p, other, why, sizeof(why)));
	cr_expect(strstr(why, "expected ethos-u85-256") != NULL, "%s", why);
	cr_expect(strstr(why, "vela --accelerator-config ethos-u85-256") != NULL, "%s", why);
	npu_program_free(p);
	file_free(&f);
}
