/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of operations by the public interface: of a network, and of the same network in a whole machine. */
#include <fvpsim.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *contents(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	void *bytes = malloc(1 << 16);

	cr_assert(ne(ptr, f, NULL), "%s", path);
	*size = fread(bytes, 1, 1 << 16, f);
	fclose(f);
	return bytes;
}

static struct fvpsim_network *classifier(void)
{
	struct fvpsim_error error;
	size_t size;
	void *model = contents(MODELS "/classifier_ethos-u55-128.tflite", &size);
	struct fvpsim_network *n = fvpsim_network_new("ethos-u55-128", model, size, NULL, &error);
	struct fvpsim_tensor input = { .size = sizeof input };
	void *image = contents(MODELS "/classifier_input.bin", &size);

	cr_assert(ne(ptr, n, NULL), "%s", error.text);
	cr_assert(eq(int, fvpsim_network_input(n, 0, &input, &error), FVPSIM_OK));
	cr_assert(eq(sz, size, input.bytes));
	memcpy(input.data, image, size);
	free(image);
	free(model);
	return n;
}

/* The tensor of that name; bytes 0: there is none. */
static struct fvpsim_tensor tensor_of(struct fvpsim_network *n, unsigned i, const char *name)
{
	struct fvpsim_tensor t = { .size = sizeof t };

	for (unsigned k = 0; k < fvpsim_network_operation_tensors(n, i); k++) {
		cr_assert(eq(int, fvpsim_network_operation_tensor(n, i, k, &t, NULL), FVPSIM_OK));
		if (!strcmp(t.name, name))
			return t;
	}
	return (struct fvpsim_tensor){ .size = sizeof t };
}

static bool same(const struct fvpsim_tensor *a, const struct fvpsim_tensor *b)
{
	return a->bytes == b->bytes && !memcmp(a->data, b->data, a->bytes);
}

Test(tensors, follow_the_data_through_a_network)
{
	struct fvpsim_network *n = classifier();
	struct fvpsim_tensor before = { .size = sizeof before }, output = { .size = sizeof output };
	unsigned with = 0;
	void *image = contents(MODELS "/classifier_input.bin", &before.bytes);

	before.data = image; /* the network's own memory for it is used again on the way */
	fvpsim_network_keep_tensors(n, true);
	cr_assert(eq(int, fvpsim_network_run(n, NULL), FVPSIM_OK));
	for (unsigned i = 0; i < fvpsim_network_operations(n); i++) {
		struct fvpsim_operation op = { .size = sizeof op };
		struct fvpsim_tensor ifm = tensor_of(n, i, "ifm"), ofm = tensor_of(n, i, "ofm"), weights = tensor_of(n, i, "weights");

		fvpsim_network_operation(n, i, &op, NULL);
		cr_expect(eq(int, ofm.bytes == 0, !strcmp(op.kind, "dma")), "%s", op.kind);
		if (!ofm.bytes)
			continue;
		with++;
		cr_expect(eq(int, memcmp(&ofm.shape[1], op.ofm, sizeof op.ofm), 0));
		cr_expect(eq(int, ofm.type, FVPSIM_INT8));
		cr_expect(eq(int, weights.bytes != 0, !strcmp(op.kind, "conv") || !strcmp(op.kind, "depthwise")));
		if (weights.bytes)
			cr_expect(eq(u32, weights.shape[0], op.ofm[2]));
		if (strcmp(op.kind, "add") != 0)
			cr_expect(same(&ifm, &before), "operation %u reads what the one before it wrote", i);
		before = ofm;
	}
	cr_expect(eq(u32, with, 6));
	cr_assert(eq(int, fvpsim_network_output(n, 0, &output, NULL), FVPSIM_OK));
	cr_expect(same(&before, &output));
	free(image);
	fvpsim_network_free(n);
}

