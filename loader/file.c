/* SPDX-License-Identifier: Apache-2.0 */
#include "loader/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory/pages.h"

enum { SLACK = 16 };

/* More bytes than any memory of a board has; a device like /dev/zero never ends. */
#define MOST (UINT64_C(1) << 31)

static bool fail(char *why, size_t why_size, const char *path, const char *cause)
{
	snprintf(why, why_size, "%s: %s", *path ? path : "''", cause);
	return false;
}

/* Calls of the host are interrupted when a limit has passed (sim/cli/interrupt.h). */
static const char *cause_of(int error)
{
	return error == EINTR ? "nothing came up to the time limit; does anybody write to this pipe?" : strerror(error);
}

/* To be freed by free(). */
static u8 *first_room(u64 bytes)
{
	if (bytes < PAGES_HUGE / 4) {
		u8 *few = malloc(bytes);
		pages_populate(few, bytes);
		return few;
	}
	u8 *p = aligned_alloc(PAGES_HUGE, (bytes + PAGES_HUGE - 1) / PAGES_HUGE * PAGES_HUGE);
	if (p)
		pages_advise(p, (bytes + PAGES_HUGE - 1) / PAGES_HUGE * PAGES_HUGE);
	return p;
}

/* `expected` bytes, or as many as come; NULL, or the cause of failure. */
static const char *read_all(FILE *f, u64 expected, struct file_bytes *out)
{
	u64 room = 0;

	while (out->size <= MOST && expected <= MOST) {
		if (out->size == room) {
			room = room ? 2 * room : expected + 1; /* + 1: to see the end */
			u8 *grown = out->data ? realloc(out->data, room + SLACK) : first_room(room + SLACK);

			if (!grown)
				return "does not fit into the host's memory";
			out->data = grown;
		}
		const size_t n = fread(out->data + out->size, 1, room - out->size, f);

		if (!n) {
			memset(out->data + out->size, 0, SLACK);
			return ferror(f) ? cause_of(errno) : NULL;
		}
		out->size += n;
	}
	return "is larger than 2 GiB";
}

FILE *file_open(const char *path, char *why, size_t why_size)
{
	FILE *f = fopen(path, "rb");
	struct stat st;

	if (f && (fstat(fileno(f), &st) != 0 || !S_ISDIR(st.st_mode)))
		return f;
	fail(why, why_size, path, f ? "is a directory" : cause_of(errno));
	if (f)
		fclose(f);
	return NULL;
}

bool file_copy(const void *data, u64 bytes, struct file_bytes *out)
{
	*out = (struct file_bytes){ first_room(bytes + SLACK), bytes };
	if (!out->data)
		return false;
	memcpy(out->data, data, bytes);
	memset(out->data + bytes, 0, SLACK);
	return true;
}

bool file_read(const char *path, struct file_bytes *out, char *why, size_t why_size)
{
	FILE *f = file_open(path, why, why_size);
	const char *cause;
	struct stat st;

	*out = (struct file_bytes){ NULL, 0 };
	if (!f)
		return false;
	const bool regular = fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode);

	cause = read_all(f, regular ? (u64)st.st_size : 1 << 16, out);
	fclose(f);
	if (!cause)
		return true;
	file_free(out);
	return fail(why, why_size, path, cause);
}

void file_free(struct file_bytes *f)
{
	free(f->data);
	*f = (struct file_bytes){ NULL, 0 };
}
