/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping per-channel constants; see prepared.h. */
#include "npu/kernels/kept/prepared.h"

#include <string.h>

#include "npu/kernels/kept/shelf.h"

#define MAX_SETS 64 /* of one set of weights: each step of an unrolled recurrent layer may have its own */

/* What the constants depend on beside the records' bytes. Compared as bytes. */
struct key {
	u32 depth, pad;
	u32 records[NPU_MAX_CORES]; /* bytes, by stream */
	u32 scale;
	u8 shift, round, first;
	u8 u85, acc_bits, per_channel;
	u8 split, results; /* enum npu_channels_results */
};

struct npu_prepared {
	struct npu_prepared *next;
	struct key key;
	const u8 *records; /* of all streams, one behind the other */
	struct npu_channels channels;
};

static struct key key_of(const struct npu_op *op, u32 pad, bool split)
{
	struct key key = { .depth = op->ofm.depth, .pad = pad, .u85 = op->u85.enabled,
			   .acc_bits = op->acc_bits, .split = split, .per_channel = op->per_channel,
			   .results = (u8)npu_channels_results(op) };

	if (op->u85.enabled) {
		const struct npu85_scale *s = &op->u85.ofm_scale;
		key.scale = s->scale;
		key.shift = s->shift;
		key.round = s->round;
		key.first = s->dbl;
	} else {
		key.scale = op->ofm_scale.scale;
		key.shift = op->ofm_scale.shift;
		key.round = op->ofm_scale.round;
		key.first = op->ofm_scale.first;
	}
	/* those that are too short have been refused before they were kept */
	for (unsigned i = 0; op->per_channel && i < (op->u85.enabled ? 1 : op->cores); i++)
		key.records[i] = op->scales[i].length;
	return key;
}

bool npu_prepared_same(const struct npu_prepared *p, const struct npu_view *view)
{
	const u8 *kept = p->records;

	for (unsigned i = 0; i < NPU_MAX_CORES; kept += p->key.records[i++])
		if (p->key.records[i] && memcmp(kept, view->scales[i], p->key.records[i]) != 0)
			return false;
	return true;
}

static const u8 *copy_records(struct npu_store *store, const struct key *key, const struct npu_view *view)
{
	size_t bytes = 0;

	for (unsigned i = 0; i < NPU_MAX_CORES; i++)
		bytes += key->records[i];
	u8 *copy = npu_store_take(store, bytes), *to = copy;
	for (unsigned i = 0; copy && i < NPU_MAX_CORES; to += key->records[i++])
		if (key->records[i])
			memcpy(to, view->scales[i], key->records[i]);
	return copy;
}

/* `c`, of which .start and .rescale are in the store, and a copy of the rest; what the fast form of scaling, and sums of 32 bits,
 * leave alone stays behind. */
static void keep(struct npu_store *store, struct npu_packed *weights, const struct key *key,
		 const struct npu_view *view, const struct npu_channels *c)
{
	struct npu_prepared *p = npu_store_take(store, sizeof(*p));
	struct npu_channels own = *c;
	const size_t start = c->groups * NPU_GROUP * sizeof(*c->start);

	/* sums of 64 bits are scaled one by one, and such that have no room to be shifted */
	size_t wide = key->acc_bits > 32 || c->left || !c->fast ? c->groups * NPU_GROUP : 0;

	own.high = key->split ? npu_store_take(store, start) : NULL;
	own.whole = c->whole ? npu_store_take(store, start) : NULL;
	own.bias = wide ? npu_store_take(store, wide * sizeof(*own.bias)) : NULL;
	own.scale = wide ? npu_store_take(store, wide * sizeof(*own.scale)) : NULL;
	if (!p || (key->split && !own.high) || (c->whole && !own.whole) || (wide && (!own.bias || !own.scale)))
		return;
	if (wide) {
		memcpy(own.bias, c->bias, wide * sizeof(*own.bias));
		memcpy(own.scale, c->scale, wide * sizeof(*own.scale));
	}
	if (own.high)
		memcpy(own.high, c->high, start);
	if (own.whole)
		memcpy(own.whole, c->whole, start);
	*p = (struct npu_prepared){ .next = weights->prepared, .key = *key, .channels = own,
				    .records = copy_records(store, key, view) };
	if (!p->records)
		return;
	weights->prepared = p;
	npu_shelf_show_prepared(weights);
}

/* Where the two sums of split words start. */
static void split_starts(const struct npu_packed *weights, struct npu_channels *c)
{
	for (u32 i = 0; i < c->depth; i++) {
		c->start[i] = c->bias[i] & 255;
		c->high[i] = (i32)((u32)(c->bias[i] >> 8) - 128 * (u32)weights->sum[i]);
	}
}

bool npu_prepare_channels(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view,
			  struct npu_packed *weights, u32 pad, bool split, struct npu_channels *c)
{
	struct key key = key_of(op, pad, split);
	unsigned sets = 0;

	for (struct npu_prepared *p = weights->prepared; p; p = p->next, sets++)
		if (memcmp(&p->key, &key, sizeof(key)) == 0 && npu_prepared_same(p, view)) {
			*c = p->channels;
			c->kept = p;
			return true;
		}
	struct npu_store *const store = weights->stream[0] && sets < MAX_SETS ? npu_shelf_store(k->packer.shelf) : NULL;
	if (!npu_channels_read(k, op, view, store, c))
		return false;
	for (u32 i = 0; pad && i < c->depth; i++)
		c->start[i] = (i32)((u32)c->start[i] - pad * (u32)weights->sum[i]);
	if (split)
		split_starts(weights, c);
	if (store)
		keep(store, weights, &key, view, c);
	return true;
}
