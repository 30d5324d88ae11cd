/* SPDX-License-Identifier: Apache-2.0 */
/* Says whether a model can run in an image; runtime/make-runner asks before it makes one. Prints the operators that a method
 * of a program or bundle needs kernels for, one per line, without the runtime's own (executor/prim.def); a network of Vela's
 * needs none. Usage: check-model FILE ACCELERATOR [METHOD [DATA]]; METHOD "": forward, else the first; DATA: a .ptd file */
#include "runtime/apps/bundle.h"
#include "runtime/core/format.h"
#include "runtime/executor/prim.h"
#include "runtime/host/check_method.h"
#include "runtime/model/network.h"
#include "runtime/program/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_USAGE = 64, STATUS_BAD_INPUT = 65, STATUS_NO_INPUT = 66 };
enum { ALIGNMENT = 128, WHY_BYTES = 4096 };

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

static int check_network(const char *file, struct span data, const struct accelerator *a)
{
	struct network n;

	return network_open(&n, data.data, data.bytes, why, sizeof why) &&
	       accelerator_runs(a, n.payload, n.payload_bytes, why, sizeof why) ? 0 : give_up(file, why, STATUS_BAD_INPUT);
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

static int check_program(const char *file, struct span program, const struct accelerator *a, const char *method, struct span data)
{
	const bool is_bundle = bundle_is(program.data, program.bytes);
	struct data_file outside;
	struct program p;
	struct bundle b;

	if ((is_bundle && !bundle_open(&b, program.data, program.bytes, &program, why, sizeof why)) ||
	    !program_open(&p, program.data, program.bytes, why, sizeof why))
		return give_up(file, why, STATUS_BAD_INPUT);
	if (data.data && !data_file_open(&outside, data.data, data.bytes, why, sizeof why))
		return give_up("--data", why, STATUS_BAD_INPUT);
	p.data = data.data ? &outside : NULL;
	if (!check_method(&p, method, a, why, sizeof why) || (is_bundle && !has_test(&b, &p, method)))
		return give_up(file, why, STATUS_BAD_INPUT);
	print_operators(&p, method);
	return 0;
}

int main(int argc, char **argv)
{
	const char *method = argc > 3 && *argv[3] ? argv[3] : NULL;
	struct span file = { 0 }, data = { 0 };
	struct accelerator a;
	struct flat flat;
	int status;

	if (argc < 3 || argc > 5 || !accelerator_named(argv[2], &a))
		return give_up("usage", "check-model FILE ACCELERATOR [METHOD [DATA]]", STATUS_USAGE);
	file = read_file(argv[1]);
	if (argc > 4)
		data = read_file(argv[4]);
	flat = (struct flat){ .bytes = file.data, .size = (uint32_t)file.bytes };
	if (!file.data || (argc > 4 && !data.data))
		status = give_up(argv[file.data ? 4 : 1], "cannot be read", STATUS_NO_INPUT);
	else if (flat_has_identifier(&flat, "TFL3"))
		status = check_network(argv[1], file, &a);
	else
		status = check_program(argv[1], file, &a, method, data);
	free((void *)file.data);
	free((void *)data.data);
	return status;
}
