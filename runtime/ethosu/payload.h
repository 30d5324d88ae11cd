/* SPDX-License-Identifier: Apache-2.0 */
/* What Vela hands to a driver: "COP1", then driver actions, one of which is the command stream; or "COP2" (Vela's
 * option --cop-format), entries with metadata. Compiles on the host, too. */
#ifndef RUNTIME_ETHOSU_PAYLOAD_H
#define RUNTIME_ETHOSU_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct ethosu_payload {
	const uint32_t *stream;
	uint32_t stream_bytes;
	uint32_t config;  /* CONFIG register of the accelerator it was compiled for */
	bool has_config;
	bool separate_io; /* inputs lie in region 3, outputs in region 4, not in region 1 (Vela's --separate-io-regions) */
};

/* `bytes` of a payload at `data`, which is aligned to 16 bytes. False when it is none, or damaged. */
bool ethosu_payload_read(const void *data, uint32_t bytes, struct ethosu_payload *out);

/* Whether an accelerator with this CONFIG register runs it: product and MACs per cycle must agree (CONFIG[31:28],
 * CONFIG[3:0]). A payload that does not say what it was compiled for runs anywhere. */
bool ethosu_payload_fits(const struct ethosu_payload *p, uint32_t config);

#endif
