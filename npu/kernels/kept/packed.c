/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping packed weights and finding them again; see packed.h. */
#include "npu/kernels/kept/packed.h"

#include <string.h>

#include "npu/kernels/conv/abreast.h"
#include "npu/kernels/kept/ahead.h"
#include "npu/kernels/kept/packed_fill.h"
#include "npu/kernels/kept/shelf.h"

#define CACHE_BYTES ((size_t)512 << 20)
#define COPIED_AT_ONCE (UINT64_C(1) << 20) /* whether anybody waits for it is asked in between */

static struct npu_packed_key key_of(const struct npu_config *config, const struct npu_op *op,
				    unsigned taps)
{
	struct npu_packed_key key;

	memset(&key, 0, sizeof(key)); /* holes too: keys are compared as bytes */
	struct npu_weights_shape s = npu_weights_shape_of(op, 0, config->ofm_ublock_d);
	key.shape.od = op->ofm.depth;
	key.shape.kh = s.kh;
	key.shape.kw = s.kw;
	key.shape.id = s.id;
	key.shape.block_d = op->block_d;
	key.shape.ublock_d = s.ublock_d;
	key.shape.dilation_y = s.dilation_y;
	key.shape.dilation_x = s.dilation_x;
	key.shape.ifm_bits = s.ifm_bits;
	key.shape.part_kernel = s.part_kernel;
	key.shape.depthwise = s.depthwise;
	key.cores = op->cores;
	key.taps = taps;
	key.phase = op->phase;
	if (op->u85.enabled) {
		key.cores = NPU_MAX_CORES;
		key.macs = config->macs;
		key.ublock_d = op->u85.ublock_d;
		key.formats = op->u85.fast | (u32)op->u85.sparse << 1;
		key.strides = op->stride_y | (u32)op->stride_x << 8;
	}
	for (unsigned c = 0; c < key.cores; c++)
		key.length[c] = op->weights[c].length;
	return key;
}

/* Spreads sets over the buckets: key and a few bytes of the stream. */
static unsigned bucket_of(const struct npu_packed_key *key, const struct npu_view *view)
{
	u32 h = 2166136261u, word;

	_Static_assert(sizeof(*key) % sizeof(word) == 0, "keys are whole words");
	for (size_t i = 0; i < sizeof(*key); i += sizeof(word)) {
		memcpy(&word, (const u8 *)key + i, sizeof(word));
		h = (h ^ word) * 16777619u;
	}
	for (u32 i = 0; i < 16 && i < key->length[0]; i++)
		h = (h ^ view->weights[0][key->length[0] / 16 * i]) * 16777619u;
	return (h ^ h >> 8 ^ h >> 16 ^ h >> 24) % NPU_PACKED_BUCKETS;
}

bool npu_packed_same(const struct npu_packed *s, const struct npu_view *view)
{
	/* only constant memory is at the same address as what is kept */
	for (unsigned c = 0; c < s->key.cores; c++)
		if (s->key.length[c] && s->stream[c] != view->weights[c] &&
		    memcmp(s->stream[c], view->weights[c], s->key.length[c]) != 0)
			return false;
	return true;
}

/* `keep`: for the next NPU that runs the same network. */
static void clear(struct npu_packer *p, bool keep)
{
	p->era++;
	npu_ahead_end(p->ahead);
	for (unsigned b = 0; b < NPU_PACKED_BUCKETS; b++)
		for (const struct npu_packed *s = p->bucket[b]; s; s = s->next)
			if (s->from)
				npu_shelf_put_back(s->from);
	memset(p->bucket, 0, sizeof(p->bucket));
	npu_shelf_leave(p->shelf, keep, &p->lasting);
	p->shelf = NULL;
}

/* False: given up meanwhile. */
static bool copy_stream(const struct npu_view *view, u8 *to, const u8 *from, u64 bytes)
{
	for (u64 at = 0, n; at < bytes; at += n) {
		n = bytes - at < COPIED_AT_ONCE ? bytes - at : COPIED_AT_ONCE;
		if (npu_given_up(view))
			return false;
		memcpy(to + at, from + at, n);
	}
	return true;
}

