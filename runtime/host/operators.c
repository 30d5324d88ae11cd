/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the operators that a program or bundle needs kernels for, one per line: those of all its methods, without the
 * runtime's own (executor/prim.def). A network of Vela's needs none: it is only read as the image will read it.
 * Usage: pte-operators FILE */
#include "runtime/core/format.h"
#include "runtime/executor/prim.h"
#include "runtime/model/network.h"
#include "runtime/program/program.h"
#include "runtime/program/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_BAD_INPUT = 65, STATUS_NO_INPUT = 66 };
enum { BUNDLE_PROGRAM = 2 };
enum { ALIGNMENT = 128, NAME_BYTES = 256 };

static int give_up(const char *file, const char *why, int status)
{
	fprintf(stderr, "pte-operators: %s: %s\n", file, why);
	return status;
}

static void *read_file(const char *name, size_t *bytes)
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
	*bytes = (size_t)size;
	return data;
}

static void print_operators(struct program *p, struct flat_table plan)
{
	const struct flat_vector list = flat_vector(&p->flat, plan, PLAN_OPERATORS, 4);

	for (uint32_t i = 0; i < list.count; i++) {
		const struct flat_table t = flat_table_element(&p->flat, list, i);
		char name[NAME_BYTES];
		uint32_t bytes;
		const char *overload = flat_string(&p->flat, t, OPERATOR_OVERLOAD, &bytes);

		format_text(name, sizeof name, "%s%s%s", flat_string(&p->flat, t, OPERATOR_NAME, &bytes), *overload ? "." : "",
			    overload);
		if (!prim_find(name))
			puts(name);
	}
}

static int check_network(const char *file, const uint8_t *data, size_t bytes)
{
	struct network n;
	char why[256];

	return network_open(&n, data, bytes, why, sizeof why) ? 0 : give_up(file, why, STATUS_BAD_INPUT);
}

static int print_program(const char *file, const uint8_t *data, size_t bytes)
{
	struct flat_vector plans;
	struct program p;
	char why[256];

	if (!program_open(&p, data, bytes, why, sizeof why))
		return give_up(file, why, STATUS_BAD_INPUT);
	plans = flat_vector(&p.flat, p.root, PROGRAM_PLANS, 4);
	for (uint32_t i = 0; i < plans.count; i++)
		print_operators(&p, flat_table_element(&p.flat, plans, i));
	return p.flat.bad ? give_up(file, "the program is damaged", STATUS_BAD_INPUT) : 0;
}

int main(int argc, char **argv)
{
	struct flat file = { 0 };
	const uint8_t *data;
	size_t bytes;

	if (argc != 2)
		return give_up("usage", "pte-operators FILE", STATUS_BAD_INPUT);
	data = read_file(argv[1], &bytes);
	if (!data)
		return give_up(argv[1], "cannot be read", STATUS_NO_INPUT);
	file = (struct flat){ .bytes = data, .size = (uint32_t)bytes };
	if (flat_has_identifier(&file, "TFL3"))
		return check_network(argv[1], data, bytes);
	if (flat_has_identifier(&file, "BP08")) {
		const struct flat_vector inner = flat_vector(&file, flat_root(&file), BUNDLE_PROGRAM, 1);

		data += inner.at;
		bytes = inner.count;
	}
	return print_program(argv[1], data, bytes);
}
