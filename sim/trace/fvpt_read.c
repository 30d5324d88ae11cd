/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the compact binary trace. Nothing in the file is believed: each number is checked before it is used. */
#include "sim/trace/fvpt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct fvpt_reader {
	FILE *file;
	struct fvpt_context known;
	u64 offset;          /* of the block in the file */
	u32 at, bytes;       /* in `block` */
	bool bad;            /* the block's bytes are not those of records */
	bool cut;            /* the file ends in the block: its first records are as they were written */
	u8 block[FVPT_BLOCK_MAX];
};

static u32 word(const u8 *p)
{
	return p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

struct fvpt_reader *fvpt_reader_new(FILE *f, char *why, size_t why_size)
{
	u8 head[FVPT_HEAD];

	if (fread(head, 1, sizeof head, f) != sizeof head || memcmp(head, FVPT_MAGIC, sizeof FVPT_MAGIC) != 0) {
		snprintf(why, why_size, "is no trace of the kind fvpt");
		return NULL;
	}
	if (word(head + sizeof FVPT_MAGIC) != FVPT_VERSION) {
		snprintf(why, why_size, "has version %u of the format, this program reads version %u", word(head + sizeof FVPT_MAGIC), FVPT_VERSION);
		return NULL;
	}
	struct fvpt_reader *r = calloc(1, sizeof *r);
	if (!r) {
		snprintf(why, why_size, "host memory is short");
		return NULL;
	}
	r->file = f;
	r->offset = sizeof head;
	return r;
}

void fvpt_reader_free(struct fvpt_reader *r)
{
	free(r);
}

/* ---- numbers; beyond the block's end they are 0 and the block is bad ---- */

static u8 take_byte(struct fvpt_reader *r)
{
	if (r->at < r->bytes)
		return r->block[r->at++];
	r->bad = true;
	return 0;
}

static u64 take_varint(struct fvpt_reader *r)
{
	u64 v = 0;
	u8 byte;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		byte = take_byte(r);
		v |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	r->bad = true;
	return 0;
}

static u32 take_signed(struct fvpt_reader *r)
{
	const u32 v = (u32)take_varint(r);

	return v >> 1 ^ (0u - (v & 1));
}

static u32 take_bytes(struct fvpt_reader *r, unsigned bytes)
{
	u32 v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (u32)take_byte(r) << 8 * i;
	return v;
}

/* ---- records ---- */

static bool is_access(u8 byte)
{
	const unsigned bytes = byte & (FVPT_ACCESS_WRITES - 1u);

	return byte < 2 * FVPT_ACCESS_WRITES && (bytes == 1 || bytes == 2 || bytes == 4);
}

/* Into the record, and into what is kept, lists that are short enough. */
static void take_shape(struct fvpt_reader *r, struct cpu_record *i, struct fvpt_shape *kept)
{
	*kept = (struct fvpt_shape){ .pc = i->pc };
	kept->length = take_byte(r);
	r->bad |= kept->length != 2 && kept->length != 4;
	kept->encoding = take_bytes(r, r->bad ? 0 : kept->length);
	kept->writes = take_byte(r);
	r->bad |= kept->writes > CPU_RECORD_WRITES;
	for (unsigned k = 0; !r->bad && k < kept->writes; k++) {
		const u8 reg = take_byte(r);

		r->bad |= reg >= FVPT_REGISTERS;
		i->write[k].reg = reg;
		kept->reg[k % FVPT_SHAPE_LIST] = reg;
	}
	kept->accesses = take_byte(r);
	r->bad |= kept->accesses > CPU_RECORD_ACCESSES;
	for (unsigned k = 0; !r->bad && k < kept->accesses; k++) {
		const u8 access = take_byte(r);

		r->bad |= !is_access(access);
		i->access[k] = (struct cpu_access){ .bytes = access & (FVPT_ACCESS_WRITES - 1), .write = access & FVPT_ACCESS_WRITES };
		kept->access[k % FVPT_SHAPE_LIST] = access;
	}
}

static void repeat_shape(struct fvpt_reader *r, struct cpu_record *i, const struct fvpt_shape *kept)
{
	if (kept->pc != i->pc || !kept->length || kept->writes > FVPT_SHAPE_LIST || kept->accesses > FVPT_SHAPE_LIST) {
		r->bad = true;
		return;
	}
	for (unsigned k = 0; k < kept->writes; k++)
		i->write[k].reg = kept->reg[k];
	for (unsigned k = 0; k < kept->accesses; k++)
		i->access[k] = (struct cpu_access){ .bytes = kept->access[k] & (FVPT_ACCESS_WRITES - 1), .write = kept->access[k] & FVPT_ACCESS_WRITES };
}

static void take_values(struct fvpt_reader *r, struct cpu_record *i, u32 addr)
{
	for (unsigned k = 0; k < i->writes; k++) {
		u32 *before = &r->known.value[i->write[k].reg];

		i->write[k].value = *before += take_signed(r);
	}
	for (unsigned k = 0; k < i->accesses; k++) {
		i->access[k].addr = addr + take_signed(r);
		addr = i->access[k].addr + i->access[k].bytes;
		i->access[k].value = take_bytes(r, i->access[k].bytes);
	}
}

static void take_instruction(struct fvpt_reader *r, u8 head, struct cpu_record *i)
{
	struct fvpt_context *k = &r->known;
	u8 state = k->state;

	i->pc = k->pc + (head & FVPT_JUMP ? take_signed(r) : 0);
	struct fvpt_shape *kept = &k->shape[i->pc >> 1 & (FVPT_SHAPES - 1)];
	if (head & FVPT_SHAPE)
		take_shape(r, i, kept);
	else
		repeat_shape(r, i, kept);
	i->cycle = k->cycle + (head & FVPT_TIME ? take_varint(r) : 1);
	if (head & FVPT_STATE)
		state = take_byte(r);
	i->number = k->number + (state & FVPT_NUMBER ? take_varint(r) : 1);
	r->bad |= head & ~FVPT_HEAD_BITS || state & ~FVPT_STATE_BITS;
	if (r->bad)
		return;
	i->encoding = kept->encoding;
	i->length = kept->length;
	i->writes = kept->writes;
	i->accesses = kept->accesses;
	i->secure = state & FVPT_SECURE;
	i->handler = state & FVPT_HANDLER;
	i->executed = !(state & FVPT_SKIPPED);
	i->abandoned = state & FVPT_ABANDONED;
	take_values(r, i, kept->addr);
	kept->addr = i->accesses ? i->access[0].addr : 0;
	k->pc = i->pc + i->length;
	k->cycle = i->cycle;
	k->number = i->number;
	k->state = state & (u8)~FVPT_NUMBER;
}

static void take_event(struct fvpt_reader *r, u8 head, struct trace_exception *e)
{
	r->bad |= (head & ~FVPT_EXCEPTION_SECURE) != (FVPT_EVENT | FVPT_EXCEPTION);
	e->secure = head & FVPT_EXCEPTION_SECURE;
	e->cycle = take_varint(r);
	e->number = (u16)take_varint(r);
	e->to = (u32)take_varint(r);
}

/* ---- blocks ---- */

static enum fvpt_result damaged(const struct fvpt_reader *r, const char *what, char *why, size_t why_size)
{
	snprintf(why, why_size, "damaged in the block at byte %" PRIu64 ": %s", r->offset, what);
	return FVPT_IS_DAMAGED;
}

/* FVPT_IS_INSTRUCTION: there is a block with a record. */
static enum fvpt_result read_block(struct fvpt_reader *r, char *why, size_t why_size)
{
	u8 head[FVPT_BLOCK_HEAD];

	if (r->cut)
		return damaged(r, "the file is truncated", why, why_size);
	r->offset += r->bytes ? FVPT_BLOCK_HEAD + (u64)r->bytes : 0;
	memset(&r->known, 0, sizeof r->known);
	r->at = r->bytes = 0;
	if (fread(head, 1, sizeof head, r->file) != sizeof head)
		return damaged(r, "the file is truncated", why, why_size);
	if (!word(head))
		return FVPT_IS_END;
	if (word(head) > FVPT_BLOCK_MAX)
		return damaged(r, "it is too long", why, why_size);
	r->bytes = (u32)fread(r->block, 1, word(head), r->file);
	r->cut = r->bytes != word(head);
	if (!r->bytes)
		return damaged(r, "the file is truncated", why, why_size);
	if (!r->cut && (u32)crc32(0, r->block, r->bytes) != word(head + 4))
		return damaged(r, "its checksum does not fit", why, why_size);
	return FVPT_IS_INSTRUCTION;
}

enum fvpt_result fvpt_read(struct fvpt_reader *r, struct cpu_record *i, struct trace_exception *e, char *why, size_t why_size)
{
	if (r->at == r->bytes) {
		const enum fvpt_result result = read_block(r, why, why_size);

		if (result != FVPT_IS_INSTRUCTION)
			return result;
	}
	const u8 head = take_byte(r);
	if (head & FVPT_EVENT)
		take_event(r, head, e);
	else
		take_instruction(r, head, i);
	if (r->bad && r->cut)
		return damaged(r, "the file is truncated", why, why_size);
	if (r->bad)
		return damaged(r, "its records make no sense", why, why_size);
	return head & FVPT_EVENT ? FVPT_IS_EXCEPTION : FVPT_IS_INSTRUCTION;
}
