/* SPDX-License-Identifier: Apache-2.0 */
/* To be preloaded (LD_PRELOAD): of the calls named below the one with number FAIL_NTH fails once, as it does on a host
 * whose memory, descriptors or disk are used up. FILE of FAIL_COUNT=FILE gets the number of calls, and how many pieces of
 * memory were never given back; without FAIL_NTH nothing fails. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned long calls, nth;
static long pieces; /* given out and not given back */
static bool ready;

static void start(void)
{
	const char *text = getenv("FAIL_NTH");

	nth = text ? strtoul(text, NULL, 10) : 0;
	ready = true;
}

/* Is this the call that fails? */
static bool fails(int error)
{
	if (!ready)
		start();
	if (++calls != nth)
		return false;
	errno = error;
	return true;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* dlsym itself allocates nothing for names that are there; the C library's own entry points avoid asking. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local bool for_libdw; /* the C library's tsearch runs, called by libdw */

/* libdw 0.188 does not look whether the tables of its hashes were given (dynamicsizehash.c), and loses a unit's table where
 * tsearch has no memory (libdw_findcu.c:216): its allocations do not fail here. */
static bool from_libdw(void *caller)
{
	Dl_info from;

	return for_libdw || (dladdr(caller, &from) && from.dli_fname && strstr(from.dli_fname, "/libdw"));
}

extern void __libc_free(void *p);

static void *given(void *p)
{
	__atomic_add_fetch(&pieces, p != NULL, __ATOMIC_RELAXED);
	return p;
}

void *malloc(size_t size)
{
	return !from_libdw(__builtin_return_address(0)) && fails(ENOMEM) ? NULL : given(__libc_malloc(size));
}
void *calloc(size_t count, size_t size)
{
	return !from_libdw(__builtin_return_address(0)) && fails(ENOMEM) ? NULL : given(__libc_calloc(count, size));
}
void *realloc(void *p, size_t size)
{
	if (fails(ENOMEM))
		return NULL;
	return p ? __libc_realloc(p, size) : given(__libc_malloc(size));
}

void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
	void *found;

	for_libdw = from_libdw(__builtin_return_address(0));
	found = REAL(tsearch)(key, root, compare);
	for_libdw = false;
	return found;
}

void *aligned_alloc(size_t alignment, size_t size) { return fails(ENOMEM) ? NULL : given(__libc_memalign(alignment, size)); }
void free(void *p)
{
	__atomic_sub_fetch(&pieces, p != NULL, __ATOMIC_RELAXED);
	__libc_free(p);
}

int open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	return fails(EMFILE) ? -1 : REAL(open)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) { return fails(EMFILE) ? NULL : REAL(fopen)(path, mode); }
FILE *fdopen(int fd, const char *mode) { return fails(ENOMEM) ? NULL : REAL(fdopen)(fd, mode); }

/* As a call fails that reaches the disk: the stream remembers it (glibc's _IO_ERR_SEEN), for ferror() and who asks it later. */
static bool stream_fails(FILE *f, int error)
{
	if (!fails(error))
		return false;
	f->_flags |= 0x20;
	return true;
}

size_t fread(void *to, size_t size, size_t n, FILE *f) { return stream_fails(f, EIO) ? 0 : REAL(fread)(to, size, n, f); }
size_t fwrite(const void *from, size_t size, size_t n, FILE *f) { return stream_fails(f, ENOSPC) ? 0 : REAL(fwrite)(from, size, n, f); }

int fclose(FILE *f)
{
	const bool failed = fails(ENOSPC);
	const int result = REAL(fclose)(f);

	if (failed)
		errno = ENOSPC;
	return failed ? EOF : result;
}
ssize_t read(int fd, void *to, size_t n) { return fails(EIO) ? -1 : REAL(read)(fd, to, n); }
ssize_t write(int fd, const void *from, size_t n) { return fails(ENOSPC) ? -1 : REAL(write)(fd, from, n); }
int close(int fd)
{
	const bool failed = fails(EIO);
	const int result = REAL(close)(fd);

	if (failed)
		errno = EIO;
	return failed ? -1 : result;
}
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails(ENOMEM) ? MAP_FAILED : REAL(mmap)(at, size, protection, flags, fd, offset);
}
int ftruncate(int fd, off_t size) { return fails(EFBIG) ? -1 : REAL(ftruncate)(fd, size); }
int memfd_create(const char *name, unsigned flags) { return fails(EMFILE) ? -1 : REAL(memfd_create)(name, flags); }
int eventfd(unsigned count, int flags);
int eventfd(unsigned count, int flags) { return fails(EMFILE) ? -1 : REAL(eventfd)(count, flags); }

__attribute__((destructor)) static void count(void)
{
	const char *path = getenv("FAIL_COUNT");
	char text[64];
	const int n = snprintf(text, sizeof text, "%lu %ld\n", calls, pieces);
	const int fd = path ? REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

	if (fd >= 0 && REAL(write)(fd, text, (size_t)n) != n)
		abort();
}
