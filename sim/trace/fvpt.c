/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the compact binary trace. A block begins with nothing known, so that each can be read by itself. */
#include "sim/trace/fvpt.h"
#include "sim/trace/kind.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct state {
	struct fvpt_context known;
	u8 *at; /* in `block` */
	u8 block[FVPT_BLOCK_MAX];
};

static u8 *put_word(u8 *p, u32 v)
{
	for (unsigned i = 0; i < 4; i++)
		*p++ = (u8)(v >> 8 * i);
	return p;
}

static u8 *put_varint(u8 *p, u64 v)
{
	for (; v > 0x7f; v >>= 7)
		*p++ = (u8)(v | 0x80);
	*p++ = (u8)v;
	return p;
}

/* A difference, small in both directions: as put_varint, without a branch on its length, which nothing predicts. Up to 8 bytes behind
 * it are overwritten. */
static u8 *put_signed(u8 *p, u32 difference)
{
	const u32 v = difference << 1 ^ (0u - (difference >> 31));
	const unsigned more = (unsigned)(31 - __builtin_clz(v | 1)) / 7; /* bytes behind the first */
	const u64 spread = (v & 0x7f) | (u64)(v & 0x3f80) << 1 | (u64)(v & 0x1fc000) << 2 | (u64)(v & 0xfe00000) << 3 | (u64)(v >> 28) << 32;
	const u64 bytes = htole64(spread | (UINT64_C(0x80808080) & ((UINT64_C(1) << 8 * more) - 1)));

	memcpy(p, &bytes, sizeof bytes);
	return p + more + 1;
}

/* The low bytes of a value; up to 4 behind it are overwritten. */
static u8 *put_bytes(u8 *p, u32 value, unsigned bytes)
{
	value = htole32(value);
	memcpy(p, &value, sizeof value);
	return p + bytes;
}

static void write_block(struct trace *t)
{
	struct state *s = t->state;
	const u32 bytes = (u32)(s->at - s->block);
	u8 head[FVPT_BLOCK_HEAD];

	put_word(put_word(head, bytes), (u32)crc32(0, s->block, bytes));
	fwrite(head, 1, sizeof head, t->file);
	fwrite(s->block, 1, bytes, t->file);
	s->at = s->block;
	memset(&s->known, 0, sizeof s->known);
}

/* The lists of a shape, a byte each. In words by hand: what is written byte by byte is not read as a whole at once. */
struct lists { u64 registers, accesses; };

static struct lists lists_of(const struct cpu_record *r)
{
	struct lists l = { 0 };

	for (unsigned i = 0; i < r->writes && i < FVPT_SHAPE_LIST; i++)
		l.registers |= (u64)(u8)r->write[i].reg << 8 * i;
	for (unsigned i = 0; i < r->accesses && i < FVPT_SHAPE_LIST; i++)
		l.accesses |= (u64)(r->access[i].bytes | (r->access[i].write ? FVPT_ACCESS_WRITES : 0)) << 8 * i;
	return l;
}

/* Longer lists are not kept: they are written each time. */
static bool same_shape(const struct fvpt_shape *k, const struct cpu_record *r, const struct lists *l)
{
	struct lists kept;

	memcpy(&kept.registers, k->reg, sizeof kept.registers);
	memcpy(&kept.accesses, k->access, sizeof kept.accesses);
	return k->pc == r->pc && k->encoding == r->encoding && k->length == r->length && k->writes == r->writes && k->accesses == r->accesses &&
	       r->writes <= FVPT_SHAPE_LIST && r->accesses <= FVPT_SHAPE_LIST && kept.registers == l->registers && kept.accesses == l->accesses;
}

static void keep_shape(struct fvpt_shape *k, const struct cpu_record *r, const struct lists *l)
{
	*k = (struct fvpt_shape){ .pc = r->pc, .encoding = r->encoding, .length = r->length, .writes = r->writes, .accesses = r->accesses };
	memcpy(k->reg, &l->registers, sizeof k->reg);
	memcpy(k->access, &l->accesses, sizeof k->access);
}

static u8 *put_shape(u8 *p, const struct cpu_record *r)
{
	*p++ = r->length;
	for (unsigned i = 0; i < r->length; i++)
		*p++ = (u8)(r->encoding >> 8 * i);
	*p++ = r->writes;
	for (unsigned i = 0; i < r->writes; i++)
		*p++ = (u8)r->write[i].reg;
	*p++ = r->accesses;
	for (unsigned i = 0; i < r->accesses; i++)
		*p++ = r->access[i].bytes | (r->access[i].write ? FVPT_ACCESS_WRITES : 0);
	return p;
}

