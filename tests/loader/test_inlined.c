/* SPDX-License-Identifier: Apache-2.0 */
/* test_inlined ELF...: programs of inlined_caller.c and inlined_callee.c. At the label `here` both functions are inlined. */
#include "loader/image.h"

#include <stdio.h>
#include <string.h>

static bool is_right(const char *path)
{
	const char *names[4] = { "", "" };
	char why[256] = "the names differ";
	struct image image;
	unsigned count = 0;
	u32 here;

	if (image_open(&image, path, why, sizeof why) == IMAGE_OK && image_symbol(&image, "here", &here))
		count = image_inlined_at(&image, here, names, ARRAY_LEN(names));
	const bool right = count == 2 && !strcmp(names[0], "callee") && !strcmp(names[1], "between");

	if (!right)
		printf("%s: %s: %u, %s in %s\n", path, why, count, names[0], names[1]);
	image_close(&image);
	return right;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;

	for (int i = 1; i < argc; i++)
		failed |= !is_right(argv[i]);
	return failed;
}
