/* SPDX-License-Identifier: Apache-2.0 */
/* Names beneath a directory, with the kernel's help and without: the same file, the same errno. */
#include "sim/semihosting/beneath.h"
#include "memory/types.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[] = "/tmp/beneath-XXXXXX";
static int root = -1;

static void make_file(const char *name)
{
	const int fd = openat(root, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	cr_assert(fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name));
	close(fd);
}

/* in/ is the directory; what lies beside it must never be reached. */
static void setup(void)
{
	static const char *const links[][2] = {
		{ "a/file", "to_file" }, { "a", "to_a" }, { "../a/b", "a/to_b" }, { "..", "a/b/up" }, { "../secret", "leaves" },
		{ "/etc/passwd", "absolute" }, { "loop", "loop" }, { "nothing", "dangles" }, { "a/../../secret", "leaves_late" },
		{ "a/", "to_a_slash" }, { ".", "self" },
	};
	char name[64];

	cr_assert(mkdtemp(place) != NULL);
	root = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
	cr_assert(root >= 0);
	make_file("secret");
	cr_assert(!mkdirat(root, "in", 0777) && !mkdirat(root, "in/a", 0777) && !mkdirat(root, "in/a/b", 0777));
	make_file("in/top");
	make_file("in/a/file");
	make_file("in/a/b/deep");
	for (size_t i = 0; i < ARRAY_LEN(links); i++) {
		snprintf(name, sizeof name, "in/%s", links[i][1]);
		cr_assert(!symlinkat(links[i][0], root, name));
	}
	close(root);
	snprintf(name, sizeof name, "%s/in", place);
	root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void cleanup(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", place);
	cr_expect(system(command) == 0);
}

TestSuite(beneath, .init = setup, .fini = cleanup);

/* What a name leads to: the file's number, or the errno below 0. */
static long long leads_to(int fd)
{
	struct stat st;
	const long long result = fd < 0 ? -errno : fstat(fd, &st) ? -errno : (long long)st.st_ino;

	if (fd >= 0)
		close(fd);
	return result;
}

static long long number_of(const char *name)
{
	struct stat st;

	return fstatat(root, name, &st, 0) ? -errno : (long long)st.st_ino;
}

Test(beneath, names_lead_to_files_or_say_why_not)
{
	static const struct { const char *name, *file; int error; } rows[] = {
		{ "top", "top", 0 }, { "a/file", "a/file", 0 }, { "a//b/./deep", "a/b/deep", 0 }, { "a/../top", "top", 0 },
		{ "a/b/../../a/b/../file", "a/file", 0 }, { "to_file", "a/file", 0 }, { "to_a/b/deep", "a/b/deep", 0 },
		{ "a/to_b/deep", "a/b/deep", 0 }, { "a/b/up/file", "a/file", 0 }, { "a/b/up/../top", "top", 0 },
		{ "self/self/top", "top", 0 }, { "to_a_slash/file", "a/file", 0 }, { ".", ".", 0 }, { "a", "a", 0 }, { "a/", "a", 0 },
		{ "a/b/..", "a", 0 }, { "a/..", ".", 0 }, { "a/b/../", "a", 0 },
		{ "", NULL, ENOENT }, { "none", NULL, ENOENT }, { "none/top", NULL, ENOENT }, { "top/", NULL, ENOTDIR },
		{ "top/x", NULL, ENOTDIR }, { "top/.", NULL, ENOTDIR }, { "top/..", NULL, ENOTDIR }, { "..", NULL, EXDEV }, { "../secret", NULL, EXDEV },
		{ "../in/top", NULL, EXDEV }, { "a/../../secret", NULL, EXDEV }, { "/etc/passwd", NULL, EXDEV }, { "/", NULL, EXDEV },
		{ "leaves", NULL, EXDEV }, { "leaves_late", NULL, EXDEV }, { "absolute", NULL, EXDEV }, { "loop", NULL, ELOOP },
		{ "dangles", NULL, ENOENT }, { "to_file/", NULL, ENOTDIR },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const long long wanted = rows[i].file ? number_of(rows[i].file) : -rows[i].error;

		cr_expect_eq(leads_to(beneath_walk(root, rows[i].name, O_RDONLY)), wanted, "walked: %s", rows[i].name);
		cr_expect_eq(leads_to(beneath_open(root, rows[i].name, O_RDONLY)), wanted, "%s", rows[i].name);
	}
}

/* Names of parts drawn at random: as the kernel says, if it has the call. */
Test(beneath, any_name_leads_where_the_kernel_says)
{
	static const char *const parts[] = {
		"a", "b", "..", ".", "top", "file", "to_a", "to_b", "up", "self", "to_file", "leaves", "", "none", "to_a_slash", "deep",
	};
	static const int flags[] = { O_RDONLY, O_RDWR, O_PATH, O_PATH | O_DIRECTORY, O_WRONLY | O_TRUNC };
	char name[256];
	u32 seed = 1;

	for (unsigned n = 0; n < 20000; n++) {
		const unsigned count = 1 + n % 7;

		name[0] = 0;
		for (unsigned i = 0; i < count; i++) {
			seed = seed * 1664525 + 1013904223;
			strcat(strcat(name, i ? "/" : ""), parts[seed >> 28]);
		}
		const int how = flags[n % ARRAY_LEN(flags)];

		cr_expect_eq(leads_to(beneath_walk(root, name, how)), leads_to(beneath_open(root, name, how)), "%s, flags %#x", name, how);
	}
}

Test(beneath, files_are_made_where_names_lead)
{
	static const struct { const char *name, *file; int error; } rows[] = {
		{ "new1", "new1", 0 }, { "a/../new2", "new2", 0 }, { "to_a/new3", "a/new3", 0 }, { "dangles", "nothing", 0 },
		{ "../new", NULL, EXDEV }, { "leaves/new", NULL, EXDEV }, { "none/new", NULL, ENOENT }, { "new/", NULL, EISDIR },
		{ "top/new", NULL, ENOTDIR }, { "a", NULL, EISDIR }, { "a/..", NULL, EISDIR },
	};
	typedef int opens(int, const char *, int);
	opens *const both[] = { beneath_walk, beneath_open };

	for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
		const char *name = rows[i / 2].name, *file = rows[i / 2].file;
		const long long got = leads_to(both[i % 2](root, name, O_WRONLY | O_CREAT | O_TRUNC));

		cr_expect_eq(got, file ? number_of(file) : -rows[i / 2].error, "%s %s", i % 2 ? "opened" : "walked", name);
		if (file)
			unlinkat(root, file, 0);
	}
	cr_expect_eq(faccessat(root, "../new", F_OK, 0), -1);
}

/* No host directory stays open. */
Test(beneath, nothing_is_left_open)
{
	const int before = dup(root);

	close(before);
	for (unsigned i = 0; i < 100; i++) {
		close(beneath_walk(root, "a/b/../../to_a/to_b/deep", O_RDONLY));
		(void)beneath_walk(root, "a/b/../../../secret", O_RDONLY);
	}
	cr_expect_eq(dup(root), before);
}
