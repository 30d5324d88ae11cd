/* SPDX-License-Identifier: Apache-2.0 */
/* The payload of ExecuTorch's Ethos-U backend: "vela_bin_stream", blocks of a 16-byte name, a length, a flag "the data
 * lies in the program under this key", padding to 16 bytes, data. Compiles on the host, too. */
#ifndef RUNTIME_DELEGATE_VELA_STREAM_H
#define RUNTIME_DELEGATE_VELA_STREAM_H

#include "runtime/program/program.h"

struct vela_io {
	uint32_t bytes;      /* of the whole tensor, as the NPU sees it */
	uint32_t line_bytes; /* of its last dimension */
	uint32_t offset;     /* in the scratch memory, bytes */
};

/* Of inputs or outputs, for vela_stream_io(). */
struct vela_table {
	const uint8_t *entries;
	uint32_t count, sizes; /* entries; dimensions of each */
};

struct vela_stream {
	struct span commands; /* a payload for the driver */
	struct span weights;  /* region 0 */
	uint32_t scratch_bytes;
	struct vela_table inputs, outputs;
};

/* Reads the stream in place. False with a line in `why`. */
bool vela_stream_read(struct program *p, struct span data, struct vela_stream *out, char *why, size_t why_bytes);

/* Entry of a table of inputs or outputs. False when it does not lie inside of the scratch memory. */
bool vela_stream_io(const struct vela_stream *s, const struct vela_table *table, uint32_t index, struct vela_io *out);

#endif
