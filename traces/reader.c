/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct reader {
	int fd;
	bool gone; /* gave up */
};

/* NULL: there is no clock, and waiting has no end. */
static reader_clock *clock_ms;

i64 reader_begin(void)
{
	return clock_ms ? clock_ms() : 0;
}

bool reader_again(i64 since)
{
	if (errno != EINTR)
		return false;
	if (reader_begin() - since < READER_MS)
		return true;
	errno = ETIMEDOUT;
	return false;
}

static ssize_t put(void *ctx, const char *data, size_t size)
{
	struct reader *r = ctx;
	size_t done = 0;
	ssize_t n;

	if (r->gone)
		errno = ETIMEDOUT;
	while (done < size && !r->gone) {
		const i64 since = reader_begin();

		do
			n = write(r->fd, data + done, size - done);
		while (n < 0 && reader_again(since));
		if (n <= 0) {
			r->gone = errno == ETIMEDOUT;
			break;
		}
		done += (size_t)n;
	}
	return (ssize_t)done;
}

static int end(void *ctx)
{
	struct reader *r = ctx;
	const bool gone = r->gone;
	const int closed = close(r->fd);

	free(r);
	if (gone)
		errno = ETIMEDOUT;
	return gone ? EOF : closed;
}

int reader_open(const char *path)
{
	const i64 since = reader_begin();
	int fd;

	do
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	while (fd < 0 && reader_again(since));
	return fd;
}

static bool waits_for_nobody(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

FILE *reader_stream(int fd)
{
	struct reader *r;
	FILE *file;

	if (waits_for_nobody(fd))
		return fdopen(fd, "wb");
	r = malloc(sizeof *r);
	if (!r)
		return NULL;
	*r = (struct reader){ .fd = fd };
	file = fopencookie(r, "wb", (cookie_io_functions_t){ .write = put, .close = end });
	if (!file)
		free(r);
	return file;
}

/* Its stream is never closed. */
static void take(FILE **stream, struct reader *r, int buffering)
{
	FILE *file = waits_for_nobody(r->fd) ? NULL : fopencookie(r, "wb", (cookie_io_functions_t){ .write = put });

	if (!file)
		return;
	setvbuf(file, NULL, buffering, BUFSIZ);
	*stream = file;
}

void reader_take_standard(reader_clock *clock)
{
	static struct reader out = { .fd = STDOUT_FILENO }, error = { .fd = STDERR_FILENO };

	clock_ms = clock;
	take(&stdout, &out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
	take(&stderr, &error, _IONBF);
}
