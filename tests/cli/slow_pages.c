/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded: a host that takes 5 ms to bring a page, and says so on the standard error when a process wants no huge ones any more. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long long nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int madvise(void *p, size_t bytes, int advice)
{
	const long long start = nanoseconds();

	if (advice == MADV_HUGEPAGE)
		return 0;
	while (advice == MADV_POPULATE_WRITE && bytes == 4096 && nanoseconds() - start < 5000000)
		;
	return REAL(madvise)(p, bytes, advice);
}

int prctl(int option, ...)
{
	static const char line[] = "small pages\n";
	unsigned long a[4];
	va_list rest;

	va_start(rest, option);
	for (unsigned i = 0; i < 4; i++)
		a[i] = va_arg(rest, unsigned long);
	va_end(rest);
	if (option == PR_SET_THP_DISABLE)
		return write(STDERR_FILENO, line, sizeof(line) - 1) < 0;
	return REAL(prctl)(option, a[0], a[1], a[2], a[3]);
}
