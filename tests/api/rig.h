/* SPDX-License-Identifier: Apache-2.0 */
/* A machine by the public interface, and what it tells: shared by the tests of the interface. */
#ifndef TESTS_API_RIG_H
#define TESTS_API_RIG_H

#include <fvpsim.h>
#include <stdbool.h>

struct heard {
	char text[8192];
	size_t bytes;
	unsigned operations, messages;
	struct fvpsim_machine *machine;
	int refused; /* what a callback was told that asked for too much */
	bool stop;   /* a callback asks for it */
	const char *input; /* for the program */
};

/* A machine with a program (NULL: none) that tells *h, which must outlive it; the test fails when there is none. */
struct fvpsim_machine *make(const char *board, struct heard *h, const char *program);

struct fvpsim_counts counts_of(struct fvpsim_machine *m);

/* Why the run came back. */
int run(struct fvpsim_machine *m, const struct fvpsim_until *until);

#endif