static u8 *put_values(u8 *p, struct fvpt_context *k, const struct cpu_record *r, u32 addr)
{
	for (unsigned i = 0; i < r->writes; i++) {
		u32 *before = &k->value[r->write[i].reg];

		p = put_signed(p, r->write[i].value - *before);
		*before = r->write[i].value;
	}
	for (unsigned i = 0; i < r->accesses; i++) {
		p = put_signed(p, r->access[i].addr - addr);
		addr = r->access[i].addr + r->access[i].bytes;
		p = put_bytes(p, r->access[i].value, r->access[i].bytes);
	}
	return p;
}

static void instruction(void *ctx, const struct cpu_record *r)
{
	struct trace *t = ctx;
	struct state *s = t->state;
	struct fvpt_context *k = &s->known;
	struct fvpt_shape *kept = &k->shape[r->pc >> 1 & (FVPT_SHAPES - 1)];

	if (!trace_wants(&t->filter, r->pc, r->cycle, r->secure))
		return;
	const struct lists lists = lists_of(r);
	const bool same = same_shape(kept, r, &lists), counted = r->number == k->number + 1;
	const u8 state = (r->secure ? FVPT_SECURE : 0) | (r->handler ? FVPT_HANDLER : 0) | (r->executed ? 0 : FVPT_SKIPPED) |
			 (r->abandoned ? FVPT_ABANDONED : 0);
	u8 *p = s->at, *head = p++;

	*head = (r->pc != k->pc ? FVPT_JUMP : 0) | (same ? 0 : FVPT_SHAPE) | (r->cycle != k->cycle + 1 ? FVPT_TIME : 0) |
		(state != k->state || !counted ? FVPT_STATE : 0);
	if (*head & FVPT_JUMP)
		p = put_signed(p, r->pc - k->pc);
	if (!same)
		p = put_shape(p, r);
	if (*head & FVPT_TIME)
		p = put_varint(p, r->cycle - k->cycle);
	if (*head & FVPT_STATE)
		*p++ = state | (counted ? 0 : FVPT_NUMBER);
	if (!counted)
		p = put_varint(p, r->number - k->number);
	p = put_values(p, k, r, same ? kept->addr : 0);
	if (!same)
		keep_shape(kept, r, &lists);
	kept->addr = r->accesses ? r->access[0].addr : 0;
	k->pc = r->pc + r->length;
	k->cycle = r->cycle;
	k->number = r->number;
	k->state = state;
	s->at = p;
	if (p > s->block + sizeof s->block - FVPT_RECORD_MAX)
		write_block(t);
}

static void course(void *ctx, const struct cpu_course *c)
{
	struct trace *t = ctx;
	struct state *s = t->state;

	if (c->turn != CPU_TURN_ENTRY || !trace_wants(&t->filter, c->to, c->cycle, c->secure))
		return;
	*s->at++ = FVPT_EVENT | FVPT_EXCEPTION | (c->secure ? FVPT_EXCEPTION_SECURE : 0);
	s->at = put_varint(s->at, c->cycle);
	s->at = put_varint(s->at, c->exception);
	s->at = put_varint(s->at, c->to);
	if (s->at > s->block + sizeof s->block - FVPT_RECORD_MAX)
		write_block(t);
}

static bool begin(struct trace *t)
{
	struct state *s = calloc(1, sizeof *s);
	u8 version[FVPT_HEAD - sizeof FVPT_MAGIC];

	t->state = s;
	if (!s)
		return false;
	s->at = s->block;
	put_word(put_word(version, FVPT_VERSION), 0);
	fwrite(FVPT_MAGIC, 1, sizeof FVPT_MAGIC, t->file);
	fwrite(version, 1, sizeof version, t->file);
	return cpu_observe(t->machine->cpu, &(struct cpu_observer){ .instruction = instruction, .course = course, .ctx = t });
}

/* An empty block is the end. */
static void end(struct trace *t)
{
	struct state *s = t->state;

	cpu_unobserve(t->machine->cpu, t);
	if (!s)
		return;
	if (s->at > s->block)
		write_block(t);
	write_block(t);
	free(s);
}

const struct trace_kind trace_fvpt = { "fvpt", "trace.fvpt", "every instruction, compact; `fvp-sim trace convert` makes text of it", begin, end };
