/* SPDX-License-Identifier: Apache-2.0 */
/* U85 resize: positions per row and column, blending along the channels. */
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/flow.h"

/* Where an output lies between two inputs of one axis, clamped to the input. */
struct between {
	u32 first, second;
	i64 rest, n; /* rest / n of the way */
};

static u32 clamped(i64 at, u32 size)
{
	return (u32)npu_clamp(at, 0, (i64)size - 1);
}

static struct between between_of(u32 out, i32 n, i32 d, i32 offset, u32 size, unsigned mode)
{
	struct npu85_position p = npu85_position_of(out, n, d, offset);

	if (mode == NPU_RESIZE_NEAREST)
		p.index += 2 * p.rest >= n;
	if (mode != NPU_RESIZE_BILINEAR)
		p.rest = 0;
	return (struct between){ clamped(p.index, size), clamped(p.index + 1, size), p.rest, n };
}

static void load(const struct npu85_job *j, u32 y, u32 x, u32 c, u32 n, i64 *v)
{
	const struct npu_fm *fm = &j->op.ifm;
	const u8 *p = npu_fm_pixel(fm, j->view.ifm, y, x);

	p += c / NPU_GROUP * npu_fm_stride_group(fm) + (i64)(c % NPU_GROUP) * fm->bytes;
	npu85_row_load(fm, p, fm->bytes, n, v);
}

/* v = v * (n - rest) + other * rest, wrapping */
static void blend(i64 *v, const i64 *other, const struct between *b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		v[i] = npu85_add(npu85_mul(v[i], b->n - b->rest), npu85_mul(other[i], b->rest));
}

/* Channels of input row y, blended along x. */
static void blended_row(const struct npu85_job *j, u32 y, const struct between *x, u32 c, u32 n, i64 *v)
{
	i64 right[NPU_ROW];

	load(j, y, x->first, c, n, v);
	if (x->rest) {
		load(j, y, x->second, c, n, right);
		blend(v, right, x, n);
		return;
	}
	for (u32 i = 0; i < n; i++)
		v[i] = npu85_mul(v[i], x->n);
}

static void pixel(struct npu85_flow *f, const struct npu85_job *j, const struct between *y, const struct between *x)
{
	const struct npu_fm *ifm = &j->op.ifm;
	bool bilinear = j->op.mode == NPU_RESIZE_BILINEAR;
	u32 most = ifm->format == NPU_NHWC ? NPU_ROW : NPU_GROUP;
	i64 v[NPU_ROW], below[NPU_ROW];

	for (u32 c = 0, n; c < ifm->depth; c += n) {
		n = ifm->depth - c < most ? ifm->depth - c : most;
		if (!bilinear) {
			load(j, y->first, x->first, c, n, v);
		} else {
			blended_row(j, y->first, x, c, n, v);
			if (y->rest)
				blended_row(j, y->second, x, c, n, below);
			blend(v, y->rest ? below : v, y, n);
		}
		/* the unit delivers its result with 16 bits of fraction */
		for (u32 i = 0; i < n; i++)
			npu85_flow_put(f, npu85_mul(v[i], 65536));
	}
}

bool npu85_fast_resize(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu85_op *u = &op->u85;
	struct npu85_flow f;

	if (!npu85_flow_open(&f, j, false))
		return false;
	struct between *columns = npu_scratch(&j->k->lines, op->ofm.width * sizeof(*columns));
	if (!columns)
		return false;
	for (u32 x = 0; x < op->ofm.width; x++)
		columns[x] = between_of(x, u->resize_x.n, u->resize_x.d, u->resize_x.offset, op->ifm.width, op->mode);
	for (u32 y = 0; y < op->ofm.height; y++) {
		struct between row = between_of(y, u->resize_y.n, u->resize_y.d, u->resize_y.offset, op->ifm.height,
						op->mode);
		for (u32 x = 0; x < op->ofm.width && !npu_given_up(&j->view); x++)
			pixel(&f, j, &row, &columns[x]);
	}
	npu85_flow_flush(&f);
	return true;
}
