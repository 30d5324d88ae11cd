/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/watched.h"
#include "memory/types.h"

#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_LIMIT = 256 * 1024, DEPTH = 8 };

static const char secret[] = "not the guest's";
static char top[64], inside[96], outside[96], cwd[96];
static pid_t owner;

static int removed(const char *path, const struct stat *s, int type, struct FTW *at)
{
	return at->level ? remove(path) : 0;
}

static void empty(const char *folder)
{
	nftw(folder, removed, DEPTH, FTW_DEPTH | FTW_PHYS);
}

static void leave(void)
{
	if (getpid() != owner || chdir("/"))
		return;
	empty(top);
	rmdir(top);
}

static void fill(const char *folder, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

static void link_to(const char *name, const char *target)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", inside, name);
	if (symlink(target, path))
		abort();
}

/* While a guest runs only: libFuzzer's own files, from which it chooses the inputs of a corpus, are larger. */
static void limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	if (setrlimit(RLIMIT_FSIZE, &limit))
		abort();
}

static void begin(void)
{
	snprintf(top, sizeof top, "/tmp/fvp-sim-fuzz.XXXXXX");
	if (!mkdtemp(top))
		abort();
	snprintf(inside, sizeof inside, "%s/inside", top);
	snprintf(outside, sizeof outside, "%s/outside", top);
	snprintf(cwd, sizeof cwd, "%s/cwd", top);
	if (mkdir(inside, 0777) || mkdir(outside, 0777) || mkdir(cwd, 0777) || chdir(cwd))
		abort();
	signal(SIGXFSZ, SIG_IGN); /* the write fails instead, as under `fvp-sim` itself */
	fill(outside, "secret", secret);
	owner = getpid();
	atexit(leave);
}

const char *watched_folder(void)
{
	if (!*top)
		begin();
	return inside;
}

void watched_prepare(bool traps)
{
	empty(watched_folder());
	limit_files(FILE_LIMIT);
	if (!traps)
		return;
	fill(inside, "a.txt", "a file of the guest's\n");
	fill(inside, "b", "");
	link_to("up", "../outside");
	link_to("link", "../outside/secret");
	link_to("far", "/proc/version");
}

static unsigned entries(const char *folder)
{
	DIR *d = opendir(folder);
	unsigned n = 0;

	if (!d)
		return 0;
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2; /* . and .. */
}

void watched_check(void)
{
	char path[256], text[64] = "";

	limit_files(RLIM_INFINITY);
	snprintf(path, sizeof path, "%s/secret", outside);
	FILE *f = fopen(path, "r");
	if (f) {
		text[fread(text, 1, sizeof text - 1, f)] = 0;
		fclose(f);
	}
	if (!strcmp(text, secret) && entries(outside) == 1 && entries(cwd) == 0 && entries(top) == 3)
		return;
	fprintf(stderr, "a guest changed what is outside its folder: %s\n", top);
	abort();
}
