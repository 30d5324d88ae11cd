/* SPDX-License-Identifier: Apache-2.0 */
/* openat2(2) with RESOLVE_BENEATH where the host has it: Linux 5.6 and no filter that refuses it. qemu-user, among others, has not.
 * There the name is walked as the kernel does, a directory at a time, none of which may be a link by then: what others rename
 * meanwhile leads nowhere else. */
#include "sim/semihosting/beneath.h"
#include "memory/types.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATED = 0666, LINKS_MAX = 40 /* as in Linux */ };

struct walk {
	int root, here;      /* `here`: the directory that `rest` is looked up in */
	char done[PATH_MAX]; /* parts from root to here, none of them a link or "..", a '/' behind each */
	char rest[PATH_MAX];
	unsigned links;      /* followed so far */
};

static bool refuse(int error)
{
	errno = error;
	return false;
}

/* Takes the first part off the rest; *last: no other follows. "a/" is one part, of a directory. */
static bool next_part(struct walk *w, char part[PATH_MAX], bool *last, bool *is_directory)
{
	const size_t length = strcspn(w->rest, "/"), slashes = strspn(w->rest + length, "/");

	memcpy(part, w->rest, length);
	part[length] = 0;
	memmove(w->rest, w->rest + length + slashes, strlen(w->rest + length + slashes) + 1);
	*last = !w->rest[0];
	*is_directory = slashes > 0;
	return length > 0 || refuse(ENOENT);
}

static bool move_to(struct walk *w, int directory)
{
	if (directory < 0)
		return false;
	close(w->here);
	w->here = directory;
	return true;
}

/* What is to be looked up next, in front of the rest. */
static bool put_before(struct walk *w, const char *names, const char *between)
{
	char all[PATH_MAX];

	if (snprintf(all, sizeof all, "%s%s%s", names, between, w->rest) >= (int)sizeof all)
		return refuse(ENAMETOOLONG);
	strcpy(w->rest, all);
	return true;
}

/* "..": the way down to the directory above once more, from the root. */
static bool go_up(struct walk *w)
{
	char above[PATH_MAX];
	size_t length = strlen(w->done);

	if (!length)
		return refuse(EXDEV);
	do
		length--;
	while (length && w->done[length - 1] != '/');
	snprintf(above, sizeof above, "%.*s", (int)length, w->done);
	w->done[0] = 0;
	return put_before(w, above, "") && (w->rest[0] || put_before(w, ".", "")) &&
	       move_to(w, openat(w->root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static bool go_down(struct walk *w, const char *part)
{
	const size_t length = strlen(w->done);

	if (!move_to(w, openat(w->here, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)))
		return false;
	return snprintf(w->done + length, sizeof w->done - length, "%s/", part) < (int)(sizeof w->done - length) || refuse(ENAMETOOLONG);
}

/* Where the link leads is looked up from the directory that it lies in. */
static bool follow(struct walk *w, const char *target, bool last, bool is_directory)
{
	if (++w->links > LINKS_MAX)
		return refuse(ELOOP);
	if (target[0] == '/')
		return refuse(EXDEV);
	return put_before(w, target, last && !is_directory ? "" : "/");
}

static int open_last(const struct walk *w, const char *part, bool is_directory, int flags)
{
	if (is_directory && flags & O_CREAT)
		return refuse(EISDIR) - 1;
	return openat(w->here, part, flags | O_NOFOLLOW | O_CLOEXEC | (is_directory ? O_DIRECTORY : 0), CREATED);
}

static int walk(struct walk *w, int flags)
{
	char part[PATH_MAX], target[PATH_MAX];
	bool last, is_directory, ok = w->rest[0] != '/' || refuse(EXDEV);

	while (ok && (ok = next_part(w, part, &last, &is_directory))) {
		const ssize_t length = readlinkat(w->here, part, target, sizeof target - 1);

		if (length >= 0) {
			target[length] = 0;
			ok = follow(w, target, last, is_directory);
		} else if (!strcmp(part, "..")) {
			ok = go_up(w);
		} else if (last) {
			return open_last(w, part, is_directory, flags);
		} else if (strcmp(part, ".")) {
			ok = go_down(w, part);
		}
	}
	return -1;
}

int beneath_walk(int directory, const char *name, int flags)
{
	struct walk w = { .root = directory };
	int result, error;

	if (strlen(name) >= sizeof w.rest)
		return refuse(ENAMETOOLONG) - 1;
	strcpy(w.rest, name);
	w.here = openat(directory, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w.here < 0)
		return -1;
	result = walk(&w, flags);
	error = errno;
	close(w.here);
	errno = error;
	return result;
}

int beneath_open(int directory, const char *name, int flags)
{
	const struct open_how how = {
		.flags = (u64)(flags | O_CLOEXEC),
		.mode = flags & O_CREAT ? CREATED : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	const int result = (int)syscall(SYS_openat2, directory, name, &how, sizeof how);

	/* A filter may say either; of a file that may not be opened the walk says the same. */
	return result < 0 && (errno == ENOSYS || errno == EPERM) ? beneath_walk(directory, name, flags) : result;
}
