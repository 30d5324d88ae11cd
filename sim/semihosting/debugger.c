/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and structures of File-I/O: gdb's manual, "Constants" and "Protocol-specific Representation of Datatypes". */
#include "sim/semihosting/debugger.h"

#include <errno.h>
#include <string.h>

enum { IO_RDONLY = 0, IO_WRONLY = 1, IO_RDWR = 2, IO_APPEND = 8, IO_CREAT = 0x200, IO_TRUNC = 0x400 };
enum { IO_SEEK_SET = 0, IO_MODE = 0666 };
/* struct stat and struct timeval, big-endian */
enum { STAT_BYTES = 64, STAT_MODE = 8, STAT_SIZE = 28, TIME_BYTES = 12 };
#define STAT_KIND 0170000u
#define STAT_REGULAR 0100000u

static struct debugger_argument number(u32 n) { return (struct debugger_argument){ ARGUMENT_NUMBER, n, NULL }; }

static struct debugger_argument text(const char *t)
{
	return (struct debugger_argument){ ARGUMENT_TEXT, (u32)strlen(t) + 1, (void *)(uintptr_t)t };
}

bool debugger_there(const struct semihosting_debugger *d)
{
	return d && d->session(d->ctx);
}

/* `session` 0: whichever is there. */
static i64 ask(const struct semihosting_debugger *d, u32 session, struct debugger_request *r, int *error, bool *gone)
{
	const bool nobody = !debugger_there(d) || (session && session != d->session(d->ctx)) || !d->ask(d->ctx, r);

	if (gone)
		*gone = nobody;
	if (nobody ? !gone : r->result < 0)
		*error = !nobody && r->error ? r->error : EIO;
	return nobody || r->result < 0 ? -1 : r->result;
}

int debugger_open(const struct semihosting_debugger *d, const char *name, unsigned mode, struct debugger_file *out, int *error, bool *gone)
{
	/* fopen modes r rb r+ r+b w wb w+ w+b a ab a+ a+b */
	static const u32 flags[] = { IO_RDONLY, IO_RDWR, IO_WRONLY | IO_CREAT | IO_TRUNC, IO_RDWR | IO_CREAT | IO_TRUNC,
				     IO_WRONLY | IO_CREAT | IO_APPEND, IO_RDWR | IO_CREAT | IO_APPEND };
	struct debugger_request r = { .call = "open", .argument = { text(name), number(flags[mode / 2]), number(IO_MODE) }, .arguments = 3 };
	const i64 fd = ask(d, 0, &r, error, gone);

	*out = (struct debugger_file){ d && fd >= 0 ? d->session(d->ctx) : 0, (u32)fd };
	return fd < 0 ? -1 : 0;
}

int debugger_close(const struct semihosting_debugger *d, const struct debugger_file *f, int *error)
{
	struct debugger_request r = { .call = "close", .argument = { number(f->fd) }, .arguments = 1 };
	bool gone;
	const i64 result = ask(d, f->session, &r, error, &gone);

	return gone ? 0 : (int)result; /* gdb has closed it */
}

/* More than it was asked for is not believed. */
static int counted(i64 result, u32 size, int *error)
{
	if (result <= (i64)size)
		return (int)result;
	*error = EIO;
	return -1;
}

int debugger_read(const struct semihosting_debugger *d, const struct debugger_file *f, void *data, u32 size, int *error, bool *gone)
{
	struct debugger_request r = { .call = "read", .arguments = 3,
				      .argument = { number(f->fd), { ARGUMENT_ROOM, size, data }, number(size) } };

	return counted(ask(d, f->session, &r, error, gone), size, error);
}

int debugger_write(const struct semihosting_debugger *d, const struct debugger_file *f, const void *data, u32 size, int *error, bool *gone)
{
	struct debugger_request r = { .call = "write", .arguments = 3,
				      .argument = { number(f->fd), { ARGUMENT_BYTES, size, (void *)(uintptr_t)data }, number(size) } };

	return counted(ask(d, f->session, &r, error, gone), size, error);
}

int debugger_seek(const struct semihosting_debugger *d, const struct debugger_file *f, u32 position, int *error)
{
	struct debugger_request r = { .call = "lseek", .argument = { number(f->fd), number(position), number(IO_SEEK_SET) }, .arguments = 3 };

	return ask(d, f->session, &r, error, NULL) < 0 ? -1 : 0;
}

static u64 big_endian(const u8 *at, unsigned bytes)
{
	u64 value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | at[i];
	return value;
}

int debugger_length(const struct semihosting_debugger *d, const struct debugger_file *f, int *error)
{
	u8 stat[STAT_BYTES] = { 0 };
	struct debugger_request r = { .call = "fstat", .argument = { number(f->fd), { ARGUMENT_ROOM, sizeof stat, stat } }, .arguments = 2 };

	if (ask(d, f->session, &r, error, NULL) < 0)
		return -1;
	const bool regular = (big_endian(stat + STAT_MODE, 4) & STAT_KIND) == STAT_REGULAR;
	const u64 size = big_endian(stat + STAT_SIZE, 8);

	if (regular && size <= INT32_MAX)
		return (int)size;
	*error = regular ? EOVERFLOW : EINVAL;
	return -1;
}

int debugger_istty(const struct semihosting_debugger *d, const struct debugger_file *f, int *error)
{
	struct debugger_request r = { .call = "isatty", .argument = { number(f->fd) }, .arguments = 1 };

	return (int)ask(d, f->session, &r, error, NULL);
}

int debugger_remove(const struct semihosting_debugger *d, const char *name, int *error, bool *gone)
{
	struct debugger_request r = { .call = "unlink", .argument = { text(name) }, .arguments = 1 };

	return (int)ask(d, 0, &r, error, gone);
}

int debugger_rename(const struct semihosting_debugger *d, const char *from, const char *to, int *error, bool *gone)
{
	struct debugger_request r = { .call = "rename", .argument = { text(from), text(to) }, .arguments = 2 };

	return (int)ask(d, 0, &r, error, gone);
}

int debugger_system(const struct semihosting_debugger *d, const char *command, int *error)
{
	struct debugger_request r = { .call = "system", .argument = { text(command) }, .arguments = 1 };

	return (int)ask(d, 0, &r, error, NULL);
}

bool debugger_time(const struct semihosting_debugger *d, u32 *seconds)
{
	u8 now[TIME_BYTES] = { 0 };
	struct debugger_request r = { .call = "gettimeofday", .argument = { { ARGUMENT_ROOM, sizeof now, now }, number(0) }, .arguments = 2 };
	int error;

	if (!debugger_there(d) || ask(d, 0, &r, &error, NULL) < 0)
		return false;
	*seconds = (u32)big_endian(now, 4);
	return true;
}
