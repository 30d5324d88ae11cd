/* SPDX-License-Identifier: Apache-2.0 */
/* The C library's system calls: a heap in the first SRAM, no files. */
#include <errno.h>
#include <sys/stat.h>
#include <sys/times.h>

#include "real.h"

#define HEAP 0x31000000u
#define HEAP_BYTES (2u << 20)

void *_sbrk(int bytes)
{
	static unsigned used;

	if (used + (unsigned)bytes > HEAP_BYTES) {
		errno = ENOMEM;
		return (void *)-1;
	}
	used += (unsigned)bytes;
	return (void *)(HEAP + used - (unsigned)bytes);
}
int _write(int file, const void *bytes, unsigned count) { return (void)file, (void)bytes, (int)count; }
int _read(int file, void *bytes, unsigned count) { return (void)file, (void)bytes, (void)count, 0; }
int _open(const char *name, int flags) { return (void)name, (void)flags, -1; }
int _close(int file) { return (void)file, -1; }
int _lseek(int file, int at, int from) { return (void)file, (void)at, (void)from, 0; }
int _isatty(int file) { return (void)file, 1; }
int _fstat(int file, struct stat *s) { return (void)file, s->st_mode = S_IFCHR, 0; }
int _kill(int process, int number) { return (void)process, (void)number, -1; }
int _getpid(void) { return 1; }
int _unlink(const char *name) { return (void)name, -1; }
int _link(const char *from, const char *to) { return (void)from, (void)to, -1; }
clock_t _times(struct tms *t) { return memset(t, 0, sizeof(*t)), 0; }
int _gettimeofday(void *t, void *zone) { return (void)zone, memset(t, 0, 16), 0; }
void _exit(int status)
{
	(void)status;
	for (;;)
		;
}

void real_text(char *to, unsigned bytes)
{
	static const char *const words[] = { "the ", "of ", "memory ", "and ", "register ", "value ", "is ", "processor ", "at ", "when ",
					     "address ", "in ", "not ", "1024", ", ", ".\n", "state ", "an ", "instruction ", "0x%08x " };
	unsigned seed = 12345, at = 0;

	while (at < bytes) {
		seed = seed * 1664525 + 1013904223;
		for (const char *w = words[(seed >> 16) % 20]; *w && at < bytes;)
			to[at++] = *w++;
	}
}

unsigned real_sum(unsigned sum, const void *bytes, unsigned count)
{
	const unsigned char *p = bytes;

	while (count--)
		sum = (sum << 5 | sum >> 27) ^ *p++;
	return sum;
}