Test(tensors, are_kept_only_where_asked_for)
{
	struct fvpsim_network *n = classifier();
	struct fvpsim_tensor t = { .size = sizeof t };
	struct fvpsim_error error;

	for (int keep = 0; keep < 4; keep++) {
		fvpsim_network_keep_tensors(n, keep & 1);
		cr_assert(eq(int, fvpsim_network_run(n, NULL), FVPSIM_OK));
		cr_expect(eq(u32, fvpsim_network_operation_tensors(n, 1), keep & 1 ? 3 : 0));
	}
	cr_expect(eq(u32, fvpsim_network_operation_tensors(n, 1000), 0));
	cr_expect(eq(int, fvpsim_network_operation_tensor(n, 1, 3, &t, &error), FVPSIM_USAGE));
	cr_expect(ne(ptr, strstr(error.text, "operation 1 has no tensor 3"), NULL), "%s", error.text);
	fvpsim_network_free(n);
}

Test(tensors, a_network_that_is_stopped_runs_again)
{
	struct fvpsim_network *n = classifier();
	struct fvpsim_error error;
	uint64_t cycles;

	cr_assert(eq(int, fvpsim_network_run(n, &error), FVPSIM_OK), "%s", error.text);
	cycles = fvpsim_network_cycles(n);
	fvpsim_network_stop(n);
	cr_expect(eq(int, fvpsim_network_run(n, &error), FVPSIM_STOPPED));
	cr_expect(eq(str, error.text, "the run was stopped"));
	cr_expect(eq(u32, fvpsim_network_operations(n), 0));
	cr_expect(eq(int, fvpsim_network_run(n, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(u64, fvpsim_network_cycles(n), cycles));
	fvpsim_network_stop(n);
	fvpsim_network_forget_stop(n);
	cr_expect(eq(int, fvpsim_network_run(n, &error), FVPSIM_OK), "%s", error.text);
	fvpsim_network_free(n);
}

#ifdef RUNNER
/* Sums of what a machine's operations read and wrote, in order. */
struct heard { unsigned tensors, operations; uint64_t sum; };

static uint64_t mix(uint64_t sum, const struct fvpsim_tensor *t)
{
	for (size_t i = 0; i < t->bytes; i++)
		sum = (sum ^ ((const uint8_t *)t->data)[i]) * UINT64_C(0x100000001b3);
	return sum;
}

static void tensor(void *ctx, const struct fvpsim_tensor *t)
{
	struct heard *h = ctx;

	cr_assert(ne(ptr, t->data, NULL));
	h->tensors++;
	h->sum = mix(h->sum, t);
}

static void operation(void *ctx, const struct fvpsim_operation *op)
{
	(void)op;
	((struct heard *)ctx)->operations++;
}

Test(tensors, of_a_machine_are_those_of_the_network)
{
	struct heard h = { 0 };
	const struct fvpsim_callbacks callbacks = { .size = sizeof callbacks, .ctx = &h, .operation = operation, .tensor = tensor };
	struct fvpsim_error error;
	struct fvpsim_config *c = fvpsim_config_new("corstone-300", &error);
	struct fvpsim_machine *m;
	struct fvpsim_network *n = classifier();
	unsigned tensors = 0;
	uint64_t sum = 0;
	int stop;

	cr_assert(eq(int, fvpsim_config_set(c, "npu", "ethos-u55-128", &error), FVPSIM_OK), "%s", error.text);
	m = fvpsim_machine_new(c, &error);
	fvpsim_config_free(c);
	cr_assert(eq(int, fvpsim_set_callbacks(m, &callbacks, &error), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_load(m, RUNNER, &error), FVPSIM_OK), "%s", error.text);
	cr_assert(eq(int, fvpsim_run(m, NULL, &stop, &error), FVPSIM_OK), "%s", error.text);
	fvpsim_machine_free(m);

	fvpsim_network_keep_tensors(n, true);
	cr_assert(eq(int, fvpsim_network_run(n, NULL), FVPSIM_OK));
	for (unsigned i = 0; i < fvpsim_network_operations(n); i++)
		for (unsigned k = 0; k < fvpsim_network_operation_tensors(n, i); k++, tensors++) {
			struct fvpsim_tensor t = { .size = sizeof t };

			fvpsim_network_operation_tensor(n, i, k, &t, NULL);
			sum = mix(sum, &t);
		}
	cr_expect(eq(u32, h.operations, fvpsim_network_operations(n)));
	cr_expect(eq(u32, h.tensors, tensors));
	cr_expect(eq(u64, h.sum, sum));
	fvpsim_network_free(n);
}
#endif
