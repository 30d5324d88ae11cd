/* SPDX-License-Identifier: Apache-2.0 */
/* Generic execution: loads, output stage, stores and the choice of the operation. */
#include "npu/exec.h"

#include <stdlib.h>
#include <string.h>

#include "npu/arith.h"
#include "npu/sigmoid.h"
#include "npu/view.h"

enum { COPIED_AT_ONCE = 1 << 20 }; /* bytes; whether anybody waits is asked in between */

i64 npu_load_element(const struct npu_fm *fm, const u8 *p)
{
	u64 v = 0;
	unsigned unused = 64 - 8u * fm->bytes;

	for (unsigned i = 0; i < fm->bytes; i++)
		v |= (u64)p[i] << (8 * i);
	return fm->is_signed ? (i64)(v << unused) >> unused : (i64)v;
}

i64 npu_load(const struct npu_fm *fm, const u8 *const tiles[NPU_TILES], u32 y, u32 x, u32 c)
{
	unsigned t = npu_tile_of(fm, &y, &x);
	return (i64)((u64)npu_load_element(fm, tiles[t] + npu_offset_of(fm, y, x, c)) - (u64)(i64)fm->zero_point);
}

static void store(const struct npu_fm *fm, u8 *const tiles[NPU_TILES], u32 y, u32 x, u32 c, i32 v)
{
	unsigned t = npu_tile_of(fm, &y, &x);
	u8 *p = tiles[t] + npu_offset_of(fm, y, x, c);

	for (unsigned i = 0; i < fm->bytes; i++)
		p[i] = (u8)((u32)v >> (8 * i));
}

static i32 load_le(const u8 *p, unsigned bytes)
{
	u32 v = 0;
	for (unsigned i = 0; i < bytes; i++)
		v |= (u32)p[i] << (8 * i);
	return (i32)v;
}

/* 512 words: base in the low, slope in the high half; 7 bits of fraction. */
static i32 lut16(const u8 *table, i32 v)
{
	u32 word = (u32)load_le(table + 4 * ((v + 32768) >> 7), 4);
	i32 base = (i16)word, slope = (i16)(word >> 16), fraction = v & 127;

	return (i32)npu_clamp(base + ((slope * fraction + 64) >> 7), INT16_MIN, INT16_MAX);
}

i32 npu_output_value(const struct npu_op *op, const u8 *lut, i64 v)
{
	const u8 *table = lut + op->lut_offset;

	if (op->output == NPU_OUT_RAW32)
		return (i32)npu_clamp(v, op->lo, op->hi);
	/* the units take the value as it is, wider than 16 bits; the clamp is on their result */
	if (op->output == NPU_OUT_TANH)
		return (i32)npu_clamp(npu_tanh(v), op->lo, op->hi);
	if (op->output == NPU_OUT_SIGMOID)
		return (i32)npu_clamp(npu_sigmoid(v), op->lo, op->hi);

	i32 r = (i32)npu_clamp(v + op->ofm.zero_point, op->lo, op->hi);
	switch (op->output) {
	case NPU_OUT_LUT8: /* first entry: the smallest value of the index type */
		return table[(u8)(op->ofm.is_signed ? r + 128 : r)];
	case NPU_OUT_LUT16:
		return lut16(table, (i16)r);
	case NPU_OUT_LUT32:
		return load_le(table + 4 * (u8)(r + 128), 4);
	default:
		return r;
	}
}

enum npu_tap npu_tap_at(const struct npu_op *op, u32 oy, u32 ox, u32 ky, u32 kx, u32 *y, u32 *x)
{
	i64 yu = (i64)oy * op->stride_y + (i64)ky * op->dilation_y - op->pad_top;
	i64 xu = (i64)ox * op->stride_x + (i64)kx * op->dilation_x - op->pad_left;

