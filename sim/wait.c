/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/wait.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { MOMENT_MS = 10 };

bool wait_open(struct wait *w)
{
	w->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return w->wake >= 0;
}

void wait_close(struct wait *w)
{
	if (w->wake >= 0)
		close(w->wake);
	w->wake = -1;
}

void wait_end(const struct wait *w)
{
	const u64 one = 1;
	const int before = errno;
	/* full: it is readable already */
	const ssize_t written = write(w->wake, &one, sizeof one);

	(void)written;
	errno = before;
}

static i64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (i64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Signals only interrupt: what asks for an end has also called wait_end. *nothing: it took that long, without either. */
static bool wait_for(const struct wait *w, int fd, short events, int ms, bool *nothing)
{
	struct pollfd p[] = { { .fd = w->wake, .events = POLLIN }, { .fd = fd, .events = events } };
	const i64 end = ms < 0 ? 0 : now_ms() + ms;
	int n, left = ms;

	*nothing = false;
	while ((n = poll(p, ARRAY_LEN(p), left)) < 0) {
		if (errno != EINTR)
			return true;
		left = ms < 0 ? ms : end > now_ms() ? (int)(end - now_ms()) : 0;
	}
	*nothing = !n;
	return !p[0].revents;
}

bool wait_readable(const struct wait *w, int fd)
{
	bool nothing;

	return wait_for(w, fd, POLLIN, -1, &nothing);
}

bool wait_writable(const struct wait *w, int fd)
{
	bool nothing;

	return wait_for(w, fd, POLLOUT, -1, &nothing);
}

bool wait_is_long(const struct wait *w, int fd, int milliseconds)
{
	bool nothing;

	return wait_for(w, fd, POLLIN, milliseconds, &nothing) && nothing;
}

bool wait_a_moment(const struct wait *w)
{
	bool nothing;

	return wait_for(w, -1, 0, MOMENT_MS, &nothing);
}
