/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an Ethos-U delegate: named blocks, each with a header of 32 bytes (name 16,
 * length 4, external flag 1, reserved 11) and data padded to 16. Written by ExecuTorch's
 * arm_vela.py, read on the device by VelaBinStream.cpp. */
#include <stdio.h>
#include <string.h>

#include "loader/pte.h"

enum { HEADER = 32, NAME = 16, IO_WORDS = 9 };

struct block {
	char name[NAME + 1];
	const u8 *data;
	u64 bytes;
};

static u32 word_at(const u8 *p)
{
	return p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

static bool next_block(const u8 *bytes, u64 size, u64 *at, struct block *b)
{
	if (*at > size || size - *at < HEADER)
		return false;
	memcpy(b->name, bytes + *at, NAME);
	b->name[NAME] = 0;
	b->bytes = word_at(bytes + *at + NAME);
	b->data = bytes + *at + HEADER;
	*at += HEADER;
	if (b->bytes > size - *at)
		return false;
	*at += (b->bytes + 15) & ~UINT64_C(15);
	return true;
}

/* Count, then per tensor 6 dimensions, element size, offset in scratch, region. */
static bool read_io(const struct block *b, struct vela_io *list, u32 room, u32 *count)
{
	if (b->bytes < 4)
		return false;
	*count = word_at(b->data);
	if (*count > room || b->bytes < 4 + (u64)*count * IO_WORDS * 4)
		return false;
	for (u32 i = 0; i < *count; i++) {
		const u8 *p = b->data + 4 + (u64)i * IO_WORDS * 4;
		u64 n = word_at(p + 24);
		for (unsigned d = 0; d < 6 && n <= UINT32_MAX; d++)
			n *= word_at(p + 4 * d);
		list[i] = (struct vela_io){ .bytes = n, .offset = word_at(p + 28), .region = word_at(p + 32) };
	}
	return true;
}

static bool take(const struct block *b, struct vela_stream *s)
{
	if (!strcmp(b->name, "cmd_data")) {
		s->commands = b->data;
		s->command_bytes = b->bytes;
	} else if (!strcmp(b->name, "weight_data")) {
		s->weights = b->data;
		s->weight_bytes = b->bytes;
	} else if (!strcmp(b->name, "scratch_size")) {
		s->scratch_bytes = b->bytes >= 4 ? word_at(b->data) : 0;
	} else if (!strcmp(b->name, "inputs")) {
		return read_io(b, s->inputs, ARRAY_LEN(s->inputs), &s->input_count);
	} else if (!strcmp(b->name, "outputs")) {
		return read_io(b, s->outputs, ARRAY_LEN(s->outputs), &s->output_count);
	}
	return true;
}

static bool inside_scratch(const struct vela_stream *s, const struct vela_io *io, u32 count)
{
	for (u32 i = 0; i < count; i++)
		if (io[i].bytes > s->scratch_bytes || io[i].offset > s->scratch_bytes - io[i].bytes)
			return false;
	return true;
}

bool vela_stream_read(const u8 *bytes, u64 size, struct vela_stream *out, char *why, size_t why_size)
{
	struct block b;
	u64 at = 0;

	memset(out, 0, sizeof(*out));
	snprintf(why, why_size, "the delegate's bytes are no VelaBinStream");
	if (!next_block(bytes, size, &at, &b) || strcmp(b.name, "vela_bin_stream") != 0)
		return false;
	while (next_block(bytes, size, &at, &b)) {
		if (!take(&b, out))
			break;
		if (strcmp(b.name, "vela_end_stream") != 0)
			continue;
		if (out->commands && inside_scratch(out, out->inputs, out->input_count) &&
		    inside_scratch(out, out->outputs, out->output_count))
			return true;
		break;
	}
	snprintf(why, why_size, "the delegate's VelaBinStream is damaged near byte %llu",
		 (unsigned long long)at);
	return false;
}
