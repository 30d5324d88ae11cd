/* SPDX-License-Identifier: Apache-2.0 */
#include "loader/vela_bin.h"
#include "loader/bytes.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 16, HEADER_BYTES = 32, LENGTH_AT = 16, EXTERNAL_AT = 20 };

/* An input or output: sizes, 6 of them or 4 before ExecuTorch 1.0, bytes per element, offset, region. */
enum { IO_SIZES = 6, IO_OLD_SIZES = 4, IO_REST = 3 };

static u64 entry_bytes(u32 sizes)
{
	return UINT64_C(4) * (sizes + IO_REST);
}

static struct vela_bin_io entry_at(const u8 *p, u32 sizes)
{
	const u32 element = le32_at(p + 4 * sizes);
	struct vela_bin_io io = { element, element, le32_at(p + 4 * (sizes + 1)), le32_at(p + 4 * (sizes + 2)) };

	for (u32 d = 0; d < sizes; d++) {
		const u32 size = le32_at(p + 4 * d);

		if (!size) /* what a tensor of fewer dimensions leaves */
			continue;
		io.line_bytes = UINT64_C(1) * size * element;
		io.bytes = io.bytes * size > UINT32_MAX ? UINT64_C(1) << 32 : io.bytes * size;
	}
	return io;
}

/* Count, then that many entries. */
static bool read_io(const u8 *data, u64 size, struct vela_bin_io *io, u32 *count)
{
	u32 sizes = IO_SIZES;

	if (size < 4 || (*count = le32_at(data)) > VELA_BIN_IO)
		return false;
	if (size == 4 + *count * entry_bytes(IO_OLD_SIZES))
		sizes = IO_OLD_SIZES;
	if (size < 4 + *count * entry_bytes(sizes))
		return false;
	for (u32 i = 0; i < *count; i++)
		io[i] = entry_at(data + 4 + i * entry_bytes(sizes), sizes);
	return true;
}

static void set_block(struct vela_bin_block *b, const u8 *data, u64 size, bool external)
{
	const u64 key = size < VELA_BIN_KEY ? size : VELA_BIN_KEY;

	*b = (struct vela_bin_block){ .data = external ? NULL : data, .size = size };
	if (external)
		memcpy(b->key, data, key);
}

static bool take(struct vela_bin *out, const char *name, const u8 *data, u64 size, bool external)
{
	if (!strcmp(name, "cmd_data"))
		set_block(&out->commands, data, size, external);
	else if (!strcmp(name, "weight_data"))
		set_block(&out->weights, data, size, external);
	else if (!strcmp(name, "scratch_size") && size >= 4)
		out->scratch_bytes = le32_at(data);
	else if (!strcmp(name, "scratch_data")) /* before ExecuTorch 0.7: as many zeros */
		out->scratch_bytes = size;
	else if (!strcmp(name, "inputs"))
		return read_io(data, size, out->inputs, &out->input_count);
	else if (!strcmp(name, "outputs"))
		return read_io(data, size, out->outputs, &out->output_count);
	return true;
}

bool vela_bin_read(const u8 *bytes, u64 size, struct vela_bin *out, char *why, size_t why_size)
{
	char name[NAME_BYTES + 1] = "";
	u64 at = 0;

	*out = (struct vela_bin){ 0 };
	snprintf(why, why_size, "the delegate's payload is not a complete Vela stream: export the program again");
	while (size - at >= HEADER_BYTES) {
		const u64 length = le32_at(bytes + at + LENGTH_AT);

		memcpy(name, bytes + at, NAME_BYTES);
		if (!at && strcmp(name, "vela_bin_stream"))
			return false;
		if (!strcmp(name, "vela_end_stream"))
			return out->commands.size > 0;
		if (length > size - at - HEADER_BYTES ||
		    !take(out, name, bytes + at + HEADER_BYTES, length, bytes[at + EXTERNAL_AT]))
			return false;
		at += HEADER_BYTES + ((length + 15) & ~UINT64_C(15));
		if (at > size)
			return false;
	}
	return false;
}
