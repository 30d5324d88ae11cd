/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what cut-stencils found as a C table (cpu/stencil/table.h). */
#include <string.h>

#include "cpu/stencil/cut.h"

static char externs[MAX_EXTERNS][64];
static unsigned extern_count;

static unsigned extern_number(const char *symbol)
{
	for (unsigned i = 0; i < extern_count; i++)
		if (strcmp(externs[i], symbol) == 0)
			return i;
	if (extern_count == MAX_EXTERNS)
		fail("too many functions are called");
	strcpy(externs[extern_count], symbol);
	return extern_count++;
}

static void write_holes(FILE *out, const struct cut *x)
{
	static const char *const kinds[] = { "FILL_WORD", "FILL_DISTANCE", "FILL_BYTE", "FILL_SKIP" };

	fprintf(out, "const struct stencil_hole stencil_holes[] = {\n");
	for (unsigned n = 0; n < x->kept_count; n++)
		for (unsigned i = 0; i < x->kept[n]->holes; i++) {
			const struct hole *h = &x->kept[n]->hole[i];
			fprintf(out, "\t{ %u, %s, ", h->at, kinds[h->kind]);
			if (h->symbol[0] == '*')
				fprintf(out, "HOLE_%s", h->symbol[1] == 'h' ? "HOT" : "COLD");
			else if (strncmp(h->symbol, "H_", 2) == 0)
				fprintf(out, "HOLE_%s", h->symbol + 2);
			else
				fprintf(out, "HOLE_EXTERN + %u", extern_number(h->symbol));
			fprintf(out, ", %ld },\n", h->add);
		}
	fprintf(out, "};\n");
}

static void write_stencils(FILE *out, const struct cut *x)
{
	unsigned code = 0, holes = 0;

	fprintf(out, "const struct stencil stencils[] = {\n\t{ 0 },\n");
	for (unsigned n = 0; n < x->kept_count; n++) {
		const struct stencil *s = x->kept[n];
		fprintf(out, "\t{ %u, %u, %u, %u, %u },\n", code, holes, s->hot, s->cold, s->holes);
		code += s->hot + s->cold;
		holes += s->holes;
	}
	/* A string: the compiler reads numbers one by one. */
	fprintf(out, "};\nconst u8 stencil_code[] =\n");
	for (unsigned n = 0; n < x->kept_count; n++) {
		fprintf(out, "\"");
		for (unsigned i = 0; i < x->kept[n]->hot + x->kept[n]->cold; i++)
			fprintf(out, "\\%03o", x->kept[n]->code[i]);
		fprintf(out, "\"\n");
	}
	fprintf(out, ";\n");
	fprintf(stderr, "%u stencils (%u of them different), %u bytes, %u holes; %u left out\n", x->name_count, x->kept_count, code,
		holes, x->left_out);
}

static void write_names(FILE *out, const struct cut *x, bool parts)
{
	for (unsigned i = 0; i < x->name_count; i++) {
		const char *variant = x->names[i].name + strlen("st_"), *op = strstr(variant, "__");
		bool part = strncmp(variant, "part__", 6) == 0;
		if (part && parts)
			fprintf(out, "\t[PART_%s] = %u,\n", op + 2, x->names[i].number);
		else if (!part && !parts)
			fprintf(out, "\t[V_%.*s][OP_%s] = %u,\n", (int)(op - variant), variant, op + 2, x->names[i].number);
	}
}

/* Arrays are aligned as vectors are, wherever sections were. */
static void write_constants(FILE *out, const struct cut *x)
{
	for (unsigned n = 0; n < x->constants_count; n++) {
		const struct constants *k = &x->constants[n];
		fprintf(out, "static const u8 %s[] __attribute__((aligned(64), unused)) = {\n", k->symbol);
		for (unsigned i = 0; i < k->size; i++)
			fprintf(out, "%u,%s", k->bytes[i], i % 32 == 31 ? "\n" : "");
		fprintf(out, "\n};\n");
	}
}

static void write_externs(FILE *out)
{
	for (unsigned i = 0; i < extern_count; i++)
		if (strncmp(externs[i], CONSTANTS, strlen(CONSTANTS)) != 0)
			fprintf(out, "extern const char %s[] __attribute__((visibility(\"hidden\")));\n", externs[i]);
	fprintf(out, "const void *const stencil_externs[] = {\n");
	for (unsigned i = 0; i < extern_count; i++)
		fprintf(out, "\t%s,\n", externs[i]);
	fprintf(out, "};\n");
}

bool write_table(FILE *out, const struct cut *x)
{
	fprintf(out, "/* Made by cut-stencils. */\n#include \"cpu/stencil/table.h\"\n\n");
	write_constants(out, x);
	write_holes(out, x);
	write_externs(out);
	write_stencils(out, x);
	fprintf(out, "const u16 stencil_of[V_COUNT][OP_COUNT] = {\n");
	write_names(out, x, false);
	fprintf(out, "};\nconst u16 stencil_part[PART_COUNT] = {\n");
	write_names(out, x, true);
	fprintf(out, "};\n");
	return !ferror(out);
}
