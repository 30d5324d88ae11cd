/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/input.h"
#include "loader/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool input_open(struct input *in, const char *path, char *why, size_t why_size)
{
	*in = (struct input){ .file = strcmp(path, "-") ? file_open(path, why, why_size) : stdin };
	return in->file != NULL;
}

void input_close(struct input *in)
{
	if (in->file && in->file != stdin)
		fclose(in->file);
	in->file = NULL;
}

static bool fill(struct input *in, const struct wait *w)
{
	const int fd = fileno(in->file);
	ssize_t n;

	do {
		if (!wait_readable(w, fd))
			return false;
		n = read(fd, in->buffer, sizeof in->buffer);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	in->used = 0;
	in->filled = n > 0 ? (u32)n : 0;
	return in->filled != 0;
}

int input_get(struct input *in, const struct wait *w)
{
	if (!in->file || (in->used == in->filled && !fill(in, w)))
		return -1;
	return in->buffer[in->used++];
}

i64 input_place(const struct input *in)
{
	const off_t read_to = in->file ? lseek(fileno(in->file), 0, SEEK_CUR) : -1;

	return read_to < 0 ? -1 : (i64)read_to - (in->filled - in->used);
}

void input_go_to(struct input *in, i64 place)
{
	if (!in->file || place < 0 || lseek(fileno(in->file), (off_t)place, SEEK_SET) < 0)
		return;
	in->used = in->filled = 0;
}
