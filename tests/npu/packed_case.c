/* SPDX-License-Identifier: Apache-2.0 */
/* The ustar format (POSIX.1-1988): a header of 512 bytes with name and size in octal digits, then the bytes in
 * blocks of 512. */
#include "tests/npu/packed_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, NAME_SIZE = 100, SIZE_AT = 124, SIZE_DIGITS = 11 };

bool packed_case_read(struct packed_case *c, const char *path)
{
	FILE *f = fopen(path, "rb");
	long size = 0;

	*c = (struct packed_case){ 0 };
	if (!f)
		return false;
	if (fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	rewind(f);
	c->bytes = size > 0 ? malloc((size_t)size) : NULL;
	if (c->bytes)
		c->size = fread(c->bytes, 1, (size_t)size, f);
	fclose(f);
	return c->bytes && c->size == (u64)size;
}

void packed_case_free(struct packed_case *c)
{
	free(c->bytes);
	*c = (struct packed_case){ 0 };
}

/* The file whose header stands at `at`, and where the next one stands. */
static bool file_at(const struct packed_case *c, u64 at, struct packed_file *out, u64 *next)
{
	char digits[SIZE_DIGITS + 1] = "";

	if (at + BLOCK > c->size || !c->bytes[at])
		return false;
	memcpy(out->name, c->bytes + at, NAME_SIZE);
	out->name[NAME_SIZE] = 0;
	memcpy(digits, c->bytes + at + SIZE_AT, SIZE_DIGITS);
	out->size = strtoull(digits, NULL, 8);
	out->data = c->bytes + at + BLOCK;
	*next = at + BLOCK + (out->size + BLOCK - 1) / BLOCK * BLOCK;
	return *next <= c->size;
}

bool packed_case_at(const struct packed_case *c, unsigned index, struct packed_file *out)
{
	u64 at = 0;

	for (unsigned i = 0; file_at(c, at, out, &at); i++)
		if (i == index)
			return true;
	return false;
}

bool packed_case_find(const struct packed_case *c, const char *name, struct packed_file *out)
{
	u64 at = 0;

	while (file_at(c, at, out, &at))
		if (strcmp(out->name, name) == 0)
			return true;
	return false;
}