	if (yu < 0 || xu < 0 || yu >= op->up_height || xu >= op->up_width)
		return NPU_TAP_PADDING;
	if (op->upscale == NPU_UPSCALE_ZEROS && ((yu | xu) & 1))
		return NPU_TAP_ZERO;
	*y = (u32)(op->upscale ? yu / 2 : yu);
	*x = (u32)(op->upscale ? xu / 2 : xu);
	return NPU_TAP_DATA;
}

i64 npu_accumulate(struct npu_exec *e, i64 acc)
{
	unsigned unused = 64 - e->op->acc_bits;
	i64 wrapped = (i64)((u64)acc << unused) >> unused;

	e->wraps += wrapped != acc;
	return wrapped;
}

/* Tables of 256 bytes to 2 KiB start at a 256-byte slot; one that does not fit wraps around
 * the table memory. The copy makes every index safe. */
static void copy_lut(const struct npu_exec *e, u8 lut[2 * NPU_LUT_BYTES])
{
	memcpy(lut, e->view->lut, NPU_LUT_BYTES);
	memcpy(lut + NPU_LUT_BYTES, e->view->lut, NPU_LUT_BYTES);
}

static void store_all(struct npu_exec *e)
{
	const struct npu_fm *ofm = &e->op->ofm;
	const i32 *r = e->result;

	for (u32 y = 0; y < ofm->height; y++)
		for (u32 x = 0; x < ofm->width; x++)
			for (u32 c = 0; c < ofm->depth; c++)
				store(ofm, e->view->ofm, y, x, c, *r++);
}

/* Memory that may overlap, in pieces, from the side that is read before it is written. */
static void move_bytes(const struct npu_view *v, u8 *to, const u8 *from, u64 bytes)
{
	const bool backwards = (uintptr_t)to > (uintptr_t)from;

	for (u64 done = 0, n; done < bytes && !npu_given_up(v); done += n) {
		n = bytes - done < COPIED_AT_ONCE ? bytes - done : COPIED_AT_ONCE;
		const u64 at = backwards ? bytes - done - n : done;
		memmove(to + at, from + at, n);
	}
}

static void copy_bytes(struct npu_exec *e)
{
	const struct npu_dma *d = &e->op->dma;
	const struct npu_view *v = e->view;

	if (!v->dma_dst)
		return; /* nothing to copy */
	for (u32 plane = 0; plane < d->planes && !npu_given_up(v); plane++)
		for (u32 row = 0; row < d->rows && !npu_given_up(v); row++) {
			i64 index = d->index_mode ? npu_dma_index(d, v->dma_index, plane, row) : 0;
			i64 from = d->index_mode == NPU_INDEX_GATHER ? index : row;
			i64 to = d->index_mode == NPU_INDEX_SCATTER ? index : row;
			move_bytes(v, v->dma_dst + (i64)plane * d->dst_plane_stride + to * d->dst_row_stride,
				   v->dma_src + (i64)plane * d->src_plane_stride + from * d->src_row_stride, d->length);
		}
}

enum npu_exec_status npu_exec_op(struct npu_exec *e)
{
	const struct npu_op *op = e->op;
	u8 lut[2 * NPU_LUT_BYTES];
	struct npu_view view = *e->view;
	const struct npu_view *original = e->view;
	enum npu_exec_status status;

	if (op->kind == NPU_DMA) {
		copy_bytes(e);
		return NPU_EXEC_OK;
	}
	e->result = malloc((size_t)op->ofm.height * op->ofm.width * op->ofm.depth * sizeof(i32));
	if (!e->result)
		return NPU_EXEC_MEMORY;
	copy_lut(e, lut);
	view.lut = lut;
	e->view = &view;
	status = op->kind == NPU_POOL ? npu_exec_pool(e)
	       : op->kind == NPU_ELEMENTWISE ? npu_exec_elementwise(e) : npu_exec_mac(e);
	if (status == NPU_EXEC_OK && !npu_given_up(e->view))
		store_all(e);
	free(e->result);
	e->result = NULL;
	e->view = original;
	return status;
}
