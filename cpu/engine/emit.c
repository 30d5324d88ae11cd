/* SPDX-License-Identifier: Apache-2.0 */
/* Code memory, and stencils into it. */
#include "cpu/engine/emit.h"
#include "cpu/engine/near.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void emit_forget_jumps(struct emit_memory *m)
{
	if (m->jumps)
		jumps_forget(m->jumps);
}

struct emit_memory *emit_new(struct jump *jumps)
{
	struct emit_memory *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->file = -1;
	m->jumps = jumps;
	emit_forget_jumps(m);
	m->off = !emit_room(m, EMIT_CHUNK);
	return m;
}

void emit_free(struct emit_memory *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->chunks; i++) {
		munmap(m->chunk[i].run, EMIT_CHUNK);
		munmap(m->chunk[i].write, EMIT_CHUNK);
	}
	if (m->file >= 0)
		close(m->file);
	free(m);
}

static bool chunk_new(struct emit_memory *m)
{
	off_t at = (off_t)m->chunks * EMIT_CHUNK;

	if (m->file < 0)
		m->file = memfd_create("fvp-sim code", MFD_CLOEXEC);
	if (m->file < 0 || m->chunks == EMIT_CHUNKS || ftruncate(m->file, at + EMIT_CHUNK) != 0)
		return false;
	u8 *write = mmap(NULL, EMIT_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, m->file, at);
	if (write == MAP_FAILED)
		return false;
	u8 *run = near_map(EMIT_CHUNK, PROT_READ | PROT_EXEC, m->file, (size_t)at);
	if (!run) {
		munmap(write, EMIT_CHUNK);
		return false;
	}
	m->chunk[m->chunks].run = run;
	m->chunk[m->chunks++].write = write;
	return true;
}

bool emit_room(struct emit_memory *m, u32 bytes)
{
	if (m->off)
		return false;
	if (m->chunks && m->cold - m->hot >= bytes)
		return true;
	u32 next = m->chunks ? m->now + 1 : 0;
	if (next == m->chunks && !chunk_new(m))
		return false;
	m->now = next;
	m->hot = 0;
	m->cold = EMIT_CHUNK;
	return bytes <= EMIT_CHUNK;
}

bool emit_reserve(struct emit_memory *m, u32 bytes)
{
	return !m->off && (m->cold - m->hot >= bytes || m->now + 1 < m->chunks || chunk_new(m));
}

void emit_drop_all(struct emit_memory *m)
{
	emit_forget_jumps(m);
	links_forget_all(&m->links);
	m->full = false;
	m->now = 0;
	m->hot = 0;
	m->cold = m->chunks ? EMIT_CHUNK : 0;
}

bool emit_contains(const struct emit_memory *m, const void *code)
{
	for (u32 i = 0; i < m->chunks; i++)
		if ((uintptr_t)code - (uintptr_t)m->chunk[i].run < EMIT_CHUNK)
			return true;
	return false;
}

u32 emit_size(u16 number)
{
	return (u32)stencils[number].hot + stencils[number].cold;
}

u32 emit_hot_size(u16 number) { return stencils[number].hot; }

void emit_align(struct emit_memory *m)
{
	const u32 to = (m->hot + EMIT_ALIGN - 1) & ~(EMIT_ALIGN - 1);

	m->hot = to <= m->cold ? to : m->hot;
}

u8 *emit_here(const struct emit_memory *m)
{
	return m->chunk[m->now].run + m->hot;
}

static u8 *writable(const struct emit_memory *m, const u8 *run)
{
	for (u32 i = m->chunks; i-- > 0;)
		if ((uintptr_t)run - (uintptr_t)m->chunk[i].run < EMIT_CHUNK)
			return m->chunk[i].write + (run - m->chunk[i].run);
	return NULL;
}

/* Parts of a stencil: where they run, and where they are written. */
struct laid { u8 *hot, *cold, *hot_write, *cold_write; };

