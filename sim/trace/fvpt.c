/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the compact binary trace. What the reader can find out by executing it again is left out (struct cpu_outline), unless a filter
 * leaves gaps. */
#include "sim/trace/fvpt.h"
#include "sim/trace/kind.h"

#include "cpu/again.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct state {
	struct fvpt_context known;
	struct cpu_outline outline;
	bool all;  /* registers are to be written before anything is left out */
	bool told; /* an instruction was written, and nothing left out behind it: the reader takes the next one to go on at known.pc */
	u8 *at;    /* in `block` */
	u8 block[FVPT_RECORDS_MAX];
	u8 loads[FVPT_LOADS_MAX];
};
_Static_assert(FVPT_LOADS_MAX >= CPU_OUTLINE_ROOM + FVPT_RECORDS_MAX, "what is kept before a block is written, and what comes then");

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
	const u32 bytes = (u32)(s->at - s->block), loads = (u32)(s->outline.loaded - s->loads);
	u8 head[FVPT_BLOCK_HEAD];

	put_word(put_word(put_word(head, loads), bytes), (u32)crc32(crc32(0, s->loads, loads), s->block, bytes));
	fwrite(head, 1, sizeof head, t->file);
	fwrite(s->loads, 1, loads, t->file);
	fwrite(s->block, 1, bytes, t->file);
	s->at = s->block;
	s->outline.loaded = s->loads;
}

/* After a record that ended at `p`. */
static void advance(struct trace *t, u8 *p)
{
	struct state *s = t->state;

	s->at = p;
	if (p > s->block + sizeof s->block - FVPT_RECORD_MAX)
		write_block(t);
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
	s->told = true;
	advance(t, p);
}

static void course(void *ctx, const struct cpu_course *c)
{
	struct trace *t = ctx;
	struct state *s = t->state;
	u8 *p = s->at;

	s->all |= c->turn == CPU_TURN_ENTRY || c->turn == CPU_TURN_EXIT;
	if (c->turn != CPU_TURN_ENTRY || !trace_wants(&t->filter, c->to, c->cycle, c->secure))
		return;
	*p++ = FVPT_EVENT | FVPT_EXCEPTION | (c->secure ? FVPT_EXCEPTION_SECURE : 0);
	p = put_varint(p, c->cycle);
	p = put_varint(p, c->exception);
	advance(t, put_varint(p, c->to));
}

/* ---- what is left out ---- */

static void executed(void *ctx, u64 number)
{
	struct trace *t = ctx;
	struct state *s = t->state;
	const u64 count = number - s->known.number;

	if (!count)
		return;
	s->told = false;
	s->known.number = number;
	s->known.cycle += count;
	*s->at = FVPT_EVENT | FVPT_RUN;
	advance(t, put_varint(s->at + 1, count));
}

static void code(void *ctx, const struct cpu_code *list, unsigned count, u64 number)
{
	struct trace *t = ctx;
	struct state *s = t->state;

	executed(t, number);
	for (unsigned i = 0; i < count; i++) {
		const struct cpu_code *c = &list[i];
		u8 *p = s->at;

		*p++ = FVPT_EVENT | FVPT_CODE;
		p = put_signed(p, c->pc - s->known.code);
		*p++ = c->length | (c->it ? FVPT_CODE_IT : 0);
		if (c->it)
			*p++ = c->it;
		s->known.code = c->pc + c->length;
		advance(t, put_bytes(p, c->encoding, c->length));
	}
}

static u8 state_of(const struct cpu *c)
{
	return (cpu_get_reg(c, CPU_REG_SECURE) ? FVPT_SECURE : 0) | (cpu_get_reg(c, CPU_REG_XPSR) & 0x1ff ? FVPT_HANDLER : 0);
}

/* Most often none has changed: a byte 0 for each. */
static u8 *put_floats(u8 *p, struct fvpt_context *k, const struct cpu *c)
{
	u32 *const before = &k->value[CPU_REG_S0], now[FVPT_FLOATS];

	cpu_get_floats(c, now);
	if (!memcmp(now, before, sizeof now)) {
		memset(p, 0, FVPT_FLOATS);
		return p + FVPT_FLOATS;
	}
	for (unsigned i = 0; i < FVPT_FLOATS; i++)
		p = put_signed(p, now[i] - before[i]);
	memcpy(before, now, sizeof now);
	return p;
}

static void put_all(struct trace *t, const struct cpu *c)
{
	struct state *s = t->state;
	struct fvpt_context *k = &s->known;
	u8 *p = s->at;

	k->pc = cpu_get_reg(c, 15);
	k->cycle = cpu_cycles(c);
	k->number = cpu_instructions(c);
	k->state = state_of(c);
	*p++ = FVPT_EVENT | FVPT_ALL;
	*p++ = k->state;
	p = put_varint(p, k->cycle);
	p = put_varint(p, k->number);
	p = put_varint(p, k->pc);
#define PUT(reg) do { \
		const u32 value_ = cpu_get_reg(c, reg); \
		p = put_signed(p, value_ - k->value[reg]); \
		k->value[reg] = value_; \
	} while (0)
	FVPT_EACH_CORE_REGISTER(PUT);
#undef PUT
	advance(t, put_floats(p, k, c));
}

/* Where the reader would go on otherwise, it is told all. */
static void begins(void *ctx, bool moved)
{
	struct trace *t = ctx;
	struct state *s = t->state;
	const struct cpu *c = t->machine->cpu;
	const struct fvpt_context *k = &s->known;

	if (s->outline.loaded > s->loads + FVPT_RECORDS_MAX)
		write_block(t);
	if (s->all || moved || cpu_instructions(c) != k->number || cpu_cycles(c) != k->cycle || (s->told && cpu_get_reg(c, 15) != k->pc) ||
	    state_of(c) != (k->state & (FVPT_SECURE | FVPT_HANDLER)))
		put_all(t, c);
	s->all = s->told = false;
}

static bool keeps_all(const struct trace_filter *f)
{
	return !f->low && f->high == UINT32_MAX && !f->from && f->to == UINT64_MAX && f->secure && f->nonsecure;
}

static bool begin(struct trace *t)
{
	struct state *s = calloc(1, sizeof *s);
	u8 version[FVPT_HEAD - sizeof FVPT_MAGIC];

	t->state = s;
	if (!s)
		return false;
	s->at = s->block;
	s->all = true;
	s->outline = (struct cpu_outline){ .loaded = s->loads, .code = code, .begins = begins, .executed = executed };
	put_word(put_word(version, FVPT_VERSION), cpu_again_features(t->machine->cpu));
	fwrite(FVPT_MAGIC, 1, sizeof FVPT_MAGIC, t->file);
	fwrite(version, 1, sizeof version, t->file);
	return cpu_observe(t->machine->cpu, &(struct cpu_observer){ .instruction = instruction, .course = course, .ctx = t,
								    .outline = keeps_all(&t->filter) ? &s->outline : NULL });
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
	s->outline.loaded = s->loads; /* of nothing that was told */
	write_block(t);
	free(s);
}

const struct trace_kind trace_fvpt = { "fvpt", "trace.fvpt", "every instruction, compact; `fvp-sim trace convert` makes text of it",
	FILTER_INSTRUCTIONS | FILTER_TIME, begin, end };
