/* SPDX-License-Identifier: Apache-2.0 */
/* Sums to stored elements at every host level, by any scaling and any output stage, against npu/arith.h, npu/u85/arith.h and the reference's output stages: of 32
 * bits and of 40, next to where rounding changes its mind. */
#include <criterion/criterion.h>
#include <string.h>

#include "npu/config.h"
#include "npu/exec.h"
#include "npu/kernels/conv/sink.h"
#include "npu/u85/u85.h"
#include "tests/kernels/random_parts.h"
#include "tests/kernels/random_scaling.h"

enum { DEPTH = 36, GROUPS = (DEPTH + NPU_GROUP - 1) / NPU_GROUP, STEP = GROUPS * NPU_GROUP * 8 + 8, BYTES = NPU_BATCH * STEP, MOST_LEVELS = 8 };

/* `ways`: what the sums are. */
enum way { WORDS, WIDE, SCALED, WAYS };

struct draw {
	enum way way;
	struct npu_op op;
	struct npu_view view;
	struct npu_channels channels;
	struct scaling scaling[GROUPS * NPU_GROUP];
	struct npu_scale scale[GROUPS * NPU_GROUP];
	struct npu_rescale rescale[GROUPS];
	i32 whole[GROUPS * NPU_GROUP];
	unsigned pixels;
	i64 sum[GROUPS][NPU_BATCH * NPU_GROUP];
	u8 lut[2 * NPU_LUT_BYTES];
};

static const u8 sizes[] = { 1, 2, 2, 4, 8 }; /* the last one U85's */

static void draw_output(struct rng *r, struct npu_op *op, bool u85)
{
	static const u8 tables[] = { NPU85_TABLE_U8_U8, NPU85_TABLE_S8_S8, NPU85_TABLE_S8_S16, NPU85_TABLE_S8_S32, NPU85_TABLE_S16_S16, NPU85_TABLE_S16_S32,
				     NPU85_TABLE_TANH, NPU85_TABLE_SIGMOID };
	struct npu_fm *const ofm = &op->ofm;
	const u32 choice = rng_below(r, 3);

	random_type(r, ofm, sizes, ARRAY_LEN(sizes) - !u85);
	const i64 bits = ofm->bytes == 8 ? 32 : 8 * ofm->bytes, lo = ofm->is_signed ? -(INT64_C(1) << (bits - 1)) : 0, hi = (INT64_C(1) << (bits - ofm->is_signed)) - 1;
	op->lo = (i32)lo;
	op->hi = (i32)(hi > INT32_MAX ? INT32_MAX : hi);
	if (rng_one_in(r, 3)) {
		op->lo = rng_range(r, op->lo, op->hi);
		op->hi = rng_range(r, op->lo, op->hi);
	}
	if (u85) {
		op->u85.enabled = 1;
		op->u85.table = choice ? NPU85_TABLE_NONE : tables[rng_below(r, ARRAY_LEN(tables))];
		op->u85.clip_off = rng_one_in(r, 3);
		if (ofm->bytes == 4 && rng_below(r, 2)) { /* stored as they are */
			op->u85.table = NPU85_TABLE_NONE;
			op->u85.clip_off = 1;
			ofm->zero_point = 0;
		}
		return;
	}
	op->lut_offset = (u16)(256 * rng_below(r, 8));
	op->output = ofm->bytes == 4 ? (choice ? NPU_OUT_RAW32 : NPU_OUT_LUT32) : NPU_OUT_CLAMP;
	if (ofm->bytes == 1 && !choice)
		op->output = NPU_OUT_LUT8;
	if (ofm->bytes == 2 && ofm->is_signed && rng_below(r, 2))
		op->output = (u8)(choice == 0 ? NPU_OUT_LUT16 : choice == 1 ? NPU_OUT_TANH : NPU_OUT_SIGMOID);
	if (op->output == NPU_OUT_LUT32) {
		op->lo = -128;
		op->hi = 127;
	}
}

