/* SPDX-License-Identifier: Apache-2.0 */
/* Payload of a custom operator: driver actions ("COP1", what the core driver reads) or entries with
 * metadata ("COP2", Vela's option --cop-format). */
#include "loader/ethosu_payload.h"
#include "loader/bytes.h"

#include <stdio.h>
#include <string.h>

/* CONFIG in the streams of Vela 3.0, which left the product out: only U65 has 512 MACs besides U85. */
enum { CONFIG_512_MACS = 0x00006009, CONFIG_U65_512 = 0x10006009 };

enum { ACTION_CONFIG = 1, ACTION_STREAM = 2, ACTION_NOP = 5 };

/* COP2: tag, version, length of the entries (8 bytes); an entry: type, length, content. The content of
 * a command stream: length of the metadata, metadata, stream. Metadata: tag, version, length, then
 * CONFIG, ID and what a driver needs to know about memory; padding up to the stream. */
enum { COP2_HEADER = 16, COP2_ENTRY = 8, COP2_COMMAND_STREAM = 1, METADATA_CONFIG = 12,
       METADATA_ADDRESSING = 20, METADATA_BYTES = 24, SEPARATE_IO = 2 };

struct reading {
	const u8 *bytes;
	u64 size;
	char *why;
	size_t why_size;
};

static bool cut_off(const struct reading *r, const char *what, u64 at)
{
	snprintf(r->why, r->why_size, "%s at byte %llu is cut off by the end of the payload", what,
		 (unsigned long long)at);
	return false;
}

static bool no_stream(const struct reading *r)
{
	snprintf(r->why, r->why_size, "the payload holds no command stream");
	return false;
}

static void set_config(struct ethosu_payload *out, const u8 *bytes, u64 at)
{
	out->config = le32_at(bytes + at);
	if (out->config == CONFIG_512_MACS)
		out->config = CONFIG_U65_512;
	out->id = le32_at(bytes + at + 4);
	out->has_config = true;
}

static bool read_actions(const struct reading *r, struct ethosu_payload *out)
{
	for (u64 at = 4; at + 4 <= r->size;) {
		u32 word = le32_at(r->bytes + at);
		u32 length = (word >> 16) | (word >> 8 & 0xff) << 16; /* words */
		switch (word & 0xff) {
		case ACTION_CONFIG:
			if (at + 12 > r->size)
				return cut_off(r, "driver action", at);
			set_config(out, r->bytes, at + 4);
			at += 12;
			break;
		case ACTION_STREAM:
			if (at + 4 + 4 * (u64)length > r->size)
				return cut_off(r, "driver action", at);
			out->stream_at = (u32)at + 4;
			out->stream_bytes = 4 * length;
			return true;
		case ACTION_NOP:
			at += 4;
			break;
		default:
			snprintf(r->why, r->why_size, "unknown driver action %u at byte %llu of the payload",
				 word & 0xff, (unsigned long long)at);
			return false;
		}
	}
	return no_stream(r);
}

static void read_metadata(const struct reading *r, u64 at, struct ethosu_payload *out)
{
	if (memcmp(r->bytes + at, "VEUM", 4) != 0)
		return;
	set_config(out, r->bytes, at + METADATA_CONFIG);
	out->separate_io = le32_at(r->bytes + at + METADATA_ADDRESSING) == SEPARATE_IO;
}

static bool read_entries(const struct reading *r, struct ethosu_payload *out)
{
	for (u64 at = COP2_HEADER; at + COP2_ENTRY <= r->size;) {
		u64 content = at + COP2_ENTRY, length = le32_at(r->bytes + at + 4);
		if (length > r->size - content)
			return cut_off(r, "entry", at);
		if (le32_at(r->bytes + at) == COP2_COMMAND_STREAM) {
			u64 metadata = length >= 4 ? le32_at(r->bytes + content) : 0;
			if (length < 4 || metadata > length - 4)
				return cut_off(r, "metadata of the command stream", content);
			if (metadata >= METADATA_BYTES)
				read_metadata(r, content + 4, out);
			out->stream_at = (u32)(content + 4 + metadata);
			out->stream_bytes = (u32)(length - 4 - metadata) & ~3u;
			return true;
		}
		at = content + length;
	}
	return no_stream(r);
}

bool ethosu_payload_read(const u8 *bytes, u64 size, struct ethosu_payload *out, char *why,
			 size_t why_size)
{
	struct reading r = { bytes, size, why, why_size };

	*out = (struct ethosu_payload){ 0 };
	if (size >= 4 && memcmp(bytes, "COP1", 4) == 0)
		return read_actions(&r, out);
	if (size >= 4 && memcmp(bytes, "COP2", 4) == 0)
		return read_entries(&r, out);
	snprintf(why, why_size, "no COP1 or COP2 payload at the start of the command stream; "
		 "compile the model again with vela");
	return false;
}
