/* SPDX-License-Identifier: Apache-2.0 */
/* From weight streams to the packed form: decoded, put in groups of channels, summed. */
#include "npu/kernels/kept/packed_fill.h"

#include <stdlib.h>
#include <string.h>

#include "npu/kernels/conv/abreast.h"
#include "npu/kernels/conv/lined.h"
#include "npu/kernels/simd/simd.h"
#include "npu/kernels/conv/thin.h"
#include "npu/kernels/u85/fast.h"
#include "npu/u85/u85.h"

#define MAX_WEIGHTS ((u64)1 << 28)

/* Bits that the weights' magnitudes need, for the choice of the multiply: a bound within a
 * factor of two is enough. `bits`: see npu_weights_bits(). */
static void range_of(struct npu_packed *s, u16 bits)
{
	s->wide |= bits > INT8_MAX;
	i32 reach = bits ? 1 << (32 - __builtin_clz(bits)) : 1; /* -128 needs 7 bits */
	if (reach > s->max_weight)
		s->max_weight = reach;
}

/* One kernel line (or all of them, when lines need no padding) of `n` weights of a channel. */
static void pack_line_i8(const i16 *from, size_t n, i8 *to)
{
	for (; n >= 4; n -= 4, from += 4, to += 4 * NPU_GROUP) {
		i8 set[4] = { (i8)from[0], (i8)from[1], (i8)from[2], (i8)from[3] };
		memcpy(to, set, sizeof(set));
	}
	for (size_t k = 0; k < n; k++)
		to[k] = (i8)from[k];
}

static void pack_line_i16(const i16 *from, size_t n, i16 *to)
{
	for (; n >= 2; n -= 2, from += 2, to += 2 * NPU_GROUP)
		memcpy(to, from, 2 * sizeof(*from));
	if (n)
		to[0] = from[0];
}

/* A depthwise pads every kernel line to whole sets of taps, a convolution the whole row. */
static void pack_channels(struct npu_packed *s, const struct npu_weights_shape *core_shape,
			  unsigned core, unsigned cores, const i16 *dense)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	size_t lines = sh->depthwise ? sh->kh : 1;
	size_t line = (size_t)sh->kh * sh->kw * sh->id / lines;
	size_t step = s->row / lines * NPU_GROUP; /* packed weights per line of a group */

	for (u32 c = 0; c < core_shape->od; c++) {
		u32 o = c * cores + core;
		size_t at = o / NPU_GROUP * s->group_step + o % NPU_GROUP * s->key.taps;
		for (size_t l = 0; l < lines; l++, dense += line) {
			if (s->key.taps == 4)
				pack_line_i8(dense, line, (i8 *)s->weights + at + l * step);
			else
				pack_line_i16(dense, line, (i16 *)s->weights + at + l * step);
		}
	}
}

static struct npu_weights_target target_of(const struct npu_fill_tools *t, const struct npu_packed *s, unsigned core, unsigned cores)
{
	return (struct npu_weights_target){ s->weights, s->group_step, core, cores, s->group_step / s->key.shape.kh,
					    s->key.taps == 4 ? t->simd->order_i8 : t->simd->order_i16, t->simd->order_groups_i8 };
}

u32 npu_packed_groups(const struct npu_packed_key *key)
{
	return (key->shape.od * (key->abreast ? key->abreast : 1) + NPU_GROUP - 1) / NPU_GROUP;
}

/* Sums of int8 weights, for the zero point's share; returns the largest of their magnitudes. */
static u64 sum_channels(const struct npu_simd *simd, struct npu_packed *s)
{
	const u32 groups = npu_packed_groups(&s->key);
	u64 largest = 0;

	for (u32 g = 0; g < groups; g++) {
		const u32 sum = simd->sums_i8((const i8 *)s->weights + g * s->group_step, s->row, s->sum + g * NPU_GROUP);
		largest = sum > largest ? sum : largest;
	}
	return largest;
}

