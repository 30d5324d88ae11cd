/* SPDX-License-Identifier: Apache-2.0 */
/* docs/reference/exit-codes.md has exactly the rows of sim/exit.def and names every reason of sim/stop.def. */
#include "sim/stop.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; int status; const char *meaning, *advice; } rows[] = {
#define E(name, status, meaning, advice) { #name, status, meaning, advice },
#include "sim/exit.def"
#undef E
};

static char text[16384];

static void read_document(void)
{
	FILE *f = fopen(getenv("EXIT_CODES"), "r");

	cr_assert(f != NULL, "EXIT_CODES must name docs/reference/exit-codes.md");
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	fclose(f);
}

Test(exit_codes, document_has_the_table, .init = read_document)
{
	unsigned lines = 0;

	for (const char *p = text; (p = strstr(p, "\n| ")); p++)
		lines++;
	cr_expect(eq(int, (int)lines, 1 + (int)ARRAY_LEN(rows)), "a header and one row per status");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char row[512];

		snprintf(row, sizeof row, "| %d | %s | %s | %s |\n", rows[i].status, rows[i].name, rows[i].meaning,
			 rows[i].advice);
		cr_expect(strstr(text, row) != NULL, "missing: %s", row);
	}
}

Test(exit_codes, document_names_every_reason, .init = read_document)
{
	for (unsigned r = STOP_NONE + 1; r < STOP_REASONS; r++) {
		char name[32];

		snprintf(name, sizeof name, "`%s`", stop_name((enum stop_reason)r));
		cr_expect(strstr(text, name) != NULL, "missing: %s", name);
	}
}

Test(exit_codes, statuses_are_distinct_and_of_the_table)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t k = 0; k < i; k++)
			cr_expect(ne(int, rows[i].status, rows[k].status));
	for (unsigned r = STOP_NONE; r < STOP_REASONS; r++) {
		const int status = stop_status((enum stop_reason)r, false, 5);
		bool known = status == 0 || status == 5;

		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			known |= rows[i].status == status;
		cr_expect(known, "%s", stop_name((enum stop_reason)r));
	}
	cr_expect(eq(int, stop_status(STOP_EXIT, true, 0x1ff), 0xff), "low 8 bits of the program's own");
	cr_expect(eq(int, stop_status(STOP_TIME_LIMIT, true, 0), 0), "limits of the FVPs end with 0");
}