/* Factors alone, where results are stored as they are. */
static void draw_whole(struct rng *r, struct draw *d)
{
	if (!npu_sink_is_plain32(&d->op) || rng_below(r, 2))
		return;
	for (u32 c = 0; c < d->op.ofm.depth; c++) {
		d->scaling[c].scale.shift = 0;
		d->scale[c] = d->scaling[c].scale;
		d->whole[c] = (i32)d->scale[c].scale;
	}
	d->channels.whole = d->whole;
}

/* All of one rounding; mostly those of the fast form. */
static void draw_scales(struct rng *r, struct draw *d, bool u85)
{
	struct scaling like = random_scaling(r);
	const bool usual = rng_below(r, 2);

	like.u85 = u85;
	like.scale.round = (u8)(u85 ? rng_below(r, 6) : rng_below(r, 3));
	like.scale.first = (u8)(u85 ? rng_below(r, 33) : rng_one_in(r, 4) ? rng_below(r, 40) : 31);
	for (u32 c = 0; c < d->op.ofm.depth; c++) {
		struct scaling *const s = &d->scaling[c];
		*s = like;
		s->scale.scale = random_scale(r);
		if (!usual) {
			s->scale.scale = rng_short(r) >> u85;
			s->scale.shift = (u8)(rng_below(r, 3) ? rng_range(r, 16, 50) : rng_range(r, 0, 63));
		}
		d->scale[c] = s->scale;
	}
	d->channels = (struct npu_channels){ .depth = d->op.ofm.depth, .groups = (d->op.ofm.depth + NPU_GROUP - 1) / NPU_GROUP, .scale = d->scale,
					     .rescale = d->rescale, .some = true };
	draw_whole(r, d);
	for (u32 g = 0; g < d->channels.groups; g++) {
		d->rescale[g].fits = true;
		for (u32 i = 0; i < NPU_GROUP && g * NPU_GROUP + i < d->channels.depth; i++)
			d->rescale[g].fits &= set_lane(&d->rescale[g], i, &d->scaling[g * NPU_GROUP + i]);
	}
}

/* Of any size, or what leads next to a result and a half. */
static i64 draw_sum(struct rng *r, const struct scaling *s, enum way way)
{
	const unsigned bits = way == WIDE ? 39 : way == SCALED ? 29 : 31;
	const i64 any = (i64)(rng_next64(r) >> (64 - bits) >> rng_below(r, bits)), most = (INT64_C(1) << bits) - 1;
	const double sum = ((double)(rng_next(r) >> rng_below(r, 32)) + 0.5) * (double)(UINT64_C(1) << s->scale.shift) / (s->scale.scale ? s->scale.scale : 1);
	const i64 near = sum < (double)most ? (i64)sum + rng_range(r, -1, 1) : any, v = rng_below(r, 3) && way != SCALED ? near : rng_one_in(r, 20) ? most : any;

	return rng_below(r, 2) ? v : -v - (v == most);
}

static void draw_all(struct rng *r, struct draw *d)
{
	const bool u85 = rng_below(r, 2);

	memset(d, 0, sizeof(*d));
	d->way = (enum way)rng_below(r, WAYS);
	draw_output(r, &d->op, u85);
	d->op.ofm.depth = 1 + rng_below(r, rng_below(r, 2) ? DEPTH : 9);
	d->op.ofm.stride_c = d->op.ofm.bytes;
	d->op.per_channel = 1;
	draw_scales(r, d, u85);
	d->pixels = 1 + rng_below(r, rng_below(r, 2) ? 5 : NPU_BATCH);
	for (u32 g = 0; g < d->channels.groups; g++)
		for (unsigned i = 0; i < d->pixels * NPU_GROUP; i++)
			d->sum[g][i] = draw_sum(r, &d->scaling[g * NPU_GROUP + i % NPU_GROUP], d->way);
	for (unsigned i = 0; i < NPU_LUT_BYTES; i++)
		d->lut[i] = d->lut[NPU_LUT_BYTES + i] = (u8)rng_next(r);
	d->view.lut = d->lut;
}

