/* SPDX-License-Identifier: Apache-2.0 */
#include "loader/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory/pages.h"

enum { SLACK = 16 };

static bool fail(char *why, size_t why_size, const char *path, const char *cause)
{
	snprintf(why, why_size, "%s: %s", path, cause);
	return false;
}

/* `expected` bytes, or as many as come. */
static bool read_all(FILE *f, u64 expected, struct file_bytes *out)
{
	u64 room = 0;

	for (;;) {
		if (out->size == room) {
			room = room ? 2 * room : expected + 1; /* + 1: to see the end */
			u8 *grown = realloc(out->data, room + SLACK);

			if (!grown)
				return false;
			out->data = grown;
			pages_advise(grown + out->size, room - out->size);
		}
		const size_t n = fread(out->data + out->size, 1, room - out->size, f);

		if (!n)
			break;
		out->size += n;
	}
	memset(out->data + out->size, 0, SLACK);
	return !ferror(f);
}

bool file_read(const char *path, struct file_bytes *out, char *why, size_t why_size)
{
	struct stat st;
	FILE *f = fopen(path, "rb");

	*out = (struct file_bytes){ NULL, 0 };
	if (!f)
		return fail(why, why_size, path, strerror(errno));
	if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(f);
		return fail(why, why_size, path, "is a directory");
	}
	const bool regular = fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode);
	const bool ok = read_all(f, regular ? (u64)st.st_size : 1 << 16, out);

	fclose(f);
	if (!ok) {
		file_free(out);
		return fail(why, why_size, path, "cannot be read");
	}
	return true;
}

void file_free(struct file_bytes *f)
{
	free(f->data);
	*f = (struct file_bytes){ NULL, 0 };
}

bool file_write(const char *path, const void *data, u64 size, char *why, size_t why_size)
{
	FILE *f = fopen(path, "wb");
	bool ok;

	if (!f)
		return fail(why, why_size, path, strerror(errno));
	ok = fwrite(data, 1, size, f) == size;
	ok = fclose(f) == 0 && ok;
	return ok ? true : fail(why, why_size, path, "cannot be written");
}