u64 npu_packed_magnitude(const struct npu_packed *s)
{
	const u32 groups = npu_packed_groups(&s->key);
	u64 largest = 0;

	for (u32 g = 0; g < groups; g++) {
		const i16 *w = (const i16 *)s->weights + g * s->group_step;
		u64 sum[NPU_GROUP] = { 0 };
		for (size_t k = 0; k < s->row; k += 2, w += 2 * NPU_GROUP)
			for (unsigned c = 0; c < NPU_GROUP; c++)
				sum[c] += (u64)abs(w[2 * c]) + (u64)abs(w[2 * c + 1]);
		for (unsigned c = 0; c < NPU_GROUP; c++)
			largest = sum[c] > largest ? sum[c] : largest;
	}
	return largest;
}

/* For 8-bit data a coarse bound will mostly do. */
static u64 magnitude_of(const struct npu_packed *s)
{
	return s->key.shape.ifm_bits == 8 ? (u64)s->row * (u64)s->max_weight : npu_packed_magnitude(s);
}

static u64 stream_bytes(const struct npu_packed_key *key)
{
	u64 bytes = 0;
	for (unsigned c = 0; c < key->cores; c++)
		bytes += key->length[c];
	return bytes;
}

static bool size_of(struct npu_packed *s)
{
	const struct npu_weights_shape *sh = &s->key.shape;
	u32 taps = s->key.taps;
	u64 row = (u64)sh->kh * sh->kw * sh->id;
	u64 total = ((u64)sh->od + NPU_GROUP) * (row + (u64)sh->kh * taps);

	if (row > MAX_WEIGHTS || total > MAX_WEIGHTS ||
	    row * sh->od > (stream_bytes(&s->key) + 16) * NPU_WEIGHTS_PER_BYTE)
		return false;
	s->row = sh->depthwise ? sh->kh * ((size_t)(sh->kw + taps - 1) / taps * taps)
			       : (row + taps - 1) / taps * taps;
	s->group_step = s->row * NPU_GROUP;
	return true;
}

bool npu_packed_reserve(struct npu_packed *s, struct npu_store *store)
{
	const u32 groups = npu_packed_groups(&s->key);

	if (!size_of(s))
		return false;
	const size_t group = s->key.abreast ? npu_abreast_row(&s->key) * NPU_GROUP : s->group_step;
	s->weights = npu_store_take(store, groups * group * (s->key.taps == 4 ? 1 : 2));
	s->sum = npu_store_take(store, groups * NPU_GROUP * sizeof(*s->sum));
	const size_t lined = npu_lined_row(&s->key) * groups * NPU_GROUP;
	s->lined = lined ? npu_store_take(store, lined) : NULL;
	return s->weights && s->sum && (s->lined || !lined);
}

/* U85: by way of an array of all weights in their plain order. */
static bool fill_dense85(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_op *op,
			 const struct npu_view *view)
{
	struct npu_exec e = { .config = t->config, .op = op, .view = view,
			      .next = t->simd->next, .tables = t->tables, .room = t->room };
	enum npu_exec_status status;
	i16 *dense = npu85_weights(&e, &status);
	const struct npu_weights_shape *sh = &s->key.shape;

	if (!dense)
		return false;
	range_of(s, npu_weights_bits(dense, (size_t)sh->od * sh->kh * sh->kw * sh->id));
	pack_channels(s, sh, 0, 1, dense);
	return true;
}

/* U85: one decoder's weights from where the tools' decoder stands. *status: why there were not enough. */
static bool pack_stream85(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view,
			  unsigned stream, npu_weights_next_fn *next, enum npu_weights_status *status)
{
	struct npu_weights_source source = npu_weights_source_from(t->decoder, next, view, s->key.taps == 4);
	const struct npu_weights_target to = target_of(t, s, 0, 1);
	const bool ok = npu85_weights_pack(t->config, op, stream, &source, s->key.taps, &to);

	range_of(s, npu_weights_decoder_bits(t->decoder));
	free(source.joined);
	*status = source.status;
	return ok;
}

static bool fill_fast85(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	struct npu85_fast fast;
	enum npu_weights_status status;

	if (!npu85_fast_open(&fast, t->config, op, s->stream[0]))
		return false;
	for (unsigned i = 0; i < t->config->cores; i++) {
		npu85_fast_start(t->decoder, &fast, i);
		if (!pack_stream85(t, s, op, view, i, npu85_fast_next, &status))
			return false;
	}
	return true;
}