static void expect(const struct draw *d, const struct npu_target *t, u32 group, u8 *right, const u8 *stored)
{
	const i64 *sum = d->sum[group];
	const unsigned bytes = d->op.ofm.bytes;

	for (unsigned run = 0; run < t->runs; run++)
		for (unsigned p = 0; p < t->run[run].n; p++, sum += NPU_GROUP)
			for (u32 i = 0, c = group * NPU_GROUP; i < NPU_GROUP && c < d->op.ofm.depth; i++, c++) {
				const i64 v = d->way == SCALED ? sum[i] : scaled(&d->scaling[c], sum[i]);
				const i64 e = d->op.u85.enabled ? npu85_output_value(&d->op, d->lut, v) : npu_output_value(&d->op, d->lut, v);
				memcpy(right + (t->run[run].to - stored) + (i64)p * t->step + c * bytes, &e, bytes);
			}
}

static void store(const struct npu_sink *s, const struct draw *d, const struct npu_target *t, u32 group)
{
	NPU_LINE i64 wide[NPU_BATCH * NPU_GROUP];
	NPU_LINE i32 words[NPU_BATCH * NPU_GROUP];

	memcpy(wide, d->sum[group], sizeof(wide));
	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		words[i] = (i32)wide[i];
	if (d->way == WIDE)
		npu_sink_store_wide(s, wide, t, group);
	else
		npu_sink_store(s, words, t, group);
}

static void draw_target(struct rng *r, struct npu_target *t, u8 *memory, unsigned pixels)
{
	unsigned at = 0, n;

	t->step = STEP;
	for (t->runs = 0; at < pixels; at += n) {
		n = rng_below(r, 2) ? pixels - at : 1 + rng_below(r, pixels - at);
		t->run[t->runs++] = (struct npu_run){ memory + at * STEP, n };
	}
}

Test(sinks, any_scaling_and_output_stage)
{
	static u8 right[BYTES], stored[BYTES];
	static struct draw d;
	const struct npu_simd *level[MOST_LEVELS];
	struct npu_kernels *k[MOST_LEVELS];
	const unsigned levels = npu_simd_list(level), rounds = rounds_of(6000);
	struct rng r = { 90 };
	unsigned done[WAYS] = { 0 }, wide = 0, whole = 0;

	for (unsigned l = 0; l < levels; l++)
		k[l] = npu_kernels_new(npu_config_find("ethos-u65-256"), level[l]->name);
	for (unsigned round = 0; round < rounds; round++) {
		struct npu_target t;
		draw_all(&r, &d);
		draw_target(&r, &t, stored, d.pixels);
		memset(right, 0x5a, sizeof(right));
		for (u32 g = 0; g < d.channels.groups; g++)
			expect(&d, &t, g, right, stored);
		for (unsigned l = 0; l < levels; l++) {
			struct npu_sink s;
			npu_sink_init(&s, k[l], &d.op, &d.view, &d.channels);
			s.unscaled = d.way == SCALED;
			memset(stored, 0x5a, sizeof(stored));
			for (u32 g = 0; g < d.channels.groups; g++)
				store(&s, &d, &t, g);
			cr_assert_eq(memcmp(stored, right, sizeof(right)), 0, "round %u level %s way %d u85 %d depth %u bytes %u output %u table %u round %u", round,
				     level[l]->name, d.way, d.op.u85.enabled, d.op.ofm.depth, d.op.ofm.bytes, d.op.output, d.op.u85.table, d.scale[0].round);
		}
		done[d.way]++;
		wide += d.way == WORDS && !d.rescale[0].fits;
		whole += d.way == WORDS && d.channels.whole;
	}
	for (unsigned l = 0; l < levels; l++)
		npu_kernels_free(k[l]);
	for (unsigned w = 0; w < WAYS; w++)
		cr_expect_gt(done[w], rounds / 5);
	cr_expect_gt(wide, rounds / 10);
	cr_expect_gt(whole, rounds / 200);
}
