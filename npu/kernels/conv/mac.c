/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/mac.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/conv/gather.h"
#include "npu/kernels/conv/lined.h"
#include "npu/kernels/kept/prepared.h"
#include "npu/kernels/conv/thin.h"
#include "npu/kernels/conv/vector.h"
#include "npu/kernels/u85/dynamic.h"

#define DATA_TAPS 2 /* of weights that are data, where operations are done again */
#define MAX_ROW ((size_t)1 << 24) /* weights of a channel */

static struct npu_packed *weights_of(struct npu_kernels *k, const struct npu_op *op,
				     const struct npu_view *view, unsigned taps)
{
	return op->u85.weights_ifm2 ? npu85_pack_ifm2(k, op, view, taps) : npu_pack(&k->packer, op, view, taps);
}

/* What no accumulator exceeds. */
static u64 reach_of(const struct npu_mac *m)
{
	return npu_channels_reach(&m->channels, &m->op->ifm, m->magnitude);
}

bool npu_mac_fits(const struct npu_mac *m, unsigned bits)
{
	return reach_of(m) < UINT64_C(1) << (bits - 1);
}

/* Of sums no more than the low words are stored. */
static bool stores_words(const struct npu_mac *m)
{
	return m->channels.whole && !m->op->u85.acc_output_off && npu_sink_is_plain32(m->op);
}

bool npu_mac_fits_32(const struct npu_mac *m)
{
	return npu_mac_fits(m, 32) || stores_words(m) || (m->op->u85.acc_output_off && m->op->acc_bits == 32);
}

bool npu_mac_fits_wide(const struct npu_mac *m)
{
	const struct npu_op *op = m->op;

	return npu_mac_fits(m, op->acc_bits) && (op->acc_bits == 40 || (op->u85.acc_output_off && op->acc_bits == 48));
}

#define MAX_WIDE_WEIGHT 512

bool npu_mac_is_wide(const struct npu_mac *m)
{
	return !m->u8 && !m->split && (m->weights->low || m->weights->max_weight <= MAX_WIDE_WEIGHT) && npu_mac_fits_wide(m);
}

bool npu_mac_has_sums(const struct npu_mac *m)
{
	return m->split || npu_mac_fits_32(m) || npu_mac_is_wide(m);
}

u32 npu_mac_pad(const struct npu_mac *m)
{
	return !m->u8 ? 0 : npu_gather_pad(m->op) - (m->simd->less_128 ? 128 : 0);
}

static bool stores_narrow16(const struct npu_op *op)
{
	return npu_sink_narrows16(op) && op->ofm.zero_point == 0 && !op->u85.acc_output_off;
}

/* Whether int16 may be split into bytes, as far as weights and scales do not decide. */
static bool may_split(const struct npu_kernels *k, const struct npu_op *op)
{
	return k->simd->layer_split && (op->kind == NPU_CONV || op->abreast.pixels) && op->ifm.bytes == 2 && !op->u85.weights_ifm2 && !op->u85.acc_output_off &&
	       (stores_narrow16(op) || npu_sink_is_plain32(op));
}

unsigned npu_mac_taps(const struct npu_kernels *k, const struct npu_op *op)
{
	const bool bytes = (k->simd->gemm_u8 && npu_gather_fits_u8(op)) || may_split(k, op);

	if (!npu_gather_fits_i16(op))
		return 0;
	return bytes || npu_vector_of_bytes(k->simd, op) || npu_vector_is_mixed(k->simd, op) ? 4 : 2;
}

#define SPLIT_BITS 39 /* of sums: 256 times what has 32 bits, and one to spare */

/* Whether what a sum in two parts is scaled by has room. */
static bool scales_fit(const struct npu_mac *m)
{
	const struct npu_channels *c = &m->channels;

	return c->fast && !c->left && npu_mac_fits(m, m->op->acc_bits) && npu_mac_fits(m, SPLIT_BITS) &&
	       (double)reach_of(m) * (double)c->max_factor < 0x1p30;
}

/* And both sums of split words. */
static bool split_fits(const struct npu_mac *m)
{
	if (m->op->ofm.bytes == sizeof(i32))
		return stores_words(m);
	return scales_fit(m) && m->magnitude <= INT32_MAX / 256;
}

/* And the constants of their channels. Weights of more than 8 bits are multiplied two at a time. */
static bool take_weights(struct npu_mac *m, struct npu_kernels *k, unsigned taps)
{
	const struct npu_op *op = m->op;
	const struct npu_view *view = m->view;

	m->u8 = taps == 4 && op->ifm.bytes == 1;
	m->split = taps == 4 && !m->u8 && k->simd->layer_split;
	m->mixed = taps == 4 && !m->u8 && !m->split;
	m->pairs = false;
	m->weights = weights_of(k, op, view, taps);
	if (!m->weights || m->weights->row > MAX_ROW)
		return false;
	if (taps == 4 && m->weights->wide)
		return take_weights(m, k, 2);
	if (!npu_prepare_channels(k, op, view, m->weights, npu_mac_pad(m), m->split, &m->channels))
		return false;
	m->magnitude = m->weights->max_magnitude;
	if (taps == 2 && op->ifm.bytes == 1 && !op->u85.weights_ifm2 && !npu_mac_fits(m, 32))
		m->magnitude = npu_packed_magnitude(m->weights);
	npu_channels_limit(&m->channels, reach_of(m));
	return !m->split || split_fits(m) || take_weights(m, k, 2);
}