/* Streams that stay where they are need no copy, if the decoder may read on behind them. Nor do those that another NPU's
 * shelf has copies of. */
static bool keep_streams(struct npu_store *store, struct npu_packed *s, const struct npu_view *view)
{
	for (unsigned c = 0; c < s->key.cores; c++) {
		u64 bytes = s->key.length[c];
		if (view->constant[c] >= bytes + NPU_WEIGHTS_SLACK) {
			s->stream[c] = view->weights[c];
			continue;
		}
		if (s->from && s->kept >> c & 1)
			continue;
		u8 *copy = npu_store_take(store, bytes + NPU_WEIGHTS_SLACK);
		if (!copy || !copy_stream(view, copy, view->weights[c], bytes))
			return false;
		s->stream[c] = copy;
		s->kept |= (u8)(1u << c);
	}
	return true;
}

static bool lasts(const struct npu_lasting *l, const u8 *stream, u64 bytes)
{
	const uintptr_t first = (uintptr_t)l->first, at = (uintptr_t)stream;

	return l->release && bytes <= l->bytes && at >= first && at - first <= l->bytes - bytes;
}

bool npu_packed_keep(struct npu_packed *s, struct npu_store *store, const struct npu_lasting *lasting)
{
	for (unsigned c = 0; c < s->key.cores; c++) {
		const bool stays = s->kept >> c & 1 || lasts(lasting, s->stream[c], s->key.length[c]);
		const u64 bytes = stays ? 0 : s->key.length[c];
		u8 *copy = bytes ? npu_store_take(store, bytes) : NULL;
		if (bytes && !copy)
			return false;
		if (!bytes)
			continue;
		memcpy(copy, s->stream[c], bytes);
		s->stream[c] = copy;
		s->kept |= (u8)(1u << c);
	}
	return true;
}

static void make_tools(struct npu_packer *p)
{
	if (p->tables_ready)
		return;
	npu_weights_tables_init(&p->tables);
	for (unsigned i = 0; i < ARRAY_LEN(p->tools); i++)
		p->tools[i] = (struct npu_fill_tools){ .simd = p->simd, .config = p->config, .tables = &p->tables };
	p->tables_ready = true;
}

static bool shelf_ready(struct npu_packer *p)
{
	if (!p->shelf)
		p->shelf = npu_shelf_new(p->simd, p->config, p->open);
	return p->shelf != NULL;
}

/* A set that waits to be decoded, itself in `record`. */
static struct npu_packed *packed_new(struct npu_packer *p, const struct npu_packed_key *key, const struct npu_view *view, struct npu_store *record)
{
	make_tools(p);
	struct npu_store *store = npu_shelf_store(p->shelf);
	if (!store->expected)
		store->expected = view->constant[0]; /* most of which are weights */
	struct npu_packed *s = npu_store_take(record, sizeof(*s));

	if (!s)
		return NULL;
	s->key = *key;
	s->state = NPU_PACKED_WAITING;
	return npu_packed_reserve(s, store) && keep_streams(store, s, view) ? s : NULL;
}

/* A set that another NPU has packed; NULL: there is none. */
static struct npu_packed *packed_found(struct npu_packer *p, const struct npu_packed_key *key, const struct npu_view *view, unsigned bucket)
{
	struct npu_packed found, *s;
	struct npu_shelf *from = npu_shelf_find(p->shelf, key, bucket, view, &found);

	if (!from)
		return NULL;
	s = npu_store_take(npu_shelf_store(p->shelf), sizeof(*s));
	if (s) {
		*s = found;
		s->from = from;
	}
	if (s && keep_streams(npu_shelf_store(p->shelf), s, view))
		return s;
	npu_shelf_put_back(from);
	return NULL;
}

static void keep(struct npu_packer *p, struct npu_packed *s, unsigned bucket)
{
	s->next = p->bucket[bucket];
	p->bucket[bucket] = s;
}

/* The set is ready for use, here and elsewhere. */
static struct npu_packed *ready(struct npu_packer *p, struct npu_packed *s, unsigned bucket)
{
	if (!s->shown && !s->from)
		s->shown = npu_shelf_show(p->shelf, s, bucket);
	return s;
}

