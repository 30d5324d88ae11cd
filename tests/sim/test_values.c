/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options: what is refused leaves its target as it was. */
#include "sim/params/values.h"

#include <criterion/criterion.h>
#include <string.h>

Test(values, refused_seconds_change_nothing)
{
	static const char *const refused[] = { "", "x", "1x", "-1", "inf", "nan", "1e999" };
	double seconds = 7;

	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		cr_expect_not(value_seconds(refused[i], &seconds), "%s", refused[i]);
		cr_expect_eq(seconds, 7, "%s", refused[i]);
	}
	cr_expect(value_seconds("0.5", &seconds));
	cr_expect_eq(seconds, 0.5);
}

Test(values, refused_numbers_change_nothing)
{
	static const char *const refused[] = { "", "0x", "1 ", "-1", "12g", "0x1x", "99999999999999999999", "0xfffffffffffffffff" };
	u64 number = 7;
	u32 word = 7, date = 7;

	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		cr_expect_not(value_u64(refused[i], &number), "%s", refused[i]);
		cr_expect_not(value_u32(refused[i], &word), "%s", refused[i]);
		cr_expect_not(value_date(refused[i], &date), "%s", refused[i]);
	}
	cr_expect_not(value_u32("0x100000000", &word));
	cr_expect_not(value_date("2023-02-30", &date));
	cr_expect_eq(number, 7);
	cr_expect_eq(word, 7);
	cr_expect_eq(date, 7);
}

Test(values, refused_files_change_nothing)
{
	static const char *const refused[] = { "file", "file@", "file@x", "@0x10", "file@0x10,1", "file@0x100000000" };
	struct data_file file = { .path = "before", .addr = 7 };

	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		char text[32];

		strcpy(text, refused[i]);
		cr_expect_not(value_data_file(text, false, &file), "%s", refused[i]);
		cr_expect_str_eq(text, refused[i]);
		cr_expect_str_eq(file.path, "before");
		cr_expect_eq(file.addr, 7);
	}
}
