/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for the host (standard input, pipes) in a way that ends when the run is asked to end. */
#ifndef SIM_WAIT_H
#define SIM_WAIT_H

#include "memory/types.h"

struct wait {
	int wake; /* becomes readable, for good, when the run is asked to end */
};

/* False when the host gives no descriptor. */
bool wait_open(struct wait *w);
void wait_close(struct wait *w);

/* Ends all waiting, now and from now on. May be called by signal handlers and other threads. */
void wait_end(const struct wait *w);

/* Until reading from `fd` (writing to it) would not block: true; false: the run is asked to end. What cannot be waited
 * for, a closed descriptor for one, counts as ready: the call that follows says what is wrong. */
bool wait_readable(const struct wait *w, int fd);
bool wait_writable(const struct wait *w, int fd);

/* Does reading block, and the run not end, for so many milliseconds? */
bool wait_is_long(const struct wait *w, int fd, int milliseconds);

/* For some milliseconds; false: the run is asked to end. */
bool wait_a_moment(const struct wait *w);

#endif
