/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/delegate/vela_stream.h"
#include "runtime/core/format.h"

#include <string.h>

enum { NAME_BYTES = 16, HEADER_BYTES = 32, LENGTH_AT = 16, EXTERNAL_AT = 20, KEY_BYTES = 64, MAX_IO = 1024 };

/* An input or output: sizes, 6 of them or 4 before ExecuTorch 1.0, bytes of an element, offset, region. */
enum { IO_SIZES = 6, IO_OLD_SIZES = 4, IO_REST = 3 };

static uint32_t word_at(const uint8_t *bytes, size_t index)
{
	uint32_t word;

	memcpy(&word, bytes + 4 * index, sizeof word);
	return word;
}

static size_t entry_bytes(uint32_t sizes)
{
	return 4 * (size_t)(sizes + IO_REST);
}

static bool read_table(struct span block, struct vela_table *out)
{
	size_t bytes;

	if (block.bytes < 4)
		return false;
	bytes = block.bytes - 4;
	*out = (struct vela_table){ .entries = block.data + 4, .count = word_at(block.data, 0), .sizes = IO_SIZES };
	if (out->count <= MAX_IO && bytes == out->count * entry_bytes(IO_OLD_SIZES))
		out->sizes = IO_OLD_SIZES;
	return out->count <= MAX_IO && bytes / entry_bytes(out->sizes) >= out->count;
}

/* Data of a block: behind its header, or in the program under the key that stands there. */
static struct span block_data(struct program *p, struct span data, bool is_external)
{
	return is_external ? program_named_data(p, (const char *)data.data, strnlen((const char *)data.data,
		data.bytes < KEY_BYTES ? data.bytes : KEY_BYTES)) : data;
}

static bool is_name(const uint8_t *block, const char *name)
{
	return !strncmp((const char *)block, name, NAME_BYTES);
}

static bool take_block(struct program *p, const uint8_t *block, struct span data, struct vela_stream *out)
{
	const bool is_external = block[EXTERNAL_AT] != 0;

	if (is_name(block, "cmd_data"))
		out->commands = block_data(p, data, is_external);
	else if (is_name(block, "weight_data"))
		out->weights = block_data(p, data, is_external);
	else if (is_name(block, "inputs"))
		return read_table(data, &out->inputs);
	else if (is_name(block, "outputs"))
		return read_table(data, &out->outputs);
	else if (is_name(block, "scratch_size") && data.bytes >= 4)
		out->scratch_bytes = word_at(data.data, 0);
	else if (is_name(block, "scratch_data")) /* before ExecuTorch 0.7: as many zeros */
		out->scratch_bytes = (uint32_t)data.bytes;
	return true;
}

static bool read_blocks(struct program *p, struct span data, struct vela_stream *out)
{
	size_t at = 0;

	while (data.bytes - at >= HEADER_BYTES) {
		const uint8_t *block = data.data + at;
		const uint32_t bytes = word_at(block + LENGTH_AT, 0);
		const size_t left = data.bytes - at - HEADER_BYTES;

		if (!at && !is_name(block, "vela_bin_stream"))
			return false;
		if (is_name(block, "vela_end_stream"))
			return out->commands.data && out->scratch_bytes <= INT32_MAX;
		if (bytes > left || !take_block(p, block, (struct span){ block + HEADER_BYTES, bytes }, out))
			return false;
		at += HEADER_BYTES + (((size_t)bytes + 15) & ~(size_t)15);
		if (at > data.bytes)
			return false;
	}
	return false;
}

bool vela_stream_read(struct program *p, struct span data, struct vela_stream *out, char *why, size_t why_bytes)
{
	*out = (struct vela_stream){ 0 };
	if (read_blocks(p, data, out) && !((uintptr_t)out->commands.data % 16) && !((uintptr_t)out->weights.data % 16))
		return true;
	format_text(why, why_bytes, "its data is not a complete Vela stream at a multiple of 16 bytes: export the program again");
	return false;
}

bool vela_stream_io(const struct vela_stream *s, const struct vela_table *table, uint32_t index, struct vela_io *out)
{
	const uint8_t *entry = table->entries + index * entry_bytes(table->sizes);
	const uint32_t element = word_at(entry, table->sizes);
	uint64_t bytes = element;

	*out = (struct vela_io){ .line_bytes = element, .offset = word_at(entry, table->sizes + 1) };
	for (unsigned i = 0; i < table->sizes; i++) {
		const uint32_t size = word_at(entry, i);

		if (!size) /* what a tensor of fewer dimensions leaves */
			continue;
		out->line_bytes = size * element;
		bytes *= size;
		if (bytes > INT32_MAX)
			return false;
	}
	out->bytes = (uint32_t)bytes;
	return out->offset <= s->scratch_bytes && out->bytes <= s->scratch_bytes - out->offset;
}
