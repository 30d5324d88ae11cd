/* SPDX-License-Identifier: Apache-2.0 */
/* Saved state: one head and its bytes for each block, in the order of the list. */
#include "memory/state.h"
#include "memory/pages.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 24, ALIGN = 8 };

struct head {
	char part[NAME], name[NAME]; /* cut, ended with zeros */
	u32 version, unused;
	u64 bytes; /* behind the head; what fills up to a multiple of ALIGN is apart */
};

void *state_put(struct state_buffer *out, u64 bytes)
{
	const u64 need = out->bytes + bytes;

	if (need > out->room) {
		const u64 room = need > 2 * out->room ? need : 2 * out->room;
		u8 *data = pages_alloc(room);

		if (!data)
			return NULL;
		if (out->data) {
			memcpy(data, out->data, out->bytes);
			pages_release(out->data, out->room);
		}
		out->data = data;
		out->room = room;
	}
	out->bytes = need;
	return out->data + (need - bytes);
}

void state_buffer_free(struct state_buffer *b)
{
	if (b->data)
		pages_release(b->data, b->room);
	*b = (struct state_buffer){ 0 };
}

static void add(struct state_list *l, struct state_block block)
{
	assert(l->blocks < STATE_MAX_BLOCKS);
	l->block[l->blocks++] = block;
}

void state_add(struct state_list *l, const char *part, const char *name, u32 version, void *at, u64 bytes)
{
	if (bytes)
		add(l, (struct state_block){ part, name, version, bytes, at, NULL });
}

void state_add_hooks(struct state_list *l, const char *part, const char *name, u32 version,
		     const struct state_hooks *hooks, void *ctx)
{
	add(l, (struct state_block){ part, name, version, 0, ctx, hooks });
}

void state_on_restored(struct state_list *l, void (*fn)(void *ctx), void *ctx)
{
	assert(l->restored_count < STATE_MAX_RESTORED);
	l->restored[l->restored_count].fn = fn;
	l->restored[l->restored_count++].ctx = ctx;
}

static struct head head_of(const struct state_block *b)
{
	struct head h;

	memset(&h, 0, sizeof h);
	snprintf(h.part, NAME, "%s", b->part);
	snprintf(h.name, NAME, "%s", b->name);
	h.version = b->version;
	h.bytes = b->bytes;
	return h;
}

static u64 padded(u64 bytes)
{
	return (bytes + ALIGN - 1) & ~(u64)(ALIGN - 1);
}

static bool save_block(const struct state_block *b, struct state_buffer *out)
{
	const u64 head_at = out->bytes;
	struct head h = head_of(b);
	void *to = state_put(out, sizeof h);
	bool ok = to != NULL;

	if (ok && b->hooks) {
		ok = b->hooks->save(b->at, out);
	} else if (ok) {
		to = state_put(out, b->bytes);
		ok = to != NULL;
		if (ok)
			memcpy(to, b->at, b->bytes);
	}
	if (!ok)
		return false;
	h.bytes = out->bytes - head_at - sizeof h;
	memcpy(out->data + head_at, &h, sizeof h);
	to = state_put(out, padded(h.bytes) - h.bytes);
	if (to)
		memset(to, 0, padded(h.bytes) - h.bytes);
	return to != NULL;
}

/* What the blocks of fixed size take, with their heads, and some room for the others: a buffer that grows is copied. */
static u64 usual_bytes(const struct state_list *l)
{
	u64 sum = 32 * 1024;

	for (unsigned i = 0; i < l->blocks; i++)
		sum += sizeof(struct head) + padded(l->block[i].bytes);
	return sum;
}

bool state_save(const struct state_list *l, struct state_buffer *out)
{
	const u64 before = out->bytes;
	bool ok = state_put(out, usual_bytes(l)) != NULL; /* room for most of it at once */

	out->bytes = before;
	for (unsigned i = 0; i < l->blocks && ok; i++)
		ok = save_block(&l->block[i], out);
	if (!ok)
		out->bytes = before;
	return ok;
}

/* Block i begins at *at: where its bytes are. NULL with a line in `why`: it is another one, or not all of it is there. */
static const u8 *find(const struct state_list *l, unsigned i, const u8 *from, u64 bytes, u64 *at, u64 *size, char *why,
		      size_t why_size)
{
	const struct state_block *b = &l->block[i];
	const struct head wanted = head_of(b);
	struct head h;

	if (bytes - *at < sizeof h) {
		snprintf(why, why_size, "the state ends before %s of %s", b->name, b->part);
		return NULL;
	}
	memcpy(&h, from + *at, sizeof h);
	if (memcmp(h.part, wanted.part, NAME) || memcmp(h.name, wanted.name, NAME)) {
		snprintf(why, why_size, "the state has %.*s of %.*s where this machine has %s of %s", NAME, h.name, NAME, h.part,
			 b->name, b->part);
		return NULL;
	}
	if (h.version != wanted.version || (!b->hooks && h.bytes != wanted.bytes)) {
		snprintf(why, why_size, "%s of %s: version %u and %llu bytes, where this program has version %u and %llu bytes", b->name,
			 b->part, h.version, (unsigned long long)h.bytes, b->version, (unsigned long long)b->bytes);
		return NULL;
	}
	*at += sizeof h;
	if (h.bytes > bytes - *at || padded(h.bytes) > bytes - *at) {
		snprintf(why, why_size, "the state ends in %s of %s", b->name, b->part);
		return NULL;
	}
	*size = h.bytes;
	*at += padded(h.bytes);
	return from + (*at - padded(h.bytes));
}

/* Ends the checks of blocks below `count`, for there will be no restore. */
static void give_back(const struct state_list *l, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (l->block[i].hooks)
			l->block[i].hooks->restore(l->block[i].at, NULL, 0);
}

static bool check(const struct state_list *l, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	u64 at = 0, size = 0;
	unsigned i;

	for (i = 0; i < l->blocks; i++) {
		const struct state_block *b = &l->block[i];
		const u8 *data = find(l, i, from, bytes, &at, &size, why, why_size);

		if (!data || (b->hooks && b->hooks->check && !b->hooks->check(b->at, data, size, why, why_size)))
			break;
	}
	if (i == l->blocks && at != bytes)
		snprintf(why, why_size, "the state goes on behind its last block");
	if (i == l->blocks && at == bytes)
		return true;
	give_back(l, i);
	return false;
}

bool state_restore(const struct state_list *l, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	u64 at = 0, size = 0;

	if (!check(l, from, bytes, why, why_size))
		return false;
	for (unsigned i = 0; i < l->blocks; i++) {
		const struct state_block *b = &l->block[i];
		const u8 *data = find(l, i, from, bytes, &at, &size, why, why_size);

		if (b->hooks)
			b->hooks->restore(b->at, data, size);
		else
			memcpy(b->at, data, size);
	}
	for (unsigned i = 0; i < l->restored_count; i++)
		l->restored[i].fn(l->restored[i].ctx);
	return true;
}
