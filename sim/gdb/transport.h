/* SPDX-License-Identifier: Apache-2.0 */
/* The way to a debugger: a TCP port, a socket in the file system, or standard input and output. One client at a
 * time; a second one is turned away. */
#ifndef SIM_GDB_TRANSPORT_H
#define SIM_GDB_TRANSPORT_H

#include "sim/gdb/text.h"

struct transport {
	int listener; /* -1: standard streams */
	int in, out;  /* -1: nobody is there */
	struct text refusal; /* for clients that are turned away */
	char *path;   /* of a socket in the file system; removed at the end. NULL: none */
};

/* Opens `where`: PORT (on the loopback address; 0: a free one), HOST:PORT, a path with a slash, or "-", after which the
 * guest's standard output goes to standard error. `told` (may be NULL) is where to reach it, for people. False with a line in `why`. */
bool transport_open(struct transport *t, const char *where, char *told, size_t told_size, char *why, size_t why_size);
/* Waits a moment for the client to take the last bytes. */
void transport_close(struct transport *t);

/* Somebody is there who was taken, and has not been hung up on. */
static inline bool transport_is_open(const struct transport *t) { return t->in >= 0; }
/* Behind this client another one can come: not on standard streams. */
static inline bool transport_takes_others(const struct transport *t) { return t->listener >= 0; }
/* Takes a client that waits if nobody is there, and turns away all others, who get t->refusal. True: one is there. */
bool transport_accept(struct transport *t);
void transport_hang_up(struct transport *t);

/* Waits until a client or its bytes come, a signal does, or that many milliseconds (-1: for ever) are over. */
void transport_wait(const struct transport *t, int milliseconds);
/* Bytes that are there, 0: none. A client that is gone is hung up on. */
size_t transport_read(struct transport *t, u8 *to, size_t room);
/* False: the client takes nothing for seconds, or is gone; it is hung up on. */
bool transport_write(struct transport *t, const void *data, size_t bytes);

#endif
