/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the operators that a program or bundle needs kernels for, one per line: those of all its methods, without the
 * runtime's own (executor/prim.def). Usage: pte-operators FILE */
#include "runtime/core/format.h"
#include "runtime/executor/prim.h"
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

int main(int argc, char **argv)
{
	struct flat bundle = { 0 };
	struct flat_vector plans, inner;
	struct program p;
	const uint8_t *data;
	size_t bytes;
	char why[256];

	if (argc != 2)
		return give_up("usage", "pte-operators FILE", STATUS_BAD_INPUT);
	data = read_file(argv[1], &bytes);
	if (!data)
		return give_up(argv[1], "cannot be read", STATUS_NO_INPUT);
	bundle = (struct flat){ .bytes = data, .size = (uint32_t)bytes };
	if (flat_has_identifier(&bundle, "BP08")) {
		inner = flat_vector(&bundle, flat_root(&bundle), BUNDLE_PROGRAM, 1);
		data += inner.at;
		bytes = inner.count;
	}
	if (!program_open(&p, data, bytes, why, sizeof why))
		return give_up(argv[1], why, STATUS_BAD_INPUT);
	plans = flat_vector(&p.flat, p.root, PROGRAM_PLANS, 4);
	for (uint32_t i = 0; i < plans.count; i++)
		print_operators(&p, flat_table_element(&p.flat, plans, i));
	return p.flat.bad ? give_up(argv[1], "the program is damaged", STATUS_BAD_INPUT) : 0;
}
