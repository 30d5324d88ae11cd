/* SPDX-License-Identifier: Apache-2.0 */
/* Every name is resolved by the kernel beneath one directory (openat2, RESOLVE_BENEATH): neither
 * "..", an absolute name nor a symbolic link leads out of it. */
#include "sim/semihosting/semihosting_files.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ":semihosting-features": magic, then SH_EXT_EXIT_EXTENDED and SH_EXT_STDOUT_STDERR. */
static const u8 features[5] = { 'S', 'H', 'F', 'B', 0x03 };

bool files_open_directory(struct semihosting_files *f, const char *path, const struct wait *wait)
{
	*f = (struct semihosting_files){
		.directory = open(path && *path ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC), .wait = wait,
	};
	return f->directory >= 0;
}

void files_close_all(struct semihosting_files *f)
{
	for (unsigned i = 0; i < SEMIHOSTING_HANDLES; i++)
		files_close(f, i + 1);
	if (f->directory >= 0)
		close(f->directory);
}

static int fail(struct semihosting_files *f, int error)
{
	f->error = error;
	return -1;
}

static int open_beneath(const struct semihosting_files *f, const char *name, int flags)
{
	const struct open_how how = {
		.flags = (u64)(flags | O_CLOEXEC),
		.mode = flags & O_CREAT ? 0666 : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, f->directory, name, &how, sizeof how);
}

static struct semihosting_file *file_of(struct semihosting_files *f, u32 handle)
{
	if (handle < 1 || handle > SEMIHOSTING_HANDLES || f->file[handle - 1].kind == FILE_CLOSED) {
		f->error = EBADF;
		return NULL;
	}
	return &f->file[handle - 1];
}

static int new_handle(struct semihosting_files *f)
{
	for (int i = 0; i < SEMIHOSTING_HANDLES; i++)
		if (f->file[i].kind == FILE_CLOSED)
			return i + 1;
	return fail(f, EMFILE);
}

/* ":tt" is the console: standard input, output or (append modes) error. */
static int console_fd(const struct semihosting_files *f, unsigned mode)
{
	return mode < 4 ? STDIN_FILENO : mode < 8 || f->one_console ? STDOUT_FILENO : STDERR_FILENO;
}

static bool is_fifo(const struct semihosting_files *f, const char *name)
{
	const int fd = open_beneath(f, name, O_PATH);
	struct stat st;
	const bool fifo = fd >= 0 && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);

	if (fd >= 0)
		close(fd);
	return fifo;
}

/* The host's calls never block: what takes time is waited for. A pipe can be written to only once somebody reads. */
static int open_file(struct semihosting_files *f, const char *name, int flags)
{
	struct stat st;
	int fd;

	do
		fd = open_beneath(f, name, flags | O_NONBLOCK | O_NOCTTY);
	while (fd < 0 && errno == ENXIO && is_fifo(f, name) && wait_a_moment(f->wait));
	if (fd < 0)
		return fail(f, errno);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return fail(f, EISDIR);
	}
	return fd;
}

int files_open(struct semihosting_files *f, const char *name, unsigned mode)
{
	/* fopen modes r rb r+ r+b w wb w+ w+b a ab a+ a+b */
	static const int flags[] = { O_RDONLY, O_RDWR, O_WRONLY | O_CREAT | O_TRUNC, O_RDWR | O_CREAT | O_TRUNC,
				     O_WRONLY | O_CREAT, O_RDWR | O_CREAT };
	const int handle = new_handle(f);
	struct semihosting_file *file;

	if (mode > 11)
		return fail(f, EINVAL);
	if (handle < 0)
		return handle;
	file = &f->file[handle - 1];
	*file = (struct semihosting_file){ .kind = FILE_HOST, .append = mode >= 8, .mode = (u8)mode };
	snprintf(file->name, sizeof file->name, "%s", name);
	if (!strcmp(name, ":tt")) {
		file->kind = FILE_CONSOLE;
		file->fd = console_fd(f, mode);
		file->append = false;
		return handle;
	}
	if (!strcmp(name, ":semihosting-features") && mode < 2) {
		file->kind = FILE_FEATURES;
		return handle;
	}
	file->fd = open_file(f, name, flags[mode / 2]);
	if (file->fd < 0) {
		file->kind = FILE_CLOSED;
		return -1;
	}
	return handle;
}

int files_close(struct semihosting_files *f, u32 handle)
{
	struct semihosting_file *file = file_of(f, handle);

	if (!file)
		return -1;
	if (file->kind == FILE_HOST)
		close(file->fd);
	file->kind = FILE_CLOSED;
	return 0;
}

static u32 write_fd(struct semihosting_files *f, int fd, const u8 *data, u32 size)
{
	while (size) {
		const ssize_t n = write(fd, data, size);

		if (n < 0 && (errno == EINTR || (errno == EAGAIN && wait_writable(f->wait, fd))))
			continue;
		if (n <= 0) {
			fail(f, n < 0 ? errno : EIO);
			break;
		}
		data += n;
		size -= (u32)n;
	}
	return size;
}

/* Keeps the order with the serial port; what is lost there is told at the end of the run. */
static u32 write_console(struct semihosting_files *f, int fd, const void *data, u32 size)
{
	FILE *console = fd == STDERR_FILENO ? stderr : stdout;

	if (f->host) {
		f->host->output(f->host->ctx, fd == STDERR_FILENO ? STREAM_ERROR : STREAM_OUTPUT, data, size);
		return 0;
	}
	fwrite(data, 1, size, console);
	if (fflush(console) == 0 && !ferror(console))
		return 0;
	fail(f, EIO);
	return size;
}

