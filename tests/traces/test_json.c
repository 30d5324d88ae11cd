/* SPDX-License-Identifier: Apache-2.0 */
/* What the JSON writer makes of strings: RFC 8259, and of UTF-8 RFC 3629. */
#include "traces/json.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that holds `value` under the key "s". */
static void written(const char *value, char *text, size_t size)
{
	char path[] = "json-XXXXXX", why[256];
	struct json j;

	close(mkstemp(path));
	cr_assert(json_begin(&j, path, why, sizeof why), "%s", why);
	json_string(&j, "s", value);
	cr_assert(json_end(&j, why, sizeof why), "%s", why);

	FILE *file = fopen(path, "r");

	text[fread(text, 1, size - 1, file)] = 0;
	fclose(file);
	unlink(path);
}

Test(json, strings_are_json_whatever_their_bytes)
{
	static const struct { const char *value, *text; } cases[] = {
		{ "", "" },
		{ "a \"b\" \\ \t", "a \\\"b\\\" \\\\ \\u0009" },
		{ "\x7f \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\x7f \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "caf\xe9", "caf\\ufffd" },                        /* Latin-1 */
		{ "\xe9t\xe9", "\\ufffdt\\ufffd" },
		{ "\xc0\xaf", "\\ufffd\\ufffd" },                  /* longer than need be */
		{ "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" },      /* a surrogate */
		{ "\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd" }, /* above U+10FFFF */
		{ "\xe2\x82", "\\ufffd\\ufffd" },                  /* cut */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[256], wanted[256];

		written(cases[i].value, text, sizeof text);
		snprintf(wanted, sizeof wanted, "{\n  \"s\": \"%s\"\n}\n", cases[i].text);
		cr_expect(eq(str, text, wanted), "case %zu", i);
	}
}