static void fill(const struct laid *l, u32 hot_bytes, const struct stencil_hole *h, uintptr_t value)
{
	bool cold = h->at >= hot_bytes;
	u32 at = cold ? h->at - hot_bytes : h->at;
	u8 *write = (cold ? l->cold_write : l->hot_write) + at;
	u32 word = (u32)(value + (uintptr_t)(intptr_t)h->add);

	if (h->kind == FILL_BYTE) {
		*write = (u8)word;
		return;
	}
	if (h->kind == FILL_SKIP)
		write[-1] = 0xe9; /* jmp */
	if (h->kind == FILL_DISTANCE || h->kind == FILL_SKIP)
		word -= (u32)(uintptr_t)((cold ? l->cold : l->hot) + at);
	memcpy(write, &word, 4);
}

static void lay(const struct laid *l, u16 number, const struct emit_values *v, const u8 *next)
{
	const struct stencil *k = &stencils[number];

	memcpy(l->hot_write, stencil_code + k->code, k->hot);
	memcpy(l->cold_write, stencil_code + k->code + k->hot, k->cold);
	for (const struct stencil_hole *h = stencil_holes + k->holes; h < stencil_holes + k->holes + k->hole_count; h++) {
		uintptr_t value;
		if (h->kind == FILL_SKIP && !v->skips)
			continue;
		switch (h->symbol) {
		case HOLE_HOT: value = (uintptr_t)l->hot; break;
		case HOLE_COLD: value = (uintptr_t)l->cold; break;
		case HOLE_NEXT: value = (uintptr_t)next; break;
		default:
			value = h->symbol < HOLE_HOT ? v->value[h->symbol] : (uintptr_t)stencil_externs[h->symbol - HOLE_EXTERN];
		}
		fill(l, k->hot, h, value);
	}
}

static u8 *take_cold(struct emit_memory *m, u32 bytes)
{
	m->cold -= bytes;
	assert(m->hot <= m->cold && "less room than was asked for");
	return m->chunk[m->now].run + m->cold;
}

struct emit_place emit_stencil(struct emit_memory *m, u16 number, const struct emit_values *v)
{
	const struct stencil *k = &stencils[number];
	u8 *hot = emit_here(m), *cold = take_cold(m, k->cold);

	m->hot += k->hot;
	assert(number && m->hot <= m->cold && "less room than was asked for");
	struct laid l = { hot, cold, m->chunk[m->now].write + (hot - m->chunk[m->now].run),
			  m->chunk[m->now].write + m->cold };
	lay(&l, number, v, hot + k->hot);
	return (struct emit_place){ hot, cold };
}

struct emit_place emit_take(struct emit_memory *m, u32 hot, u32 cold)
{
	u8 *in_order = emit_here(m), *apart = take_cold(m, cold);

	m->hot += hot;
	assert(m->hot <= m->cold && "less room than was asked for");
	return (struct emit_place){ in_order, apart };
}

void emit_bytes(struct emit_memory *m, const u8 *run, const u8 *bytes, u32 n)
{
	memcpy(writable(m, run), bytes, n);
}

void emit_over(struct emit_memory *m, u8 *code, u16 number, const struct emit_values *v, const u8 *next)
{
	const struct stencil *k = &stencils[number];
	u8 *write = writable(m, code);

	lay(&(struct laid){ code, code + k->hot, write, write + k->hot }, number, v, next);
}

u8 *emit_apart(struct emit_memory *m, u16 number, const struct emit_values *v, const u8 *next)
{
	u8 *code = take_cold(m, emit_size(number));

	emit_over(m, code, number, v, next);
	return code;
}

void emit_exits(struct emit_memory *m, struct emit_place at, u16 number, unsigned symbol, const u8 *target)
{
	const struct stencil *k = &stencils[number];
	struct laid l = { at.hot, at.cold, writable(m, at.hot), writable(m, at.cold) };

	for (const struct stencil_hole *h = stencil_holes + k->holes; h < stencil_holes + k->holes + k->hole_count; h++)
		if (h->symbol == symbol)
			fill(&l, k->hot, h, (uintptr_t)target);
}
