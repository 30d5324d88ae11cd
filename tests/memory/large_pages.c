/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: a host with pages of 64 KiB, as some kernels for aarch64 have. Calls take whole pages and refuse parts as there. */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE ((size_t)65536)
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static size_t whole(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }
static int part(uintptr_t at) { return at % PAGE != 0; }

static void *refused(void)
{
	errno = EINVAL;
	return MAP_FAILED;
}

long sysconf(int name) { return name == _SC_PAGESIZE ? (long)PAGE : REAL(sysconf)(name); }

void *mmap(void *at, size_t bytes, int rights, int flags, int fd, off_t offset)
{
	const size_t size = whole(bytes);
	char *p;

	if ((flags & MAP_FIXED && part((uintptr_t)at)) || part((uintptr_t)offset))
		return refused();
	if (flags & MAP_FIXED)
		return REAL(mmap)(at, size, rights, flags, fd, offset);
	p = REAL(mmap)(at, size + PAGE, rights, flags, fd, offset);
	if (p == MAP_FAILED)
		return p;
	const size_t before = -(uintptr_t)p % PAGE;

	if (before)
		REAL(munmap)(p, before);
	REAL(munmap)(p + before + size, PAGE - before);
	return fd < 0 || !before ? p + before : REAL(mmap)(p + before, size, rights, flags | MAP_FIXED, fd, offset);
}

int munmap(void *at, size_t bytes) { return part((uintptr_t)at) ? (errno = EINVAL, -1) : REAL(munmap)(at, whole(bytes)); }

void *mremap(void *at, size_t old, size_t size, int flags, ...)
{
	void *to = NULL;
	va_list rest;

	va_start(rest, flags);
	if (flags & MREMAP_FIXED)
		to = va_arg(rest, void *);
	va_end(rest);
	if (part((uintptr_t)at) || part((uintptr_t)to))
		return refused();
	return flags & MREMAP_FIXED ? REAL(mremap)(at, whole(old), whole(size), flags, to) : REAL(mremap)(at, whole(old), whole(size), flags);
}

int madvise(void *at, size_t bytes, int advice)
{
	return part((uintptr_t)at) ? (errno = EINVAL, -1) : REAL(madvise)(at, whole(bytes), advice);
}

int mincore(void *at, size_t bytes, unsigned char *there)
{
	const size_t small = (size_t)REAL(sysconf)(_SC_PAGESIZE), pages = whole(bytes) / PAGE;
	unsigned char one[PAGE / 4096];

	if (part((uintptr_t)at))
		return errno = EINVAL, -1;
	for (size_t i = 0; i < pages; i++) {
		if (REAL(mincore)((char *)at + i * PAGE, PAGE, one) != 0)
			return -1;
		there[i] = 0;
		for (size_t k = 0; k < PAGE / small; k++)
			there[i] |= one[k] & 1;
	}
	return 0;
}
