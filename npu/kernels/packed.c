/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding, packing and keeping weights; see packed.h. */
#include "npu/kernels/packed.h"

#include <stdlib.h>
#include <string.h>

#include "npu/kernels/simd.h"

#define CACHE_BYTES ((size_t)512 << 20)
#define MAX_WEIGHTS ((u64)1 << 28)

static struct npu_packed_key key_of(const struct npu_op *op, unsigned ublock_d, unsigned taps)
{
	struct npu_packed_key key;

	memset(&key, 0, sizeof(key)); /* holes too: keys are compared as bytes */
	struct npu_weights_shape s = npu_weights_shape_of(op, 0, ublock_d);
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
	for (unsigned c = 0; c < op->cores; c++)
		key.length[c] = op->weights[c].length;
	return key;
}

/* Spreads sets over the buckets: key and a few bytes of the stream. */
static unsigned bucket_of(const struct npu_packed_key *key, const struct npu_view *view)
{
	const u8 *bytes = (const u8 *)key;
	u32 h = 2166136261u;

	for (size_t i = 0; i < sizeof(*key); i++)
		h = (h ^ bytes[i]) * 16777619u;
	for (u32 i = 0; i < 16 && i < key->length[0]; i++)
		h = (h ^ view->weights[0][key->length[0] / 16 * i]) * 16777619u;
	return (h ^ h >> 16) % NPU_PACKED_BUCKETS;
}

static bool same_stream(const struct npu_packed *s, const struct npu_view *view)
{
	const u8 *kept = s->stream;

	for (unsigned c = 0; c < s->key.cores; c++) {
		if (s->key.length[c] && memcmp(kept, view->weights[c], s->key.length[c]) != 0)
			return false;
		kept += s->key.length[c];
	}
	return true;
}

static void packed_free(struct npu_packed *s)
{
	if (!s)
		return;
	free(s->weights);
	free(s->sum);
	free(s->stream);
	free(s);
}

void npu_packer_clear(struct npu_packer *p)
{
	for (unsigned b = 0; b < NPU_PACKED_BUCKETS; b++)
		while (p->bucket[b]) {
			struct npu_packed *s = p->bucket[b];
			p->bucket[b] = s->next;
			packed_free(s);
		}
	p->bytes = 0;
}

static u8 *copy_stream(const struct npu_packed_key *key, const struct npu_view *view)
{
	size_t bytes = NPU_WEIGHTS_SLACK;
	for (unsigned c = 0; c < key->cores; c++)
		bytes += key->length[c];
	u8 *copy = malloc(bytes), *to = copy;
	if (!copy)
		return NULL;
	for (unsigned c = 0; c < key->cores; c++) {
		if (key->length[c])
			memcpy(to, view->weights[c], key->length[c]);
		to += key->length[c];
	}
	memset(to, 0, NPU_WEIGHTS_SLACK);
	return copy;
}

/* All cores' weights into dense[o][ky][kx][i]. */
static bool decode_dense(const struct npu_packer *p, const struct npu_packed *s,
			 const struct npu_op *op, i16 *dense)
{
	size_t row = (size_t)s->key.shape.kh * s->key.shape.kw * s->key.shape.id;
	const u8 *stream = s->stream;

	for (unsigned core = 0; core < op->cores; core++) {
		struct npu_weights_shape shape = npu_weights_shape_of(op, core, s->key.shape.ublock_d);
		u64 need = npu_weights_stream_count(&shape);
		size_t count;
		if (shape.od && need == 0)
			return false;
		if (need > MAX_WEIGHTS)
			return false;
		i16 *decoded = malloc(need * sizeof(*decoded) + 1);
		if (!decoded)
			return false;
		bool ok = p->simd->decode(&p->tables, stream, s->key.length[core], decoded, need,
					     &count) == NPU_WEIGHTS_OK && count == need;
		if (ok)
			npu_weights_sort(&shape, decoded, dense + core * row, row * op->cores);
		free(decoded);
		if (!ok)
			return false;
		stream += s->key.length[core];
	}
	return true;
}

/* Four int16 lanes to four int8. */
static inline u32 narrow4(u64 v)
{
	v &= UINT64_C(0x00ff00ff00ff00ff);
	v = (v | v >> 8) & UINT64_C(0x0000ffff0000ffff);
	return (u32)(v | v >> 16);
}

static inline u64 load64(const i16 *p)
{
	u64 v;
	memcpy(&v, p, sizeof(v));
	return v;
}

/* One kernel line (or all of them, when lines need no padding) of `n` weights of a channel. */
static void pack_line_i8(const i16 *from, size_t n, i8 *to)
{
	size_t k = 0;
	for (; k + 4 <= n; k += 4, to += 4 * NPU_GROUP) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		u32 four = narrow4(load64(from + k));
		memcpy(to, &four, 4);
#else
		for (unsigned t = 0; t < 4; t++)
			to[t] = (i8)from[k + t];
#endif
	}
	for (unsigned t = 0; k < n; k++, t++)
		to[t] = (i8)from[k];
}

