/* SPDX-License-Identifier: Apache-2.0 */
/* "Vela bin stream": what ExecuTorch's Ethos-U backend stores as its delegate payload. Blocks of
 * a 16-byte name, a length, a flag "stored elsewhere under a key", padding to 16 bytes, data. */
#ifndef LOADER_VELA_BIN_H
#define LOADER_VELA_BIN_H

#include "memory/types.h"

enum { VELA_BIN_IO = 32, VELA_BIN_KEY = 64 };

struct vela_bin_io {
	u64 bytes;      /* of the whole tensor */
	u64 line_bytes; /* of the last dimension */
	u32 offset;     /* in the region, bytes */
	u32 region;
};

struct vela_bin_block {
	const u8 *data; /* NULL: stored under `key` */
	u64 size;
	char key[VELA_BIN_KEY + 1];
};

struct vela_bin {
	struct vela_bin_block commands; /* an ethosu_payload */
	struct vela_bin_block weights;  /* region 0 */
	u64 scratch_bytes;              /* size of region 1, which inputs and outputs lie in, too */
	u32 input_count, output_count;
	struct vela_bin_io inputs[VELA_BIN_IO], outputs[VELA_BIN_IO];
};

/* False with a line in `why` when the bytes are no such stream. */
bool vela_bin_read(const u8 *bytes, u64 size, struct vela_bin *out, char *why, size_t why_size);

#endif
