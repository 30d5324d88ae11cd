/* SPDX-License-Identifier: Apache-2.0 */
/* A network compiled by Vela: a .tflite file with one `ethos-u` operator. The file may be damaged: what does not lie
 * within it, or within the arena, is refused. Compiles on the host, too. */
#ifndef RUNTIME_NETWORK_H
#define RUNTIME_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NETWORK_MAX_IO 8
#define NETWORK_ALIGNMENT 16 /* of the file's bytes */

struct network_tensor {
	const char *name; /* ends with a zero */
	uint8_t type;     /* TensorType of TFLite's schema */
	uint8_t element_bytes;
	uint32_t offset;  /* in the arena, bytes */
	uint32_t bytes;   /* within the arena */
};

struct network {
	const void *payload;   /* command stream with its driver header */
	uint32_t payload_bytes;
	const void *constants; /* region 0; NULL: none */
	uint32_t constant_bytes;
	uint32_t arena_bytes;  /* region 1, and behind it regions 3 and 4 where there are 5 regions */
	uint32_t fast_bytes;   /* region 2; 0: it is the arena */
	unsigned regions;      /* 3; 5: inputs and outputs have their own (Vela's --separate-io-regions) */
	uint32_t inputs_at, outputs_at; /* regions 3 and 4 in the arena, bytes */
	unsigned inputs, outputs;
	struct network_tensor input[NETWORK_MAX_IO], output[NETWORK_MAX_IO];
};

/* Points `n` into the file's bytes, which must stay and be aligned to NETWORK_ALIGNMENT. False, with a line in `why`, when
 * it is not such a network. */
bool network_open(struct network *n, const void *file, size_t bytes, char *why, size_t why_bytes);

#endif
