/* SPDX-License-Identifier: Apache-2.0 */
/* Says whether a model can run in an image; runtime/make-runner asks before it makes one. Prints the operators that a method
 * of a program or bundle needs kernels for, one per line, without the runtime's own (executor/prim.def); a network of Vela's
 * needs none. Usage: check-model FILE ACCELERATOR METHOD DATA INPUT; METHOD: "" for forward, else the first; DATA: a .ptd file
 * or ""; INPUT: the file of all inputs or "" */
#include "runtime/apps/bundle.h"
#include "runtime/apps/inputs.h"
#include "runtime/core/format.h"
#include "runtime/executor/prim.h"
#include "runtime/host/check_method.h"
#include "runtime/model/network.h"
#include "runtime/program/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_USAGE = 64, STATUS_BAD_INPUT = 65, STATUS_NO_INPUT = 66 };
enum { ALIGNMENT = 128, WHY_BYTES = 4096, ARGUMENTS = 6 };

static char why[WHY_BYTES];

static int give_up(const char *file, const char *text, int status)
{
	fprintf(stderr, "check-model: %s: %s\n", file, text);
	return status;
}

static struct span read_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	uint8_t *data = NULL;
	long size = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;

	if (size >= 0 && !fseek(f, 0, SEEK_SET))
		data = aligned_alloc(ALIGNMENT, ((size_t)size + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
	if (data && fread(data, 1, (size_t)size, f) != (size_t)size) {
		free(data);
		data = NULL;
	}
	if (f)
		fclose(f);
	return (struct span){ data, data ? (size_t)size : 0 };
}

static void print_operators(struct program *p, const char *method)
{
	const struct flat_vector list = flat_vector(&p->flat, program_method(p, method), PLAN_OPERATORS, 4);

	for (uint32_t i = 0; i < list.count; i++) {
		char name[OPERATOR_BYTES];

		operator_name(p, list, i, name);
		if (!prim_find(name))
			puts(name);
	}
}

/* What is asked: can this model run, with these files beside it (no data: there is none), on that accelerator? */
struct question {
	const char *name, *method; /* of the model's file; NULL: forward, else the first */
	struct span model, data, input;
	struct accelerator accelerator;
};

static bool network_fits(const struct network *n, uint64_t given)
{
	uint64_t wanted = 0;

	for (unsigned i = 0; i < n->inputs; i++)
		wanted += n->input[i].bytes;
	return !given || inputs_fit(given, wanted, why, sizeof why);
}

static int check_network(const struct question *q)
{
	struct network n;

	return network_open(&n, q->model.data, q->model.bytes, why, sizeof why) &&
	       accelerator_runs(&q->accelerator, n.payload, n.payload_bytes, why, sizeof why) && network_fits(&n, q->input.bytes) ?
	       0 : give_up(q->name, why, STATUS_BAD_INPUT);
}

/* Images run the first test of their method. */
static bool has_test(struct bundle *b, struct program *p, const char *method)
{
	uint32_t bytes;
	const char *name = flat_string(&p->flat, program_method(p, method), PLAN_NAME, &bytes);

	if (bundle_tests(b, name))
		return true;
	format_text(why, sizeof why, "method %.64s: the bundle has no test for it", name);
	return false;
}

static int check_program(const struct question *q)
{
	struct span program = q->model;
	const bool is_bundle = bundle_is(program.data, program.bytes);
	struct data_file outside;
	struct program p;
	struct bundle b;

	if ((is_bundle && !bundle_open(&b, program.data, program.bytes, &program, why, sizeof why)) ||
	    !program_open(&p, program.data, program.bytes, why, sizeof why))
		return give_up(q->name, why, STATUS_BAD_INPUT);
	if (q->data.data && !data_file_open(&outside, q->data.data, q->data.bytes, why, sizeof why))
		return give_up("--data", why, STATUS_BAD_INPUT);
	p.data = q->data.data ? &outside : NULL;
	if (!check_method(&p, q->method, &q->accelerator, q->input.bytes, why, sizeof why) || (is_bundle && !has_test(&b, &p, q->method)))
		return give_up(q->name, why, STATUS_BAD_INPUT);
	print_operators(&p, q->method);
	return 0;
}

static int check(const struct question *q)
{
	const struct flat flat = { .bytes = q->model.data, .size = (uint32_t)q->model.bytes };

	return flat_has_identifier(&flat, "TFL3") ? check_network(q) : check_program(q);
}

static int take(const char *name, struct span *file)
{
	*file = read_file(name);
	return file->data ? 0 : give_up(name, "cannot be read", STATUS_NO_INPUT);
}

int main(int argc, char **argv)
{
	struct question q = { 0 };
	int status;

	if (argc != ARGUMENTS || !accelerator_named(argv[2], &q.accelerator))
		return give_up("usage", "check-model FILE ACCELERATOR METHOD DATA INPUT", STATUS_USAGE);
	q.name = argv[1];
	q.method = *argv[3] ? argv[3] : NULL;
	status = take(argv[1], &q.model);
	status = status || !*argv[4] ? status : take(argv[4], &q.data);
	status = status || !*argv[5] ? status : take(argv[5], &q.input);
	status = status ? status : check(&q);
	free((void *)q.model.data);
	free((void *)q.data.data);
	free((void *)q.input.data);
	return status;
}
