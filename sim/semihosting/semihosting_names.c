/* SPDX-License-Identifier: Apache-2.0 */
/* Files by their names, all beneath one directory. */
#include "sim/semihosting/beneath.h"
#include "sim/semihosting/semihosting_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* An absolute name of what lies in the folder, as scripts give them; any other stays as it is. */
static const char *within(const struct semihosting_files *f, const char *name)
{
	const size_t length = f->path ? strlen(f->path) : 0;
	const char *rest = name + length;

	if (!length || strncmp(name, f->path, length) || (*rest && *rest != '/' && rest[-1] != '/'))
		return name;
	rest += strspn(rest, "/");
	return *rest ? rest : ".";
}

int files_open_beneath(const struct semihosting_files *f, const char *name, int flags)
{
	return beneath_open(f->directory, within(f, name), flags);
}

static int failed(struct semihosting_files *f)
{
	f->error = errno;
	return -1;
}

/* Opens the directory part of a name and leaves its last part in *base. */
static int parent_of(const struct semihosting_files *f, char *name, const char **base)
{
	char *slash = strrchr(name, '/');

	*base = slash ? slash + 1 : name;
	if (slash)
		*slash = 0;
	return files_open_beneath(f, slash ? name : ".", O_PATH | O_DIRECTORY);
}

int files_remove(struct semihosting_files *f, const char *name)
{
	char copy[SEMIHOSTING_NAME];
	const char *base;
	bool gone;
	int parent, result = debugger_remove(f->debugger, name, &f->error, &gone);

	if (!gone)
		return result;
	snprintf(copy, sizeof copy, "%s", within(f, name));
	parent = parent_of(f, copy, &base);
	if (parent < 0)
		return failed(f);
	result = unlinkat(parent, base, 0) ? failed(f) : 0;
	close(parent);
	return result;
}

int files_rename(struct semihosting_files *f, const char *from, const char *to)
{
	char a[SEMIHOSTING_NAME], b[SEMIHOSTING_NAME];
	const char *from_base, *to_base;
	bool gone;
	int from_dir, to_dir, result = debugger_rename(f->debugger, from, to, &f->error, &gone);

	if (!gone)
		return result;
	snprintf(a, sizeof a, "%s", within(f, from));
	snprintf(b, sizeof b, "%s", within(f, to));
	from_dir = parent_of(f, a, &from_base);
	to_dir = parent_of(f, b, &to_base);
	result = from_dir < 0 || to_dir < 0 || renameat(from_dir, from_base, to_dir, to_base) ? failed(f) : 0;
	if (from_dir >= 0)
		close(from_dir);
	if (to_dir >= 0)
		close(to_dir);
	return result;
}