/* U85: its own order and formats (npu/u85/weights.c). */
static bool fill_u85(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_view kept = *view; /* the copies have slack behind them */
	enum npu_weights_status status;

	memcpy(kept.weights, s->stream, sizeof(kept.weights));
	if (op->u85.sparse)
		return fill_dense85(t, s, op, &kept);
	if (op->u85.fast)
		return fill_fast85(t, s, op, view);
	for (unsigned i = 0; i < t->config->cores; i++) {
		if (s->key.length[i] == 0)
			continue; /* this decoder has nothing to do */
		npu_weights_start(t->decoder, t->tables, s->stream[i], s->key.length[i]);
		if (!pack_stream85(t, s, op, view, i, t->simd->next, &status))
			return status == NPU_WEIGHTS_LONG && fill_dense85(t, s, op, &kept);
	}
	return true;
}

/* One core's stream. */
static bool pack_core(const struct npu_fill_tools *t, struct npu_packed *s, const struct npu_weights_shape *shape, unsigned core,
		      struct npu_weights_source *source)
{
	const struct npu_weights_target to = target_of(t, s, core, s->key.cores);

	return npu_weights_pack(shape, source, s->key.taps, &to);
}

/* Streams that the fast decoder does not take. */
static bool pack_plain(const struct npu_fill_tools *t, struct npu_packed *s, const struct npu_view *view, const struct npu_weights_shape *shape, unsigned core,
		       const u8 *stream)
{
	u64 need = npu_weights_stream_count(shape);
	i16 *decoded = malloc(need * sizeof(*decoded));
	size_t have = 0;
	bool ok = decoded && npu_weights_decode_plain(view, stream, s->key.length[core], decoded, need, &have) == NPU_WEIGHTS_OK;

	if (ok)
		range_of(s, npu_weights_bits(decoded, have));
	if (ok && s->key.taps == 4)
		npu_weights_to_bytes(decoded, have);
	struct npu_weights_source source = npu_weights_source_of(decoded, have);
	source.narrow = s->key.taps == 4;
	ok = ok && pack_core(t, s, shape, core, &source);
	free(source.joined);
	free(decoded);
	return ok;
}

static bool fill_core(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_view *view,
		      const struct npu_weights_shape *shape, unsigned core, const u8 *stream)
{
	u64 need = npu_weights_stream_count(shape);

	if (need == 0 || need > MAX_WEIGHTS)
		return false;
	npu_weights_start(t->decoder, t->tables, stream, s->key.length[core]);
	struct npu_weights_source source = npu_weights_source_from(t->decoder, t->simd->next, view, s->key.taps == 4);
	bool ok = pack_core(t, s, shape, core, &source);
	if (ok)
		range_of(s, npu_weights_decoder_bits(t->decoder));
	free(source.joined);
	return ok || (source.status == NPU_WEIGHTS_LONG && pack_plain(t, s, view, shape, core, stream));
}

static bool fill_cores(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	for (unsigned core = 0; core < op->cores; core++) {
		struct npu_weights_shape shape = npu_weights_shape_of(op, core, s->key.shape.ublock_d);
		if (shape.od == 0)
			continue;
		if (!fill_core(t, s, view, &shape, core, s->stream[core]))
			return false;
	}
	return true;
}

static bool tools_ready(struct npu_fill_tools *t)
{
	if (!t->decoder)
		t->decoder = npu_weights_decoder_new();
	return t->decoder != NULL;
}

bool npu_packed_fill(struct npu_fill_tools *t, struct npu_packed *s, const struct npu_op *op, const struct npu_view *view)
{
	if (!tools_ready(t) || !(op->u85.enabled ? fill_u85 : fill_cores)(t, s, op, view))
		return false;
	s->max_magnitude = s->key.taps == 4 ? 0 : magnitude_of(s);
	if (!(s->key.abreast ? npu_abreast_weights : npu_thin_weights)(s))
		return false;
	npu_lined_fill(s);
	if (s->key.taps == 4) {
		s->max_magnitude = sum_channels(t->simd, s);
		s->wide |= s->max_magnitude == UINT32_MAX;
	}
	else if (!s->key.abreast) /* without holes */
		s->max_magnitude = magnitude_of(s);
	return true;
}

void npu_fill_tools_free(struct npu_fill_tools *t)
{
	if (!t->placed)
		npu_weights_decoder_free(t->decoder);
	for (unsigned i = 0; i < ARRAY_LEN(t->room); i++)
		free(t->room[i].data);
}
