/* SPDX-License-Identifier: Apache-2.0 */
/* Accumulators of 8 bytes that wait, to int16 with a scale and bias for each channel, where the level has npu_simd.scaled_sums. A run of values is a pixel, its last 16
 * channels done once more where they are no whole group, or of fewer channels than 16 as many pixels as vectors begin anew behind. */
#include "npu/kernels/conv/sink.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/pool.h"

static u32 values_of_run(u32 depth)
{
	return depth < NPU_GROUP ? depth * (NPU_GROUP / (depth & -depth)) : depth;
}

static void put_lane(struct npu_rescale *to, unsigned lane, const struct npu_rescale *from, unsigned of)
{
	to->scale[lane] = from->scale[of];
	to->shift[lane] = from->shift[of];
	to->add[lane & 1][lane / 2] = from->add[of & 1][of / 2];
	to->negative = from->negative;
}

/* Constants of the values of a run. False: memory is short. */
static bool take_columns(struct npu_kernels *k, const struct npu_channels *c, struct npu_scaled_sums *s)
{
	const u32 columns = (s->n + NPU_GROUP - 1) / NPU_GROUP;
	struct npu_rescale *const rescale = npu_scratch(&k->roundings, columns * (sizeof(*rescale) + NPU_GROUP * sizeof(i32)));
	i32 *const bias = (i32 *)(rescale + columns);

	if (!rescale)
		return false;
	s->rescale = rescale;
	s->bias = bias;
	for (u32 i = 0; i < columns; i++) {
		const u32 first = i * NPU_GROUP + NPU_GROUP <= s->n ? i * NPU_GROUP : s->n - NPU_GROUP;
		for (unsigned lane = 0; lane < NPU_GROUP; lane++) {
			const u32 channel = (first + lane) % c->depth;
			put_lane(&rescale[i], lane, &c->rescale[channel / NPU_GROUP], channel % NPU_GROUP);
			bias[i * NPU_GROUP + lane] = c->start[channel];
		}
	}
	return true;
}

/* Lanes of any two channels may be one vector's. */
static bool round_alike(const struct npu_channels *c)
{
	for (u32 g = 1; g < c->groups; g++)
		if (c->rescale[g].negative != c->rescale[0].negative)
			return false;
	return true;
}

static bool has_columns(struct npu_kernels *k, const struct npu_channels *c, struct npu_scaled_sums *s)
{
	if (c->depth % NPU_GROUP)
		return round_alike(c) && take_columns(k, c, s);
	s->rescale = c->rescale;
	s->bias = c->start;
	return true;
}

static bool is_packed(const struct npu_fm *fm)
{
	return fm->format == NPU_NHWC && fm->stride_x == (i64)fm->depth * fm->bytes && (fm->height == 1 || fm->stride_y == (i64)fm->width * fm->stride_x);
}

/* Whether a run's results are where the vectors put them, and no more than those. */
static bool takes_runs(const struct npu_fm *fm)
{
	if (fm->tiled || (fm->format != NPU_NHWC && fm->depth % NPU_GROUP))
		return false;
	return fm->depth >= NPU_GROUP || (is_packed(fm) && (u64)fm->height * fm->width * fm->depth >= values_of_run(fm->depth));
}

/* Values one behind the other; the last run begins where it ends with them. */
static bool put_values(const struct npu_simd *simd, const struct npu_scaled_sums *all, size_t values)
{
	struct npu_scaled_sums last = *all;

	last.runs = 1;
	last.from += (values - all->n) * sizeof(i64);
	last.to += (values - all->n) * sizeof(i16);
	return simd->scaled_sums(all) && (values % all->n == 0 || simd->scaled_sums(&last));
}

static bool put_rows(struct npu85_job *j, struct npu_scaled_sums *s)
{
	const struct npu_fm *fm = &j->op.ofm;
	bool fits = true;

	s->down_to = fm->stride_x;
	s->runs = fm->width;
	for (u32 y = 0; fits && y < fm->height && !npu_given_up(&j->view); y++, s->from += (i64)fm->width * s->down_from) {
		s->to = j->view.ofm[0] + y * fm->stride_y;
		fits = j->k->simd->scaled_sums(s);
	}
	return fits;
}

bool npu85_scaled_words(struct npu85_job *j, const struct npu_channels *c)
{
	const struct npu_op *op = &j->op;
	const struct npu_fm *fm = &op->ofm;
	const size_t values = (size_t)fm->height * fm->width * fm->depth;
	struct npu_scaled_sums s = { .from = j->start, .to = j->view.ofm[0], .n = values_of_run(fm->depth), .lo = (i16)op->lo, .hi = (i16)op->hi };

	if (!j->k->simd->scaled_sums || !npu_sink_narrows16(op) || fm->zero_point || !takes_runs(fm) || !has_columns(j->k, c, &s))
		return false;
	s.down_from = s.n * (i64)sizeof(i64);
	s.down_to = s.n * (i64)sizeof(i16);
	s.step_to = npu_fm_stride_group(fm);
	s.runs = values / s.n;
	return is_packed(fm) ? put_values(j->k->simd, &s, values) : put_rows(j, &s);
}
