/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/script/child.h"
#include "devices/script.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { END_MS = 5000, END_AT_WORK_MS = 200, LOOK_MS = 2 };

static const char server[] =
#include "server.inc"
;

extern char **environ;

/* ---- start ---- */

static int spawn(struct child *c, int port, const char *folder, const char *module)
{
	const char *const words[] = {
		"python3", "-B", "-c", server, folder, module,
#define H(name, numbers, gives) #name,
		SCRIPT_HOOKS(H)
#undef H
		NULL
	};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;
	int error;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	error = posix_spawn_file_actions_adddup2(&files, port, STDIN_FILENO);
	error = error ? error : posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK); /* no Ctrl-C for it */
	error = error ? error : posix_spawnp(&c->pid, words[0], &files, &attributes, (char *const *)words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

bool child_start(struct child *c, const char *folder, const char *module, const char *path, char *why, size_t why_size)
{
	int port[2], error;

	*c = (struct child){ .port = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, port)) {
		snprintf(why, why_size, "the host refuses a pair of sockets for a script (see ulimit -n)");
		return false;
	}
	error = spawn(c, port[1], folder, module);
	close(port[1]);
	if (error) {
		close(port[0]);
		c->pid = 0;
		snprintf(why, why_size, "%s: python3 cannot be started: %s; install Python 3, or put it into PATH", path, strerror(error));
		return false;
	}
	c->port = port[0];
	c->at_work = true; /* it imports the script */
	return true;
}

/* ---- end ---- */

/* Has it ended within that time? */
static bool ended_within(struct child *c, int milliseconds, int *status)
{
	const struct timespec moment = { .tv_nsec = LOOK_MS * 1000000 };

	for (int waited = 0;; waited += LOOK_MS) {
		const pid_t pid = waitpid(c->pid, status, WNOHANG);

		if (pid == c->pid || (pid < 0 && errno != EINTR))
			return true;
		if (waited >= milliseconds)
			return false;
		nanosleep(&moment, NULL);
	}
}

void child_dismiss(struct child *c)
{
	if (c->port >= 0)
		close(c->port);
	c->port = -1;
}

static int end(struct child *c)
{
	int status = 0;

	child_dismiss(c);
	if (!ended_within(c, c->at_work ? END_AT_WORK_MS : END_MS, &status)) {
		kill(-c->pid, SIGKILL); /* with what it has started */
		while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	c->pid = 0;
	return status;
}

void child_end(struct child *c)
{
	if (c->pid)
		end(c);
}

void child_how(struct child *c, char *text, size_t size)
{
	c->at_work = false; /* it has ended, or does so now */

	const int status = c->pid ? end(c) : 0;

	if (WIFSIGNALED(status))
		snprintf(text, size, "was ended by signal %d", WTERMSIG(status));
	else
		snprintf(text, size, "ended with status %d", WEXITSTATUS(status));
}

/* ---- talk ---- */

static bool again(ssize_t n)
{
	return n < 0 && (errno == EINTR || errno == EAGAIN);
}

static bool send_all(struct child *c, const struct wait *w, const void *data, size_t bytes)
{
	const u8 *from = data;

	for (size_t done = 0; done < bytes;) {
		if (!wait_writable(w, c->port))
			return false;

		const ssize_t n = send(c->port, from + done, bytes - done, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n <= 0 && !again(n))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static enum child_kind receive_all(struct child *c, const struct wait *w, void *data, size_t bytes)
{
	u8 *to = data;

	for (size_t done = 0; done < bytes;) {
		if (!wait_readable(w, c->port))
			return CHILD_NO_TIME;

		const ssize_t n = recv(c->port, to + done, bytes - done, MSG_DONTWAIT);

		if (n <= 0 && !again(n))
			return CHILD_ENDED;
		done += n > 0 ? (size_t)n : 0;
	}
	return CHILD_NOTHING;
}

bool child_send(struct child *c, const struct wait *w, const struct child_call *call, const u8 *data)
{
	c->at_work = true;
	return send_all(c, w, call, sizeof *call) && send_all(c, w, data, call->bytes);
}

struct child_answer child_receive(struct child *c, const struct wait *w)
{
	struct child_answer a = { 0 };
	const enum child_kind none = receive_all(c, w, &a, sizeof a);
	const bool text = a.kind == CHILD_OTHER || a.kind == CHILD_FAILED;

	if (none)
		return (struct child_answer){ .kind = none };
	if (a.kind > CHILD_FAILED || (text && a.bytes >= CHILD_TEXT) || (!text && a.kind != CHILD_BYTES && a.bytes))
		return (struct child_answer){ .kind = CHILD_ENDED };
	c->at_work = a.bytes != 0;
	return a;
}

bool child_receive_bytes(struct child *c, const struct wait *w, u8 *to, u32 bytes)
{
	const bool all = receive_all(c, w, to, bytes) == CHILD_NOTHING;

	c->at_work = !all;
	return all;
}
