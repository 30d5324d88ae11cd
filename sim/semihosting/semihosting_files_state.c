/* SPDX-License-Identifier: Apache-2.0 */
/* Open files of the guest, saved and opened again. */
#include "memory/state.h"
#include "sim/semihosting/semihosting_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A handle as it is saved; behind it the bytes of a file that is open for writing. */
struct kept {
	u32 kind, position;
	u32 append, mode;
	u32 regular, console; /* is it a plain file; which descriptor of the console */
	u64 offset, size;     /* of a plain file */
	char name[SEMIHOSTING_NAME];
};

/* Handles that a restore will put in the place of the present ones. */
struct coming {
	struct kept kept;
	int fd;
	const u8 *bytes;
};

/* Modes r and rb are 0 and 1. */
static bool writable(const struct kept *k)
{
	return k->kind == FILE_HOST && k->regular && k->mode > 1;
}

static struct kept describe(const struct semihosting_file *file)
{
	struct kept k;
	struct stat st;

	memset(&k, 0, sizeof k);
	k.kind = file->kind == FILE_DEBUGGER ? FILE_CLOSED : file->kind; /* nobody is there where the state goes */
	if (k.kind == FILE_CLOSED)
		return k;
	k.position = file->position;
	k.append = file->append;
	k.mode = file->mode;
	k.console = file->kind == FILE_CONSOLE ? (u32)file->fd : 0;
	memcpy(k.name, file->name, sizeof k.name);
	if (k.kind != FILE_HOST || fstat(file->fd, &st) || !S_ISREG(st.st_mode))
		return k;
	k.regular = true;
	k.size = (u64)st.st_size;
	k.offset = (u64)lseek(file->fd, 0, SEEK_CUR);
	return k;
}

/* Through /proc, for the file may be open for writing only, or have lost its name. */
static void read_all(int fd, u8 *to, u64 size)
{
	char path[64];
	int again;
	u64 done = 0;
	ssize_t n = 1;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	again = open(path, O_RDONLY | O_CLOEXEC);
	while (again >= 0 && done < size && n > 0) {
		n = pread(again, to + done, size - done, (off_t)done);
		done += n > 0 ? (u64)n : 0;
	}
	memset(to + done, 0, size - done);
	if (again >= 0)
		close(again);
}

static bool save(void *ctx, struct state_buffer *out)
{
	const struct semihosting_files *f = ctx;

	for (unsigned i = 0; i < SEMIHOSTING_HANDLES; i++) {
		const struct kept k = describe(&f->file[i]);
		const u64 bytes = writable(&k) ? k.size : 0;
		u8 *to = state_put(out, sizeof k + bytes);

		if (!to)
			return false;
		memcpy(to, &k, sizeof k);
		if (bytes)
			read_all(f->file[i].fd, to + sizeof k, bytes);
	}
	return true;
}

static void drop(struct semihosting_files *f)
{
	for (unsigned i = 0; f->coming && i < SEMIHOSTING_HANDLES; i++)
		if (f->coming[i].fd >= 0)
			close(f->coming[i].fd);
	free(f->coming);
	f->coming = NULL;
}

/* Opens it as it was, without changing it. One to be written that is gone is made again by the restore. */
static bool reopen(const struct semihosting_files *f, struct coming *c, char *why, size_t why_size)
{
	static const int flags[] = { O_RDONLY, O_RDWR, O_WRONLY, O_RDWR, O_WRONLY, O_RDWR };
	const struct kept *k = &c->kept;
	struct stat st;

	if (k->kind != FILE_HOST)
		return true;
	c->fd = files_open_beneath(f, k->name, flags[k->mode / 2] | O_NONBLOCK | O_NOCTTY);
	if (c->fd < 0 && (errno != ENOENT || !writable(k))) {
		snprintf(why, why_size, "%s, which the program has open: %s", k->name, strerror(errno));
		return false;
	}
	if (!k->regular || writable(k) || (fstat(c->fd, &st) == 0 && (u64)st.st_size == k->size))
		return true;
	snprintf(why, why_size, "%s, which the program has open, has %llu bytes, not %llu as when the state was saved", k->name,
		 (unsigned long long)st.st_size, (unsigned long long)k->size);
	return false;
}

static bool valid(const struct kept *k)
{
	return k->kind <= FILE_FEATURES && k->mode <= 11 && memchr(k->name, 0, sizeof k->name) &&
	       (k->kind != FILE_CONSOLE || k->console <= STDERR_FILENO);
}

static bool check(void *ctx, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	struct semihosting_files *f = ctx;
	const u8 *end = from + bytes;
	bool ok = true;

	f->coming = calloc(SEMIHOSTING_HANDLES, sizeof *f->coming);
	snprintf(why, why_size, "the program's open files in the state are damaged, or host memory is short");
	for (unsigned i = 0; f->coming && i < SEMIHOSTING_HANDLES; i++)
		f->coming[i].fd = -1;
	for (unsigned i = 0; ok && i < SEMIHOSTING_HANDLES; i++) {
		struct coming *c = f->coming ? &f->coming[i] : NULL;
		u64 room = (u64)(end - from);

		ok = c && room >= sizeof c->kept;
		if (!ok)
			break;
		memcpy(&c->kept, from, sizeof c->kept);
		from += sizeof c->kept;
		room -= sizeof c->kept;
		c->bytes = from;
		ok = valid(&c->kept) && (!writable(&c->kept) || c->kept.size <= room) && reopen(f, c, why, why_size);
		from += ok && writable(&c->kept) ? c->kept.size : 0;
	}
	if (ok && from == end)
		return true;
	drop(f);
	return false;
}

/* What a write cannot store is missing, as the program would find it on a full disk. */
static void write_back(const struct semihosting_files *f, struct coming *c)
{
	const struct kept *k = &c->kept;
	u64 done = 0;
	ssize_t n = 1;

	if (c->fd < 0)
		c->fd = files_open_beneath(f, k->name, O_RDWR | O_CREAT);
	while (c->fd >= 0 && done < k->size && n > 0) {
		n = pwrite(c->fd, c->bytes + done, k->size - done, (off_t)done);
		done += n > 0 ? (u64)n : 0;
	}
	if (c->fd >= 0 && ftruncate(c->fd, (off_t)k->size) != 0)
		(void)lseek(c->fd, 0, SEEK_END);
}

static void restore(void *ctx, const u8 *from, u64 bytes)
{
	struct semihosting_files *f = ctx;

	for (unsigned i = 0; from && i < SEMIHOSTING_HANDLES; i++) {
		struct coming *c = &f->coming[i];
		const struct kept *k = &c->kept;
		struct semihosting_file *file = &f->file[i];

		if (file->kind == FILE_HOST)
			close(file->fd);
		if (writable(k))
			write_back(f, c);
		if (k->regular && c->fd >= 0)
			(void)lseek(c->fd, (off_t)k->offset, SEEK_SET);
		*file = (struct semihosting_file){
			.kind = k->kind, .fd = k->kind == FILE_CONSOLE ? (int)k->console : c->fd, .position = k->position,
			.append = k->append, .mode = (u8)k->mode,
		};
		memcpy(file->name, k->name, sizeof file->name);
		c->fd = -1;
	}
	drop(f);
}

void files_state(struct semihosting_files *f, struct state_list *list)
{
	static const struct state_hooks hooks = { save, check, restore };

	state_add(list, "semihosting", "latest error", 1, &f->error, sizeof f->error);
	state_add_hooks(list, "semihosting", "open files", 1, &hooks, f);
}
