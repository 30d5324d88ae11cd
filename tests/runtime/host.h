/* SPDX-License-Identifier: Apache-2.0 */
/* A program of the embedded runtime on the host: file, memory, method. */
#ifndef TESTS_RUNTIME_HOST_H
#define TESTS_RUNTIME_HOST_H

#include "runtime/executor/method.h"

struct host_program {
	uint8_t *file, *data_bytes;
	size_t file_bytes;
	struct memory tables, planned;
	struct method_environment environment;
	struct program program;
	struct data_file data;
	struct method method;
	char why[256];
};

/* Copies the bytes and loads the method (NULL: "forward", else the first). False with a line in h->why. The Ethos-U backend
 * reads its payloads and gives zeros. host_close() in any case. */
bool host_load(struct host_program *h, const void *bytes, size_t size, const char *method);

/* The same with the program's data file, which is copied, too. */
bool host_load_data(struct host_program *h, const void *bytes, size_t size, struct span data);

/* host_load() with memories of these sizes. */
bool host_load_in(struct host_program *h, const void *bytes, size_t size, const char *method, size_t table_bytes,
		  size_t planned_bytes);

/* Gives all memory back. */
void host_close(struct host_program *h);

#endif