struct npu_store *npu_packer_room(struct npu_packer *p)
{
	if (!p->home && (!p->shelf || p->ahead))
		return NULL;
	if (!p->home) {
		npu_shelf_hold(p->shelf);
		p->home = p->shelf;
	}
	return npu_shelf_store(p->home);
}

/* The caller's decoder goes where pages are huge, if they are: by itself it is 57 small ones. */
static void place_decoder(struct npu_packer *p)
{
	struct npu_fill_tools *const t = &p->tools[0];
	struct npu_store *const room = t->decoder ? NULL : npu_packer_room(p);

	if (!room || !npu_store_has(room, npu_weights_decoder_bytes()))
		return;
	t->decoder = npu_store_take(room, npu_weights_decoder_bytes());
	t->placed = t->decoder != NULL;
}

/* `op` is what the decoder looks at. */
static struct npu_packed *pack(struct npu_packer *p, const struct npu_packed_key *wanted, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu_packed_key key = *wanted;
	unsigned b = bucket_of(&key, view);

	for (struct npu_packed *s = p->bucket[b]; s; s = s->next)
		if (memcmp(&s->key, &key, sizeof(key)) == 0 && npu_packed_same(s, view))
			return npu_ahead_settle(p, s, op, view) ? ready(p, s, b) : NULL;
	if (p->shelf && npu_shelf_store(p->shelf)->bytes > CACHE_BYTES)
		clear(p, false);
	if (!shelf_ready(p))
		return NULL;
	struct npu_packed *s = packed_found(p, &key, view, b);
	if (!s) {
		s = packed_new(p, &key, view, npu_shelf_store(p->shelf));
		place_decoder(p);
		if (!s || !npu_packed_fill(&p->tools[0], s, op, view))
			return NULL;
		s->state = NPU_PACKED_READY;
	}
	keep(p, s, b);
	return ready(p, s, b);
}

struct npu_packed *npu_pack(struct npu_packer *p, const struct npu_op *op,
			    const struct npu_view *view, unsigned taps)
{
	struct npu_packed_key key;

	if (!op->abreast.pixels) {
		key = key_of(p->config, op, taps);
		return pack(p, &key, op, view);
	}
	const struct npu_op plain = npu_abreast_plain(op);
	key = key_of(p->config, &plain, taps);
	key.abreast = op->abreast.pixels;
	key.apart = op->abreast.stride;
	key.wide = op->kernel_w;
	return pack(p, &key, &plain, view);
}

/* Whether there is a set, here or with another NPU, that may well have the same bytes: the bucket says something about them, and
 * comparing them all is left to who uses them. */
static bool known(const struct npu_packer *p, const struct npu_packed_key *key, unsigned bucket)
{
	struct npu_packed found;

	for (const struct npu_packed *s = p->bucket[bucket]; s; s = s->next)
		if (memcmp(&s->key, key, sizeof(*key)) == 0)
			return true;
	struct npu_shelf *shelf = npu_shelf_find(p->shelf, key, bucket, NULL, &found);
	if (shelf)
		npu_shelf_put_back(shelf);
	return shelf;
}

struct npu_packed *npu_pack_expect(struct npu_packer *p, const struct npu_op *op, const struct npu_view *view, unsigned taps)
{
	struct npu_packed_key key = key_of(p->config, op, taps);
	unsigned b = bucket_of(&key, view);

	if (!shelf_ready(p) || known(p, &key, b))
		return NULL;
	struct npu_packed *s = npu_shelf_store(p->shelf)->bytes < CACHE_BYTES / 2 ? packed_new(p, &key, view, npu_shelf_records(p->shelf)) : NULL;
	if (s)
		keep(p, s, b);
	return s;
}

void npu_packer_free(struct npu_packer *p)
{
	clear(p, true);
	if (p->home)
		npu_shelf_put_back(p->home);
	npu_ahead_free(p->ahead);
	for (unsigned i = 0; i < ARRAY_LEN(p->tools); i++)
		npu_fill_tools_free(&p->tools[i]);
}
