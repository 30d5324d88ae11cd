/* SPDX-License-Identifier: Apache-2.0 */
/* The file: a head, then one frame of Zstandard (RFC 8878), which has a checksum of what it holds. */
#include "sim/packed_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "loader/file.h"
#include "sim/checksum.h"
#include "traces/output.h"

enum { LEVEL = 1 };

struct file_head {
	char magic[16];
	u32 version;   /* of this head and of what the frame holds */
	u32 word_bytes; /* numbers in the frame are the host's: bytes of a pointer; a host of other byte order shows 4 << 24 */
	u64 bytes;     /* in the frame */
	u64 sum;       /* of head and frame: the frame's own leaves out what does not change its content */
};

/* Of the head, but for the sum itself, and the frame. */
static u64 sum_of(struct file_head head, const u8 *frame, size_t size)
{
	head.sum = 0;
	return checksum(checksum(0, &head, sizeof head), frame, size);
}

/* The frame behind its head, NULL: out of host memory. */
static u8 *pack(const struct packed_kind *kind, const void *data, u64 bytes, size_t *size)
{
	struct file_head head = { .version = kind->version, .word_bytes = sizeof(void *), .bytes = bytes };
	const size_t room = ZSTD_compressBound(bytes);
	ZSTD_CCtx *context = ZSTD_createCCtx();
	u8 *file = malloc(sizeof head + room);
	size_t packed = 0;

	if (context && file) {
		ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
		packed = ZSTD_compress2(context, file + sizeof head, room, data, bytes);
	}
	if (!packed || ZSTD_isError(packed)) {
		free(file);
		file = NULL;
	}
	ZSTD_freeCCtx(context);
	if (file) {
		memcpy(head.magic, kind->magic, sizeof head.magic);
		head.sum = sum_of(head, file + sizeof head, packed);
		memcpy(file, &head, sizeof head);
	}
	*size = sizeof head + packed;
	return file;
}

enum failure packed_write(const struct packed_kind *kind, const char *path, const void *data, u64 bytes, char *why,
			  size_t why_size)
{
	size_t size = 0;
	u8 *file = pack(kind, data, bytes, &size);
	bool ok;

	if (!file) {
		snprintf(why, why_size, "host memory is short");
		return FAIL_INTERNAL;
	}
	ok = output_write(path, file, size, why, why_size);
	free(file);
	return ok ? FAIL_NONE : FAIL_NO_OUTPUT;
}

/* Checks the head; what is wrong goes to `what`. */
static enum failure check_head(const struct packed_kind *kind, const struct file_bytes *file, struct file_head *head, char *what,
			       size_t room)
{
	const u8 *frame = file->data + sizeof *head;
	const size_t size = file->size - sizeof *head;

	if (file->size < sizeof *head || memcmp(file->data, kind->magic, sizeof kind->magic)) {
		snprintf(what, room, "is no %s, or truncated", kind->noun);
		return FAIL_BAD_INPUT;
	}
	memcpy(head, file->data, sizeof *head);
	if (head->version != kind->version || head->word_bytes != sizeof(void *)) {
		snprintf(what, room, "is a %s of another version of the simulator, or of another kind of host; %s again with this one", kind->noun,
			 kind->make);
		return FAIL_MISFIT;
	}
	if (sum_of(*head, frame, size) != head->sum || ZSTD_getFrameContentSize(frame, size) != head->bytes ||
	    ZSTD_findFrameCompressedSize(frame, size) != size) {
		snprintf(what, room, "is damaged or truncated; %s or copy it again", kind->make);
		return FAIL_BAD_INPUT;
	}
	return FAIL_NONE;
}

static enum failure unpack(const struct packed_kind *kind, const struct file_bytes *file, struct state_buffer *out, char *what,
			   size_t room)
{
	struct file_head head;
	enum failure failure = check_head(kind, file, &head, what, room);
	u8 *to;

	if (failure)
		return failure;
	to = state_put(out, head.bytes);
	if (!to) {
		snprintf(what, room, "does not fit into the host's memory");
		return FAIL_INTERNAL;
	}
	if (ZSTD_decompress(to, head.bytes, file->data + sizeof head, file->size - sizeof head) == head.bytes)
		return FAIL_NONE;
	snprintf(what, room, "is damaged: its checksum does not fit; %s or copy it again", kind->make);
	return FAIL_BAD_INPUT;
}

enum failure packed_read(const struct packed_kind *kind, const char *path, struct state_buffer *out, char *why, size_t why_size)
{
	struct file_bytes file;
	enum failure failure;
	char what[200];

	if (!file_read(path, &file, why, why_size))
		return FAIL_NO_INPUT;
	failure = unpack(kind, &file, out, what, sizeof what);
	file_free(&file);
	if (failure)
		snprintf(why, why_size, "%s: %s", path, what);
	return failure;
}