static void pack_line_i16(const i16 *from, size_t n, i16 *to)
{
	size_t k = 0;
	for (; k + 2 <= n; k += 2, to += 2 * NPU_GROUP)
		memcpy(to, from + k, 4);
	if (k < n)
		to[0] = from[k];
}

/* A depthwise pads every kernel line to whole sets of taps, a convolution the whole row. */
static void pack_channels(struct npu_packed *s, const i16 *dense)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	size_t lines = sh->depthwise ? sh->kh : 1;
	size_t line = (size_t)sh->kh * sh->kw * sh->id / lines;
	size_t step = s->row / lines * NPU_GROUP; /* packed weights per line of a group */

	for (u32 o = 0; o < sh->od; o++) {
		size_t at = o / NPU_GROUP * s->group_step + o % NPU_GROUP * s->key.taps;
		for (size_t l = 0; l < lines; l++, dense += line) {
			if (s->key.taps == 4)
				pack_line_i8(dense, line, (i8 *)s->weights + at + l * step);
			else
				pack_line_i16(dense, line, (i16 *)s->weights + at + l * step);
		}
	}
}

static void sum_channels(struct npu_packed *s, const i16 *dense, size_t row)
{
	i32 lo = 0, hi = 0;

	for (u32 o = 0; o < s->key.shape.od; o++, dense += row) {
		i64 sum = 0, magnitude = 0;
		for (size_t k = 0; k < row;) {
			/* blocks, so that the inner loop runs in 32-bit lanes */
			size_t end = row - k > 4096 ? k + 4096 : row;
			i32 part = 0, part_magnitude = 0;
			for (; k < end; k++) {
				i32 w = dense[k];
				part += w;
				part_magnitude += w < 0 ? -w : w;
				lo = w < lo ? w : lo;
				hi = w > hi ? w : hi;
			}
			sum += part;
			magnitude += part_magnitude;
		}
		s->sum[o] = (i32)sum;
		if ((u64)magnitude > s->max_magnitude)
			s->max_magnitude = (u64)magnitude;
	}
	s->wide = lo < INT8_MIN || hi > INT8_MAX;
}

static bool packed_fill(const struct npu_packer *p, struct npu_packed *s, const struct npu_op *op)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	u32 groups = (sh->od + NPU_GROUP - 1) / NPU_GROUP, taps = s->key.taps;
	size_t row = (size_t)sh->kh * sh->kw * sh->id;
	u64 total = (u64)groups * NPU_GROUP * (row + (u64)sh->kh * taps);

	if (row > MAX_WEIGHTS || total > MAX_WEIGHTS)
		return false;
	s->row = sh->depthwise ? sh->kh * ((size_t)(sh->kw + taps - 1) / taps * taps)
			       : (row + taps - 1) / taps * taps;
	s->group_step = s->row * NPU_GROUP;
	i16 *dense = malloc(row * sh->od * sizeof(*dense));
	s->sum = calloc(groups * NPU_GROUP, sizeof(*s->sum));
	bool ok = dense && s->sum && decode_dense(p, s, op, dense);
	if (ok) {
		sum_channels(s, dense, row);
		if (!(s->wide && taps == 4)) {
			size_t bytes = groups * s->group_step * (taps == 4 ? 1 : 2);
			s->weights = calloc(bytes, 1);
			s->bytes += bytes;
			ok = s->weights != NULL;
		}
	}
	if (ok && s->weights)
		pack_channels(s, dense);
	free(dense);
	return ok;
}

static struct npu_packed *packed_new(const struct npu_packer *p, const struct npu_packed_key *key,
				     const struct npu_op *op, const struct npu_view *view)
{
	struct npu_packed *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->key = *key;
	s->stream = copy_stream(key, view);
	s->bytes = sizeof(*s) + NPU_WEIGHTS_SLACK + key->shape.od * sizeof(i32);
	for (unsigned c = 0; c < key->cores; c++)
		s->bytes += key->length[c];
	if (!s->stream || !packed_fill(p, s, op)) {
		packed_free(s);
		return NULL;
	}
	return s;
}

const struct npu_packed *npu_pack(struct npu_packer *p, const struct npu_op *op,
				  const struct npu_view *view, unsigned ublock_d, unsigned taps)
{
	struct npu_packed_key key = key_of(op, ublock_d, taps);
	unsigned b = bucket_of(&key, view);

	for (struct npu_packed *s = p->bucket[b]; s; s = s->next)
		if (memcmp(&s->key, &key, sizeof(key)) == 0 && same_stream(s, view))
			return s;
	if (!p->ready) {
		npu_weights_tables_init(&p->tables);
		p->ready = true;
	}
	struct npu_packed *s = packed_new(p, &key, op, view);
	if (!s)
		return NULL;
	if (p->bytes + s->bytes > CACHE_BYTES)
		npu_packer_clear(p);
	s->next = p->bucket[b];
	p->bucket[b] = s;
	p->bytes += s->bytes;
	return s;
}