int files_console(const struct semihosting_files *f, u32 handle)
{
	const struct semihosting_file *file = handle >= 1 && handle <= SEMIHOSTING_HANDLES ? &f->file[handle - 1] : NULL;

	return !file || file->kind != FILE_CONSOLE ? 0 : file->fd == STDERR_FILENO ? STREAM_ERROR : STREAM_OUTPUT;
}

u32 files_print(struct semihosting_files *f, int stream, const void *data, u32 size)
{
	return write_console(f, stream == STREAM_ERROR ? STDERR_FILENO : STDOUT_FILENO, data, size);
}

u32 files_write(struct semihosting_files *f, u32 handle, const void *data, u32 size)
{
	struct semihosting_file *file = file_of(f, handle);

	if (!file)
		return size;
	if (file->kind == FILE_FEATURES) {
		fail(f, EBADF);
		return size;
	}
	if (file->kind == FILE_CONSOLE)
		return write_console(f, file->fd, data, size);
	if (file->append)
		lseek(file->fd, 0, SEEK_END);
	return write_fd(f, file->fd, data, size);
}

/* Waits first: a pipe that nobody has opened for writing yet would otherwise look like an empty file. */
static ssize_t read_fd(struct semihosting_files *f, int fd, void *data, u32 size)
{
	ssize_t n;

	do {
		if (!wait_readable(f->wait, fd))
			return fail(f, EINTR);
		n = read(fd, data, size);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return n < 0 ? fail(f, errno) : n;
}

static ssize_t read_console(struct semihosting_files *f, int fd, void *data, u32 size)
{
	return f->host ? (ssize_t)f->host->input(f->host->ctx, STREAM_INPUT, data, size) : read_fd(f, fd, data, size);
}

int files_read_console(struct semihosting_files *f)
{
	u8 byte;

	return read_console(f, STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
}

u32 files_read(struct semihosting_files *f, u32 handle, void *data, u32 size)
{
	struct semihosting_file *file = file_of(f, handle);
	u8 *to = data;

	if (!file)
		return size;
	if (file->kind == FILE_FEATURES) {
		for (; size && file->position < sizeof features; size--)
			*to++ = features[file->position++];
		return size;
	}
	while (size) {
		const ssize_t n = file->kind == FILE_CONSOLE ? read_console(f, file->fd, to, size) : read_fd(f, file->fd, to, size);

		if (n <= 0)
			break;
		to += n;
		size -= (u32)n;
		if (file->kind == FILE_CONSOLE) /* a line is enough */
			break;
	}
	return size;
}

int files_seek(struct semihosting_files *f, u32 handle, u32 position)
{
	struct semihosting_file *file = file_of(f, handle);

	if (!file)
		return -1;
	if (file->kind == FILE_FEATURES) {
		file->position = position;
		return 0;
	}
	return lseek(file->fd, position, SEEK_SET) < 0 ? fail(f, errno) : 0;
}

int files_length(struct semihosting_files *f, u32 handle)
{
	struct semihosting_file *file = file_of(f, handle);
	struct stat st;

	if (!file)
		return -1;
	if (file->kind == FILE_FEATURES)
		return sizeof features;
	if (fstat(file->fd, &st) != 0)
		return fail(f, errno);
	return S_ISREG(st.st_mode) && st.st_size <= INT32_MAX ? (int)st.st_size : fail(f, S_ISREG(st.st_mode) ? EOVERFLOW : EINVAL);
}

int files_istty(struct semihosting_files *f, u32 handle)
{
	const struct semihosting_file *file = file_of(f, handle);

	/* The console counts as interactive whatever the host connects to it: the guest must
	 * behave the same in every environment. */
	return file ? file->kind == FILE_CONSOLE : -1;
}

/* Opens the directory part of a name and leaves its last part in *base. */
static int parent_of(const struct semihosting_files *f, char *name, const char **base)
{
	char *slash = strrchr(name, '/');

	*base = slash ? slash + 1 : name;
	if (slash)
		*slash = 0;
	return open_beneath(f, slash ? name : ".", O_PATH | O_DIRECTORY);
}

int files_remove(struct semihosting_files *f, const char *name)
{
	char copy[SEMIHOSTING_NAME];
	const char *base;
	int parent, result;

	snprintf(copy, sizeof copy, "%s", name);
	parent = parent_of(f, copy, &base);
	if (parent < 0)
		return fail(f, errno);
	result = unlinkat(parent, base, 0) ? fail(f, errno) : 0;
	close(parent);
	return result;
}

int files_rename(struct semihosting_files *f, const char *from, const char *to)
{
	char a[SEMIHOSTING_NAME], b[SEMIHOSTING_NAME];
	const char *from_base, *to_base;
	int from_dir, to_dir, result;

	snprintf(a, sizeof a, "%s", from);
	snprintf(b, sizeof b, "%s", to);
	from_dir = parent_of(f, a, &from_base);
	to_dir = parent_of(f, b, &to_base);
	result = from_dir < 0 || to_dir < 0 || renameat(from_dir, from_base, to_dir, to_base) ? fail(f, errno) : 0;
	if (from_dir >= 0)
		close(from_dir);
	if (to_dir >= 0)
		close(to_dir);
	return result;
}

int files_open_beneath(const struct semihosting_files *f, const char *name, int flags)
{
	return open_beneath(f, name, flags);
}
