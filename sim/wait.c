/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/wait.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
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

/* Signals only interrupt: what asks for an end has also called wait_end. `timer`: another descriptor, or -1. *nothing: it became
 * readable, and nothing else did. */
static bool wait_for(const struct wait *w, int fd, short events, int timer, bool *nothing)
{
	struct pollfd p[] = { { .fd = w->wake, .events = POLLIN }, { .fd = fd, .events = events }, { .fd = timer, .events = POLLIN } };

	*nothing = false;
	while (poll(p, ARRAY_LEN(p), -1) < 0)
		if (errno != EINTR)
			return true;
	*nothing = p[2].revents && !p[1].revents;
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

/* A timer of the host's, as the library reads no clock. Without a descriptor left for it nothing is long. */
bool wait_is_long(const struct wait *w, int fd, int milliseconds)
{
	const struct itimerspec once = { .it_value = { milliseconds / 1000, milliseconds % 1000 * 1000000L + 1 /* 0 would be none */ } };
	const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	bool nothing = false, goes_on = false;

	if (timer < 0)
		return false;
	if (!timerfd_settime(timer, 0, &once, NULL))
		goes_on = wait_for(w, fd, POLLIN, timer, &nothing);
	close(timer);
	return goes_on && nothing;
}

bool wait_a_moment(const struct wait *w)
{
	struct pollfd p = { .fd = w->wake, .events = POLLIN };

	return poll(&p, 1, MOMENT_MS) <= 0;
}
