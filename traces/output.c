/* SPDX-License-Identifier: Apache-2.0 */
#include "traces/output.h"
#include "traces/reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard_output(const char *path)
{
	return !strcmp(path, "-");
}

/* Standard output under a number of its own, so that it is closed like any other. */
static int open_output(const char *path)
{
	if (!is_standard_output(path))
		return reader_open(path);
	return fflush(stdout) == 0 ? dup(STDOUT_FILENO) : -1;
}

/* What the errno of an output tells. */
static const char *cause(int error)
{
	return error == ETIMEDOUT ? "nobody reads from it" : strerror(error);
}

static void tell_unopened(const char *path, int error, char *why, size_t why_size)
{
	snprintf(why, why_size, "%s: %s", is_standard_output(path) ? "standard output" : *path ? path : "''", cause(error));
}

/* Of a file that is not there yet: may one be made in its folder? 0 or an errno. */
static int folder_error(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	const int error = folder && access(folder, W_OK | X_OK) != 0 ? errno : 0;

	free(folder);
	return error;
}

bool output_possible(const char *path, char *why, size_t why_size)
{
	struct stat s;
	int error = 0;

	if (is_standard_output(path))
		return true;
	if (lstat(path, &s) != 0)
		error = errno == ENOENT ? folder_error(path) : errno;
	else if (stat(path, &s) == 0) /* else a link to what is not there yet: opening it will tell */
		error = S_ISDIR(s.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
	if (error)
		tell_unopened(path, error, why, why_size);
	return !error;
}

FILE *output_create(const char *path, char *why, size_t why_size)
{
	const int fd = open_output(path);
	FILE *file = fd < 0 ? NULL : reader_stream(fd);

	if (!file)
		tell_unopened(path, errno, why, why_size);
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

bool output_hits(const char *path, const char *other)
{
	struct stat a, b;

	if (is_standard_output(path))
		return false;
	if (stat(path, &a) != 0 || stat(other, &b) != 0)
		return !strcmp(path, other); /* neither is there yet */
	return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Are two names of folders that are not there yet the same? `bytes`: of a. */
static bool are_same_words(const char *a, size_t bytes, const char *b)
{
	const char *end = a + bytes;

	for (;;) {
		while (a < end && (*a == '/' || (*a == '.' && (a + 1 == end || a[1] == '/'))))
			a++;
		while (*b == '/' || (*b == '.' && (!b[1] || b[1] == '/')))
			b++;
		if (a == end || !*b)
			return a == end && !*b;
		while (a < end && *a != '/' && *a == *b)
			a++, b++;
		if ((a < end && *a != '/') || (*b && *b != '/'))
			return false;
	}
}

const char *output_name_in(const char *path, const char *folder)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char above[PATH_MAX];
	struct stat a, b;

	if (is_standard_output(path) || !*name)
		return NULL;
	snprintf(above, sizeof above, "%.*s", (int)(slash ? slash - path + 1 : 1), slash ? path : ".");
	if (stat(folder, &b) == 0)
		return stat(above, &a) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino ? name : NULL;
	return (*above == '/') == (*folder == '/') && are_same_words(above, strlen(above), folder) ? name : NULL;
}

/* False, with a line that tells the cause where it is known: an errno, or 0. */
static bool unwritten(const char *path, int error, char *why, size_t why_size)
{
	snprintf(why, why_size, "%s: cannot be written%s%s", is_standard_output(path) ? "standard output" : path, error ? ": " : "",
		 error ? cause(error) : "");
	return false;
}

bool output_finish(FILE *file, const char *path, char *why, size_t why_size)
{
	const bool lost = ferror(file);

	errno = 0;
	return (fclose(file) == 0 && !lost) || unwritten(path, errno, why, why_size);
}

bool output_write(const char *path, const void *data, u64 size, char *why, size_t why_size)
{
	FILE *file = output_create(path, why, why_size);
	int error;

	if (!file)
		return false;
	errno = 0;
	if (fwrite(data, 1, size, file) == size)
		return output_finish(file, path, why, why_size);
	error = errno; /* closing may know nothing of it */
	fclose(file);
	return unwritten(path, error, why, why_size);
}
