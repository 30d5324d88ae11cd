/* SPDX-License-Identifier: Apache-2.0 */
/* A network compiled by Vela: a .tflite file with one `ethos-u` operator. */
#ifndef RUNTIME_NETWORK_H
#define RUNTIME_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#define NETWORK_MAX_IO 8

struct network_tensor {
	const char *name; /* not terminated: name_bytes */
	uint32_t name_bytes;
	uint32_t offset;  /* in the arena, bytes */
	uint32_t bytes;
};

struct network {
	const void *payload;   /* command stream with its driver header */
	uint32_t payload_bytes;
	const void *constants; /* region 0 */
	uint32_t arena_bytes;  /* region 1 */
	uint32_t fast_bytes;   /* region 2 */
	unsigned inputs, outputs;
	struct network_tensor input[NETWORK_MAX_IO], output[NETWORK_MAX_IO];
};

/* Points `n` into the file's bytes (which must stay); false when it is not such a network. */
bool network_open(struct network *n, const void *file);

#endif
