/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of ExecuTorch's semihosting runner: executor_runner -m program.pte -o out -i i0.bin -i i1.bin
 * and, our own, -d data.ptd */
#ifndef RUNTIME_APPS_ARGUMENTS_H
#define RUNTIME_APPS_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#define ARGUMENTS_MAX_INPUTS 64

struct arguments {
	const char *model;   /* file of the program or bundle */
	const char *data;    /* file of the program's data; NULL: none */
	const char *output;  /* files get -0.bin, -1.bin, ... behind this */
	const char *inputs[ARGUMENTS_MAX_INPUTS];
	unsigned input_count;
};

/* Cuts the text into words, in place. False with a line in `why` when it is not understood. */
bool arguments_read(struct arguments *a, char *text, char *why, size_t why_bytes);

#endif
