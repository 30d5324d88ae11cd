/* SPDX-License-Identifier: Apache-2.0 */
/* Functions call each other (calloc, malloc and _malloc_r; vPortFree and free): only the outermost call counts. One that an interrupt
 * handler or another thread makes meanwhile is taken for an inner one. */
#include "sim/trace/heap.h"

#include <stdlib.h>

static const struct { const char *name; i8 bytes, pieces, old; } names[] = {
	{ "malloc", 0, HEAP_NONE, HEAP_NONE }, { "_malloc_r", 1, HEAP_NONE, HEAP_NONE }, /* newlib's have their state first */
	{ "calloc", 0, 1, HEAP_NONE }, { "_calloc_r", 1, 2, HEAP_NONE },
	{ "memalign", 1, HEAP_NONE, HEAP_NONE }, { "_memalign_r", 2, HEAP_NONE, HEAP_NONE }, { "aligned_alloc", 1, HEAP_NONE, HEAP_NONE },
	{ "realloc", 1, HEAP_NONE, 0 }, { "_realloc_r", 2, HEAP_NONE, 1 },
	{ "free", HEAP_NONE, HEAP_NONE, 0 }, { "_free_r", HEAP_NONE, HEAP_NONE, 1 },
	{ "pvPortMalloc", 0, HEAP_NONE, HEAP_NONE }, { "pvPortCalloc", 0, 1, HEAP_NONE }, { "vPortFree", HEAP_NONE, HEAP_NONE, 0 }, /* FreeRTOS */
	{ "k_malloc", 0, HEAP_NONE, HEAP_NONE }, { "k_calloc", 0, 1, HEAP_NONE }, { "k_free", HEAP_NONE, HEAP_NONE, 0 }, /* Zephyr */
};
_Static_assert(ARRAY_LEN(names) <= HEAP_FUNCTIONS, "each has a place");

void heap_init(struct heap *h, const struct machine *m)
{
	u32 addr;

	*h = (struct heap){ .cpu = m->cpu };
	for (unsigned image = 0; image < m->image_count; image++)
		for (size_t i = 0; i < ARRAY_LEN(names) && h->functions < HEAP_FUNCTIONS; i++)
			if (image_symbol(&m->images[image], names[i].name, &addr))
				h->function[h->functions++] = (struct heap_function){ addr, names[i].bytes, names[i].pieces, names[i].old };
}

void heap_free(struct heap *h)
{
	free(h->block);
	h->block = NULL;
}

/* ---- blocks ---- */

/* Where addr stands, or would. */
static struct heap_block *place(const struct heap *h, u32 addr)
{
	u32 i = (addr >> 3) * 0x9e3779b1u;

	for (i &= h->room - 1; h->block[i].addr && h->block[i].addr != addr;)
		i = (i + 1) & (h->room - 1);
	return &h->block[i];
}

/* Room for one more: twice as many places, without blocks that were given back. */
static bool grow(struct heap *h)
{
	const struct heap before = *h;

	if (h->used < h->room / 2)
		return true;
	h->room = h->room ? 2 * h->room : 256;
	h->block = calloc(h->room, sizeof *h->block);
	if (!h->block) {
		*h = before;
		return false;
	}
	h->used = 0;
	for (u32 i = 0; i < before.room; i++)
		if (before.block[i].bytes) {
			*place(h, before.block[i].addr) = before.block[i];
			h->used++;
		}
	free(before.block);
	return true;
}

static void give(struct heap *h, u32 addr, u32 bytes)
{
	if (!addr || !grow(h))
		return;
	struct heap_block *b = place(h, addr);

	h->used += !b->addr;
	h->held += (u64)bytes - b->bytes; /* of a block that was given back unseen, nothing is held */
	*b = (struct heap_block){ addr, bytes };
}

static void take(struct heap *h, u32 addr)
{
	struct heap_block *b = addr && h->room ? place(h, addr) : NULL;

	if (!b || !b->addr)
		return;
	h->held -= b->bytes;
	b->bytes = 0;
}

/* ---- calls ---- */

static u32 argument(const struct heap *h, int reg, u32 otherwise)
{
	return reg == HEAP_NONE ? otherwise : cpu_get_reg(h->cpu, (unsigned)reg);
}

static void called(struct heap *h, const struct heap_function *f, u32 sp)
{
	h->call.function = f;
	h->call.back = cpu_get_reg(h->cpu, 14) & ~1u;
	h->call.sp = sp;
	h->call.bytes = argument(h, f->bytes, 0) * argument(h, f->pieces, 1);
	h->call.old = argument(h, f->old, 0);
	if (f->bytes == HEAP_NONE)
		take(h, h->call.old);
}

static void returned(struct heap *h)
{
	const u32 result = cpu_get_reg(h->cpu, 0);

	h->call.back = 0;
	if (h->call.function->bytes == HEAP_NONE)
		return;
	if (h->call.old && (result || !h->call.bytes)) /* what cannot be made larger stays */
		take(h, h->call.old);
	give(h, result, h->call.bytes);
}

void heap_follow(struct heap *h, const struct cpu_course *t)
{
	if (h->call.back) {
		if (t->to == h->call.back && t->sp == h->call.sp)
			returned(h);
		return;
	}
	if (t->turn != CPU_TURN_CALL && t->turn != CPU_TURN_BRANCH)
		return;
	for (unsigned i = 0; i < h->functions; i++)
		if (h->function[i].addr == t->to) {
			called(h, &h->function[i], t->sp);
			return;
		}
}