bool npu_mac_init(struct npu_mac *m, struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	m->op = op;
	m->view = view;
	m->simd = k->simd;
	const unsigned taps = npu_mac_taps(k, op);
	if (!taps ||
	    npu_fm_overlap(&op->ifm, view->ifm, &op->ofm, (const u8 *const *)view->ofm))
		return false;
	return take_weights(m, k, taps);
}

bool npu_mac_words(struct npu_mac *m, struct npu_kernels *k)
{
	return (!m->u8 && !m->mixed) || take_weights(m, k, 2);
}

#define PAIRS_ROW 496 /* products of int16 and what a byte holds, and a byte of the bias: sums have 32 bits */

bool npu_mac_may_pair(const struct npu_simd *simd, const struct npu_op *op)
{
	return simd->layer_pairs && op->u85.weights_ifm2 && op->ifm.bytes == 2 && op->ifm2.bytes == 2 && op->ifm.depth <= PAIRS_ROW && stores_narrow16(op);
}

bool npu_mac_pairs(struct npu_mac *m)
{
	struct npu_channels *c = &m->channels;

	m->pairs = npu_mac_may_pair(m->simd, m->op) && m->weights->low && c->max_bias <= UINT32_C(1) << 30 && scales_fit(m);
	for (u32 i = 0; m->pairs && i < c->depth; i++) {
		c->start[i] = c->bias[i] & 255;
		c->high[i] = (i32)(c->bias[i] >> 8);
	}
	return m->pairs;
}

void npu_mac_start(struct npu_mac *m, struct npu_kernels *k)
{
	npu_gather_init(&m->gather, m->op, m->view);
	npu_thin_gather(m->weights, &m->gather);
	m->gather.row = m->weights->row;
	m->gather.lined = m->u8 && (m->weights->lined || m->gather.kernel_h == 1);
	if (m->u8) {
		m->gather.pad = (u8)npu_mac_pad(m);
		m->gather.flip ^= m->simd->less_128 ? 128 : 0;
	}
	npu_sink_init(&m->sink, k, m->op, m->view, &m->channels);
	npu_sink_limit(&m->sink, reach_of(m));
}

static bool streams_fixed(const struct npu_mac *m)
{
	const struct npu_view *v = m->view;
	bool fixed = true;

	for (unsigned c = 0; c < m->weights->key.cores; c++) {
		const u32 scales = m->op->scales[c].length;
		fixed &= v->constant[c] >= m->weights->key.length[c] && (!m->op->per_channel || v->constant_scales[c] >= scales);
	}
	return fixed;
}

bool npu_mac_lasts(struct npu_mac *m, const struct npu_kernels *k)
{
	if (!m->channels.kept || m->weights == &k->dynamic_weights || !npu_sink_lasts(&m->sink, k))
		return false;
	m->era = k->packer.era;
	m->fixed = streams_fixed(m);
	return true;
}

bool npu_mac_again(struct npu_mac *m, const struct npu_kernels *k)
{
	if (m->era != k->packer.era ||
	    (!m->fixed && !(npu_packed_same(m->weights, m->view) && npu_prepared_same(m->channels.kept, m->view))))
		return false;
	npu_sink_again(&m->sink);
	return true;
}

bool npu_mac_follows(struct npu_mac *m, struct npu_kernels *k)
{
	const struct npu_op *op = m->op;
	struct npu_channels *const c = &m->channels;
	const size_t scales = c->groups * sizeof(*c->rescale), starts = c->groups * NPU_GROUP * sizeof(*c->start);

	if (m->simd->gemm_u8 || m->weights != &k->dynamic_weights || op->ifm.bytes != 1 || !npu85_type_bounds(op) || op->per_channel ||
	    !npu_sink_is_layer(&m->sink) || !npu_sink_lasts(&m->sink, k))
		return false;
	struct npu_rescale *const own = npu_again_room(k, scales + starts);
	if (!own)
		return false;
	c->start = memcpy(own + c->groups, c->start, starts);
	c->rescale = memcpy(own, c->rescale, scales);
	return true;
}

bool npu_mac_follow(struct npu_mac *m, struct npu_kernels *k)
{
	m->weights = npu85_pack_ifm2(k, m->op, m->view, DATA_TAPS);
	npu_sink_again(&m->sink);
	return m->weights;
}

/* An odd number of taps has anything behind it in the panel. */
static bool is_small(const struct npu_mac *m)
{
	return m->op->ifm.depth % 2 == 0 && (i64)npu_fm_magnitude(&m->op->ifm) + m->weights->max_weight <= INT16_MAX;
}

struct npu_layer8 npu_mac_layer(const struct npu_mac *m)
{
	return (struct npu_layer8){
		.row = m->weights->row,
		.group_step = m->weights->group_step,
		.bricks = m->gather.pointwise,
		.small = is_small(m),
		.depth = m->channels.depth,
		.weights = m->pairs ? m->weights->low : m->weights->weights,
		.weights_high = m->weights->high,
		.start = m->channels.start,
		.high = m->channels.high,
		.rescale = m->channels.rescale,
		.narrow = &m->sink.narrow,
		.narrow16 = &m->sink.narrow16,
		.whole = m->sink.whole ? m->channels.whole : NULL,
		.fits_32 = npu_mac_fits(m, 32),
		.stride_group = npu_fm_stride_group(&m->op->ofm),
		.tiles = m->simd->tiles,
	};
}

void npu_mac_layer_lines(const struct npu_mac *m, struct npu_layer8 *l)
{
	if (!m->weights->lined)
		return;
	l->weights = m->weights->lined;
	l->row = npu_lined_row(&m->weights->key);
	l->group_step = l->row * NPU_GROUP;
}
