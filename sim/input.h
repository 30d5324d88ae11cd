/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of the host for a serial port's receiver: standard input or a file. */
#ifndef SIM_INPUT_H
#define SIM_INPUT_H

#include "sim/wait.h"

#include <stdio.h>

struct input {
	FILE *file; /* NULL: none. Read through its descriptor, which can be waited for */
	u32 used, filled;
	u8 buffer[512];
};

/* `path`: "-" for standard input, else a file. False with a line in `why`. */
bool input_open(struct input *in, const char *path, char *why, size_t why_size);
void input_close(struct input *in);

/* The next byte; -1 at the end, and when the run is asked to end while it waits. */
int input_get(struct input *in, const struct wait *w);

/* Where the next byte lies in the file; -1: a pipe or terminal has no places. */
i64 input_place(const struct input *in);
void input_go_to(struct input *in, i64 place); /* nothing for a place of -1 */

#endif
