/* SPDX-License-Identifier: Apache-2.0 */
/* Handles, and what is behind each. */
#include "sim/semihosting/semihosting_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ":semihosting-features": magic, then SH_EXT_EXIT_EXTENDED and SH_EXT_STDOUT_STDERR. */
static const u8 features[5] = { 'S', 'H', 'F', 'B', 0x03 };

bool files_open_directory(struct semihosting_files *f, const char *path, const struct wait *wait)
{
	const char *folder = path && *path ? path : ".";

	*f = (struct semihosting_files){ .directory = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC), .wait = wait };
	if (f->directory < 0)
		return false;
	f->path = realpath(folder, NULL);
	return true;
}

void files_close_all(struct semihosting_files *f)
{
	for (unsigned i = 0; i < SEMIHOSTING_HANDLES; i++)
		files_close(f, i + 1);
	if (f->directory >= 0)
		close(f->directory);
	free(f->path);
}

static int fail(struct semihosting_files *f, int error)
{
	f->error = error;
	return -1;
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
	const int fd = files_open_beneath(f, name, O_PATH);
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
		fd = files_open_beneath(f, name, flags | O_NONBLOCK | O_NOCTTY);
	while (fd < 0 && errno == ENXIO && is_fifo(f, name) && wait_a_moment(f->wait));
	if (fd < 0)
		return fail(f, errno);
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return fail(f, EISDIR);
	}
	return fd;
}

/* False: no debugger is there to open it. */
static bool open_at_debugger(struct semihosting_files *f, struct semihosting_file *file, const char *name)
{
	bool gone;

	file->kind = debugger_open(f->debugger, name, file->mode, &file->remote, &f->error, &gone) < 0 ? FILE_CLOSED : FILE_DEBUGGER;
	return !gone;
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
	if (!strcmp(name, ":semihosting-features")) { /* for reading only, says the specification */
		file->kind = mode < 2 ? FILE_FEATURES : FILE_CLOSED;
		return mode < 2 ? handle : fail(f, EACCES);
	}
	if (debugger_there(f->debugger) && open_at_debugger(f, file, name))
		return file->kind == FILE_DEBUGGER ? handle : -1;
	file->kind = FILE_HOST;
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
	const int result = file->kind == FILE_DEBUGGER ? debugger_close(f->debugger, &file->remote, &f->error) : 0;

	if (file->kind == FILE_HOST)
		close(file->fd);
	file->kind = FILE_CLOSED;
	return result;
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

/* Its descriptors of the console are numbered as ours. */
static struct debugger_file console_of_debugger(int fd)
{
	return (struct debugger_file){ 0, (u32)fd };
}

static u32 write_remote(struct semihosting_files *f, const struct debugger_file *to, const u8 *data, u32 size, bool *gone)
{
	if (gone)
		*gone = false;
	while (size) {
		const u32 piece = size < DEBUGGER_BYTES ? size : DEBUGGER_BYTES;
		const int n = debugger_write(f->debugger, to, data, piece, &f->error, gone);

		if (n <= 0)
			break;
		data += n;
		size -= (u32)n;
	}
	return size;
}

/* Keeps the order with the serial port; what is lost there is told at the end of the run. */
static u32 write_console(struct semihosting_files *f, int fd, const void *data, u32 size)
{
	FILE *console = fd == STDERR_FILENO ? stderr : stdout;

	if (debugger_there(f->debugger)) {
		const struct debugger_file to = console_of_debugger(fd);
		bool gone;
		const u32 left = write_remote(f, &to, data, size, &gone);

		if (!gone)
			return left;
		data = (const u8 *)data + (size - left);
		size = left;
	}
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

bool files_print_at_debugger(struct semihosting_files *f, int stream, const void *data, u32 size)
{
	if (!debugger_there(f->debugger))
		return false;
	files_print(f, stream, data, size);
	return true;
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
	if (file->kind == FILE_DEBUGGER)
		return write_remote(f, &file->remote, data, size, NULL);
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

/* Whatever it was opened for: what stands behind the host's standard output is not the guest's to read, to measure or to seek in. */
static ssize_t read_console(struct semihosting_files *f, void *data, u32 size)
{
	if (debugger_there(f->debugger)) {
		const struct debugger_file from = console_of_debugger(STDIN_FILENO);
		bool gone;
		const int n = debugger_read(f->debugger, &from, data, size < DEBUGGER_BYTES ? size : DEBUGGER_BYTES, &f->error, &gone);

		if (!gone)
			return n;
	}
	if (!f->host)
		return read_fd(f, STDIN_FILENO, data, size);
	return f->host->input ? (ssize_t)f->host->input(f->host->ctx, STREAM_INPUT, data, size) : 0;
}

static ssize_t read_remote(struct semihosting_files *f, const struct debugger_file *from, void *data, u32 size)
{
	return debugger_read(f->debugger, from, data, size < DEBUGGER_BYTES ? size : DEBUGGER_BYTES, &f->error, NULL);
}

int files_read_console(struct semihosting_files *f)
{
	u8 byte;

	return read_console(f, &byte, 1) == 1 ? byte : -1;
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
		const ssize_t n = file->kind == FILE_CONSOLE ? read_console(f, to, size)
				: file->kind == FILE_DEBUGGER ? read_remote(f, &file->remote, to, size)
							      : read_fd(f, file->fd, to, size);

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
	if (file->kind == FILE_DEBUGGER)
		return debugger_seek(f->debugger, &file->remote, position, &f->error);
	if (file->kind == FILE_CONSOLE)
		return fail(f, ESPIPE);
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
	if (file->kind == FILE_DEBUGGER)
		return debugger_length(f->debugger, &file->remote, &f->error);
	if (file->kind == FILE_CONSOLE)
		return fail(f, EINVAL);
	if (fstat(file->fd, &st) != 0)
		return fail(f, errno);
	return S_ISREG(st.st_mode) && st.st_size <= INT32_MAX ? (int)st.st_size : fail(f, S_ISREG(st.st_mode) ? EOVERFLOW : EINVAL);
}

int files_istty(struct semihosting_files *f, u32 handle)
{
	const struct semihosting_file *file = file_of(f, handle);

	if (file && file->kind == FILE_DEBUGGER)
		return debugger_istty(f->debugger, &file->remote, &f->error);
	/* The console counts as interactive whatever the host connects to it: the guest must
	 * behave the same in every environment. */
	return file ? file->kind == FILE_CONSOLE : -1;
}

int files_system(struct semihosting_files *f, const char *command)
{
	return debugger_there(f->debugger) ? debugger_system(f->debugger, command, &f->error) : -1;
}
