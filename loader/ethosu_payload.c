/* SPDX-License-Identifier: Apache-2.0 */
/* Driver actions of a custom operator payload, as Vela writes and the core driver reads them. */
#include "loader/ethosu_payload.h"

#include <stdio.h>
#include <string.h>

enum { ACTION_CONFIG = 1, ACTION_STREAM = 2, ACTION_NOP = 5 };

static u32 word_at(const u8 *bytes, u64 at)
{
	return bytes[at] | (u32)bytes[at + 1] << 8 | (u32)bytes[at + 2] << 16 | (u32)bytes[at + 3] << 24;
}

bool ethosu_payload_read(const u8 *bytes, u64 size, struct ethosu_payload *out, char *why,
			 size_t why_size)
{
	*out = (struct ethosu_payload){ 0 };
	if (size < 4 || (memcmp(bytes, "COP1", 4) != 0 && memcmp(bytes, "COP2", 4) != 0)) {
		snprintf(why, why_size, "no COP1/COP2 payload at the start of the command stream tensor");
		return false;
	}
	for (u64 at = 4; at + 4 <= size;) {
		u32 word = word_at(bytes, at);
		u32 length = (word >> 16) | (word >> 8 & 0xff) << 16; /* words */
		switch (word & 0xff) {
		case ACTION_CONFIG:
			if (at + 12 > size)
				break;
			out->config = word_at(bytes, at + 4);
			out->id = word_at(bytes, at + 8);
			out->has_config = true;
			at += 12;
			continue;
		case ACTION_STREAM:
			if (at + 4 + 4 * (u64)length > size)
				break;
			out->stream_at = (u32)at + 4;
			out->stream_bytes = 4 * length;
			return true;
		case ACTION_NOP:
			at += 4;
			continue;
		default:
			snprintf(why, why_size, "unknown driver action %u at byte %llu of the payload",
				 word & 0xff, (unsigned long long)at);
			return false;
		}
		snprintf(why, why_size, "driver action at byte %llu is cut off by the end of the payload",
			 (unsigned long long)at);
		return false;
	}
	snprintf(why, why_size, "the payload holds no command stream");
	return false;
}
