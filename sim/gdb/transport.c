/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/gdb/transport.h"
#include "traces/reader.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000, LAST_WORDS = 20, LAST_WORDS_MS = 50, MOMENT_MS = 200 };

static bool fail(const char *where, char *why, size_t why_size)
{
	snprintf(why, why_size, "--gdb %s: %s; give a free port, HOST:PORT, a path with a slash for a socket, or -", where,
		 strerror(errno));
	return false;
}

/* The protocol takes the streams over; whatever else would be printed there goes to standard error. */
static bool open_standard(struct transport *t)
{
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	t->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	t->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	const bool ok = nothing >= 0 && t->in >= 0 && t->out >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
			dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 && fcntl(t->in, F_SETFL, fcntl(t->in, F_GETFL) | O_NONBLOCK) >= 0;
	if (nothing >= 0)
		close(nothing);
	return ok;
}

static bool listen_at(struct transport *t, const struct sockaddr *address, socklen_t bytes)
{
	const int on = 1;

	t->listener = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return t->listener >= 0 && setsockopt(t->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
	       bind(t->listener, address, bytes) == 0 && listen(t->listener, 4) == 0;
}

static bool open_path(struct transport *t, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat old;

	if (strlen(path) >= sizeof address.sun_path) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(address.sun_path, path);
	if (lstat(path, &old) == 0 && S_ISSOCK(old.st_mode)) /* of a run that was killed */
		unlink(path);
	if (!listen_at(t, (struct sockaddr *)&address, sizeof address))
		return false;
	t->path = strdup(path);
	return t->path != NULL;
}

static bool open_port(struct transport *t, const char *where)
{
	const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;
	const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | AI_PASSIVE };
	char host[256] = "127.0.0.1";
	struct addrinfo *found;

	if (colon)
		snprintf(host, sizeof host, "%.*s", (int)(colon - where), where);
	errno = EINVAL;
	if (!*port || strspn(port, "0123456789") != strlen(port) || strtoul(port, NULL, 10) > 65535 ||
	    getaddrinfo(*host ? host : "127.0.0.1", port, &hints, &found))
		return false;
	const bool ok = listen_at(t, found->ai_addr, found->ai_addrlen);
	const int error = errno;
	freeaddrinfo(found);
	errno = error;
	return ok;
}

static void tell_port(const struct transport *t, char *told, size_t told_size)
{
	struct sockaddr_in at = { 0 };
	socklen_t bytes = sizeof at;
	char host[INET_ADDRSTRLEN] = "";

	getsockname(t->listener, (struct sockaddr *)&at, &bytes);
	inet_ntop(AF_INET, &at.sin_addr, host, sizeof host);
	snprintf(told, told_size, "target remote %s:%u", host, ntohs(at.sin_port));
}

bool transport_open(struct transport *t, const char *where, char *told, size_t told_size, char *why, size_t why_size)
{
	char unused[1];

	*t = (struct transport){ .listener = -1, .in = -1, .out = -1 };
	if (!told) {
		told = unused;
		told_size = sizeof unused;
	}
	if (!where)
		return false;
	if (!strcmp(where, "-")) {
		snprintf(told, told_size, "standard input and output");
		return open_standard(t) || fail(where, why, why_size);
	}
	if (strchr(where, '/')) {
		snprintf(told, told_size, "target remote %s", where);
		return open_path(t, where) || fail(where, why, why_size);
	}
	if (!open_port(t, where))
		return fail(where, why, why_size);
	tell_port(t, told, told_size);
	return true;
}

/* A connection that is closed with bytes unread is reset, and the client may not see the last packet. */
static void finish(struct transport *t)
{
	const i64 since = reader_begin();
	u8 rest[256];

	if (t->in < 0 || shutdown(t->out, SHUT_WR) < 0)
		return;
	for (int i = 0; i < LAST_WORDS && t->in >= 0; i++) { /* the library has no clock */
		struct pollfd wait = { .fd = t->in, .events = POLLIN };

		if (poll(&wait, 1, LAST_WORDS_MS) < 0 && !reader_again(since))
			break;
		while (transport_read(t, rest, sizeof rest))
			;
	}
}

void transport_close(struct transport *t)
{
	finish(t);
	transport_hang_up(t);
	if (t->listener >= 0)
		close(t->listener);
	if (t->path)
		unlink(t->path);
	free(t->path);
	text_free(&t->refusal);
	*t = (struct transport){ .listener = -1, .in = -1, .out = -1 };
}

/* A client that has not said its first word yet would find the connection broken, and one that is closed with bytes unread is
 * reset: in both cases nobody reads why. */
static void refuse(const struct transport *t, int fd)
{
	struct pollfd first = { .fd = fd, .events = POLLIN };
	u8 said[256];

	poll(&first, 1, MOMENT_MS);
	send(fd, t->refusal.data, t->refusal.bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(fd, SHUT_WR);
	while (recv(fd, said, sizeof said, MSG_DONTWAIT) > 0)
		;
	close(fd);
}

bool transport_accept(struct transport *t)
{
	int fd;

	while (t->listener >= 0 && (fd = accept4(t->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
		const int on = 1;

		if (t->in >= 0) {
			refuse(t, fd);
			continue;
		}
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); /* fails for sockets in the file system */
		setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
		t->in = t->out = fd;
	}
	return t->in >= 0;
}

void transport_hang_up(struct transport *t)
{
	if (t->in >= 0)
		close(t->in);
	if (t->out >= 0 && t->out != t->in)
		close(t->out);
	t->in = t->out = -1;
}

void transport_wait(const struct transport *t, int milliseconds)
{
	struct pollfd wait[2] = { { .fd = t->listener, .events = POLLIN }, { .fd = t->in, .events = POLLIN } };

	poll(wait, 2, milliseconds);
}

size_t transport_read(struct transport *t, u8 *to, size_t room)
{
	if (t->in < 0)
		return 0;
	const ssize_t n = read(t->in, to, room);

	if (n > 0)
		return (size_t)n;
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		transport_hang_up(t);
	return 0;
}

static ssize_t put(int fd, const void *data, size_t bytes, i64 since)
{
	ssize_t n;

	do {
		n = send(fd, data, bytes, MSG_NOSIGNAL);
		if (n < 0 && errno == ENOTSOCK)
			n = write(fd, data, bytes);
	} while (n < 0 && reader_again(since));
	return n;
}

static bool has_room(int fd, i64 since)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	int ready;

	do
		ready = poll(&room, 1, PATIENCE_MS);
	while (ready < 0 && reader_again(since));
	return ready > 0;
}

bool transport_write(struct transport *t, const void *data, size_t bytes)
{
	const char *from = data;

	while (bytes && t->out >= 0) {
		const i64 since = reader_begin();
		const ssize_t n = put(t->out, from, bytes, since);

		if (n > 0) {
			from += n;
			bytes -= (size_t)n;
		} else if (n == 0 || errno != EAGAIN || !has_room(t->out, since)) {
			transport_hang_up(t);
		}
	}
	return t->out >= 0;
}
