/* SPDX-License-Identifier: Apache-2.0 */
/* The payload of an `ethos-u` operator, "COP1" or "COP2": which accelerator it is for, and the command
 * stream. */
#ifndef LOADER_ETHOSU_PAYLOAD_H
#define LOADER_ETHOSU_PAYLOAD_H

#include "memory/types.h"

struct ethosu_payload {
	u32 config;       /* CONFIG register of the accelerator it was compiled for */
	u32 id;           /* ID register, architecture version */
	bool has_config;
	bool separate_io; /* inputs lie in region 3, outputs in region 4, not in region 1 (Vela's --separate-io-regions) */
	u32 stream_at;    /* of the command stream in the payload, bytes */
	u32 stream_bytes;
};

/* False with a line in `why` when the payload cannot be read. */
bool ethosu_payload_read(const u8 *bytes, u64 size, struct ethosu_payload *out, char *why,
			 size_t why_size);

#endif
