/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and bundles for the embedded runtime: loaded and run with all kernels, whatever the bytes are. Data files: with
 * the program that they belong to. Networks of Vela's: opened, and all that the reader says is there is read. */
#include "runtime/apps/bundle.h"
#include "runtime/model/network.h"
#include "tests/fuzz/fuzz.h"
#include "tests/runtime/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 64, INPUT_BYTES = 1 << 12, TABLE_BYTES = 1 << 16, PLANNED_BYTES = 1 << 14 };

static const char *const seeds[] = {
	RUNTIME_DATA "/choose.pte", RUNTIME_DATA "/branch.pte", RUNTIME_DATA "/methods.pte", RUNTIME_DATA "/count.pte",
	RUNTIME_DATA "/scale.pte", RUNTIME_DATA "/dynamic.pte", RUNTIME_DATA "/rows.pte", RUNTIME_DATA "/right.bpte", RUNTIME_DATA "/sized.bpte",
	RUNTIME_DATA "/../../golden/data/pte_cpu.pte", RUNTIME_DATA "/../../golden/data/pte_npu.pte",
	RUNTIME_DATA "/../../golden/data/pte_u85.pte",
	RUNTIME_DATA "/outside.pte", RUNTIME_DATA "/outside.ptd",
	RUNTIME_DATA "/../../../runtime/models/classifier_ethos-u55-128.tflite",
};

static void set_inputs(struct method *m)
{
	static const uint8_t data[INPUT_BYTES] __attribute__((aligned(16))) = { 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40 };

	for (uint32_t i = 0; i < m->input_count; i++) {
		const struct value *v = m->inputs[i];
		const size_t bytes = v->kind == VALUE_TENSOR ? tensor_bytes(v->as.tensor) : v->kind == VALUE_BOOL ? 1 : 8;

		if (bytes <= sizeof data)
			method_set_input(m, i, data, bytes);
	}
}

static void run_bundle(const u8 *data, size_t size)
{
	uint8_t *copy = aligned_alloc(16, (size + 16) & ~(size_t)15);
	struct bundle_errors errors;
	struct host_program h;
	struct bundle b;
	struct span program;
	char why[256];

	memcpy(copy, data, size);
	if (bundle_open(&b, copy, size, &program, why, sizeof why)) {
		if (host_load_in(&h, program.data, program.bytes, NULL, TABLE_BYTES, PLANNED_BYTES)) {
			h.method.step_limit = MAX_STEPS;
			if (bundle_set_inputs(&b, &h.method, 0, why, sizeof why) && method_run(&h.method))
				bundle_compare(&b, &h.method, 0.01, 0.01, &errors, why, sizeof why);
		}
		host_close(&h);
	}
	free(copy);
}

static void run_data(const u8 *data, size_t size)
{
	static u8 program[1 << 12];
	static size_t bytes;
	struct host_program h;
	FILE *f = bytes ? NULL : fopen(RUNTIME_DATA "/outside.pte", "rb");

	if (f) {
		bytes = fread(program, 1, sizeof program, f);
		fclose(f);
	}
	if (host_load_data(&h, program, bytes, (struct span){ data, size })) {
		set_inputs(&h.method);
		method_run(&h.method);
	}
	host_close(&h);
}

static void touch(const void *data, size_t bytes)
{
	const volatile uint8_t *at = data;

	for (size_t i = 0; i < bytes; i++)
		(void)at[i];
}

static void check_inside(const struct network *n, const struct network_tensor *t)
{
	if (!t->bytes || !t->element_bytes || t->bytes > n->arena_bytes || t->offset > n->arena_bytes - t->bytes)
		abort();
}

static void open_network(const u8 *data, size_t size)
{
	uint8_t *copy = aligned_alloc(NETWORK_ALIGNMENT, (size + NETWORK_ALIGNMENT) & ~(size_t)(NETWORK_ALIGNMENT - 1));
	struct network n;
	char why[256];

	memcpy(copy, data, size);
	if (network_open(&n, copy, size, why, sizeof why)) {
		touch(n.payload, n.payload_bytes);
		touch(n.constants, n.constant_bytes);
		for (unsigned i = 0; i < n.inputs; i++) {
			check_inside(&n, &n.input[i]);
			touch(n.input[i].name, strlen(n.input[i].name));
		}
		for (unsigned i = 0; i < n.outputs; i++)
			check_inside(&n, &n.output[i]);
	}
	free(copy);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct host_program h;

	if (bundle_is(data, size)) {
		run_bundle(data, size);
		return 0;
	}
	if (size >= 8 && !memcmp(data + 4, "FT01", 4)) {
		run_data(data, size);
		return 0;
	}
	if (size >= 8 && !memcmp(data + 4, "TFL3", 4)) {
		open_network(data, size);
		return 0;
	}
	if (host_load_in(&h, data, size, NULL, TABLE_BYTES, PLANNED_BYTES)) {
		h.method.step_limit = MAX_STEPS;
		set_inputs(&h.method);
		method_run(&h.method);
	}
	host_close(&h);
	return 0;
}

size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	FILE *f = index < ARRAY_LEN(seeds) ? fopen(seeds[index], "rb") : NULL;
	size_t n = f ? fread(out, 1, FUZZ_MAX_BYTES, f) : 0;

	if (f)
		fclose(f);
	return n;
}
