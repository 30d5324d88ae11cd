/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/ethosu/payload.h"

#include <string.h>

#define COP1 0x31504f43u
#define COP2 0x32504f43u
#define METADATA_TAG 0x4d554556u /* "VEUM" */

/* CONFIG in the streams of Vela 3.0, which left the product out: only U65 has 512 MACs besides U85. */
enum { CONFIG_512_MACS = 0x00006009, CONFIG_U65_512 = 0x10006009 };

enum action { ACTION_CONFIG = 1, ACTION_COMMAND_STREAM = 2, ACTION_NOP = 5 };

/* COP2: tag, version, length of the entries; an entry: type, length, content. The content of a command stream: length of
 * the metadata, metadata, stream. In words. */
enum { COP2_HEADER = 4, COP2_ENTRY = 2, COP2_COMMAND_STREAM = 1, METADATA_CONFIG = 3, METADATA_ADDRESSING = 5,
       METADATA_WORDS, SEPARATE_IO = 2 };

static bool read_actions(const uint32_t *word, const uint32_t *end, struct ethosu_payload *out)
{
	while (word < end) {
		const uint32_t tag = *word++, words = (tag >> 8 & 0xff) << 16 | tag >> 16;

		switch (tag & 0xff) {
		case ACTION_NOP:
			break;
		case ACTION_CONFIG:
			if (end - word < 2)
				return false;
			out->config = word[0] == CONFIG_512_MACS ? CONFIG_U65_512 : word[0];
			out->has_config = true;
			word += 2;
			break;
		case ACTION_COMMAND_STREAM:
			out->stream = word;
			out->stream_bytes = 4 * words;
			return words <= (uint32_t)(end - word);
		default:
			return false;
		}
	}
	return false;
}

static bool read_stream_entry(const uint32_t *content, uint32_t bytes, struct ethosu_payload *out)
{
	uint32_t metadata;

	if (bytes < 4 || *content % 4 || *content > bytes - 4)
		return false;
	metadata = *content++;
	if (metadata >= 4 * METADATA_WORDS && content[0] == METADATA_TAG) {
		out->config = content[METADATA_CONFIG];
		out->has_config = true;
		out->separate_io = content[METADATA_ADDRESSING] == SEPARATE_IO;
	}
	out->stream = content + metadata / 4;
	out->stream_bytes = (bytes - 4 - metadata) & ~3u;
	return true;
}

static bool read_entries(const uint32_t *word, const uint32_t *end, struct ethosu_payload *out)
{
	while (end - word > COP2_ENTRY) {
		const uint32_t type = word[0], bytes = word[1];

		word += COP2_ENTRY;
		if (bytes > 4 * (uint32_t)(end - word) || bytes % 4)
			return false;
		if (type == COP2_COMMAND_STREAM)
			return read_stream_entry(word, bytes, out);
		word += bytes / 4;
	}
	return false;
}

bool ethosu_payload_read(const void *data, uint32_t bytes, struct ethosu_payload *out)
{
	const uint32_t *word = data, *end = word + bytes / 4;

	*out = (struct ethosu_payload){ 0 };
	if (bytes >= 4 && word[0] == COP1)
		return read_actions(word + 1, end, out);
	if (bytes >= 4 * COP2_HEADER && word[0] == COP2)
		return read_entries(word + COP2_HEADER, end, out);
	return false;
}

bool ethosu_payload_fits(const struct ethosu_payload *p, uint32_t config)
{
	return !p->has_config || !((p->config ^ config) & 0xf000000fu);
}
