/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the compact binary trace. Nothing in the file is believed: each number is checked before it is used. */
#include "sim/trace/fvpt.h"

#include "cpu/again.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct fvpt_reader {
	FILE *file;
	struct fvpt_context known;
	struct cpu_again *again;
	bool outlined;       /* registers are known: instructions between those that are told were left out */
	bool held;           /* of those, `rest` come before `told` */
	u64 rest;
	u64 cycle, number;   /* of the last instruction */
	struct cpu_record told;
	u64 offset;          /* of the block in the file */
	u32 at, bytes;       /* in `block`: what was loaded, and the records from `at` on */
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
	r->again = cpu_again_new(word(head + sizeof FVPT_MAGIC + 4));
	if (r->again)
		return r;
	snprintf(why, why_size, "host memory is short");
	free(r);
	return NULL;
}

void fvpt_reader_free(struct fvpt_reader *r)
{
	if (r)
		cpu_again_free(r->again);
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

static void take_exception(struct fvpt_reader *r, u8 head, struct trace_exception *e)
{
	e->secure = head & FVPT_EXCEPTION_SECURE;
	e->cycle = take_varint(r);
	e->number = (u16)take_varint(r);
	e->to = (u32)take_varint(r);
}

/* ---- what was left out ---- */

static void take_code(struct fvpt_reader *r)
{
	struct cpu_code c = { .pc = r->known.code + take_signed(r) };
	const u8 form = take_byte(r);

	c.length = form & (FVPT_CODE_IT - 1u);
	c.it = form & FVPT_CODE_IT ? take_byte(r) : 0;
	r->bad |= form >= 2 * FVPT_CODE_IT || (c.length != 2 && c.length != 4);
	c.encoding = take_bytes(r, r->bad ? 0 : c.length);
	r->known.code = c.pc + c.length;
	r->bad |= !r->bad && !cpu_again_code(r->again, &c);
}

static void take_all(struct fvpt_reader *r)
{
	struct fvpt_context *k = &r->known;

	k->state = take_byte(r);
	k->cycle = r->cycle = take_varint(r);
	k->number = r->number = take_varint(r);
	k->pc = (u32)take_varint(r);
	r->bad |= k->state & ~(FVPT_SECURE | FVPT_HANDLER);
	cpu_again_set(r->again, 15, k->pc);
#define TAKE(reg) cpu_again_set(r->again, reg, k->value[reg] += take_signed(r))
	FVPT_EACH_CORE_REGISTER(TAKE);
	for (unsigned i = 0; i < FVPT_FLOATS; i++)
		TAKE(CPU_REG_S0 + i);
#undef TAKE
	r->outlined = true;
}

static void take_run(struct fvpt_reader *r)
{
	r->rest = take_varint(r);
	r->bad |= !r->outlined || r->rest > FVPT_RUN_MAX;
	r->known.number += r->rest;
	r->known.cycle += r->rest;
}

/* True: it is an exception. */
static bool take_event(struct fvpt_reader *r, u8 head, struct trace_exception *e)
{
	switch (head & ~FVPT_EXCEPTION_SECURE) {
	case FVPT_EVENT | FVPT_EXCEPTION:
		take_exception(r, head, e);
		return true;
	case FVPT_EVENT | FVPT_RUN: take_run(r); break;
	case FVPT_EVENT | FVPT_CODE: take_code(r); break;
	case FVPT_EVENT | FVPT_ALL: take_all(r); break;
	default: r->bad = true; break;
	}
	return false;
}

/* What is executed again goes on behind an instruction that was told. */
static void follow(struct fvpt_reader *r, const struct cpu_record *i)
{
	for (unsigned k = 0; k < i->writes; k++)
		cpu_again_set(r->again, i->write[k].reg, i->write[k].value);
	cpu_again_set(r->again, 15, i->pc + i->length);
	r->cycle = i->cycle;
	r->number = i->number;
}

static void execute(struct fvpt_reader *r, struct cpu_record *i)
{
	r->rest--;
	r->bad |= !cpu_again_execute(r->again, i);
	i->cycle = ++r->cycle;
	i->number = ++r->number;
	i->secure = r->known.state & FVPT_SECURE;
	i->handler = r->known.state & FVPT_HANDLER;
}

/* True: it is `*i`. Else it comes when what was left out before it has come. */
static bool take_told(struct fvpt_reader *r, u8 head, struct cpu_record *i)
{
	const u8 state = r->known.state;

	take_instruction(r, head, i);
	if (r->bad)
		return true;
	const u64 before = i->number - r->number - 1; /* beyond the bound when a debugger went back */
	if (!r->outlined || !before || before > FVPT_RUN_MAX) {
		follow(r, i);
		return true;
	}
	r->rest = before;
	r->bad |= (state ^ r->known.state) & (FVPT_SECURE | FVPT_HANDLER);
	r->held = true;
	r->told = *i;
	return false;
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
	r->at = r->bytes = 0;
	if (fread(head, 1, sizeof head, r->file) != sizeof head)
		return damaged(r, "the file is truncated", why, why_size);
	const u32 loads = word(head), records = word(head + 4);
	if (!records)
		return FVPT_IS_END;
	if (loads > FVPT_LOADS_MAX || records > FVPT_RECORDS_MAX)
		return damaged(r, "it is too long", why, why_size);
	r->bytes = (u32)fread(r->block, 1, loads + records, r->file);
	r->cut = r->bytes != loads + records;
	if (r->bytes <= loads)
		return damaged(r, "the file is truncated", why, why_size);
	if (!r->cut && (u32)crc32(0, r->block, r->bytes) != word(head + 8))
		return damaged(r, "its checksum does not fit", why, why_size);
	cpu_again_loads(r->again, r->block, loads);
	r->at = loads;
	return FVPT_IS_INSTRUCTION;
}

/* The next one of the block, or FVPT_IS_END: none was complete. */
static enum fvpt_result next(struct fvpt_reader *r, struct cpu_record *i, struct trace_exception *e)
{
	if (r->rest) {
		execute(r, i);
		return FVPT_IS_INSTRUCTION;
	}
	if (r->held) {
		r->held = false;
		*i = r->told;
		follow(r, i);
		return FVPT_IS_INSTRUCTION;
	}
	const u8 head = take_byte(r);

	if (head & FVPT_EVENT)
		return take_event(r, head, e) ? FVPT_IS_EXCEPTION : FVPT_IS_END;
	return take_told(r, head, i) ? FVPT_IS_INSTRUCTION : FVPT_IS_END;
}

enum fvpt_result fvpt_read(struct fvpt_reader *r, struct cpu_record *i, struct trace_exception *e, char *why, size_t why_size)
{
	enum fvpt_result result = FVPT_IS_END;

	while (result == FVPT_IS_END) {
		if (!r->rest && !r->held && r->at == r->bytes) {
			result = read_block(r, why, why_size);
			if (result != FVPT_IS_INSTRUCTION)
				return result;
		}
		result = next(r, i, e);
		if (r->bad && r->cut)
			return damaged(r, "the file is truncated", why, why_size);
		if (r->bad)
			return damaged(r, "its records make no sense", why, why_size);
	}
	return result;
}
