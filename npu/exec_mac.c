/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution, fully connected and depthwise: generic path. */
#include <stdlib.h>

#include "npu/arith.h"
#include "npu/exec.h"
#include "npu/kernels/weights/weights.h"

/* One core's weights into `dense`, whose rows are output channels, all cores interleaved. */
static enum npu_exec_status decode_core(struct npu_exec *e, unsigned core, i16 *dense, size_t row)
{
	const struct npu_op *op = e->op;
	struct npu_weights_shape shape = npu_weights_shape_of(op, core, e->config->ofm_ublock_d);
	u64 need = npu_weights_stream_count(&shape);
	u64 bytes = op->weights[core].length;
	size_t count = 0;

	e->core = core;
	if (shape.od == 0)
		return NPU_EXEC_OK;
	e->why = "it ends before the last weight";
	if (need > (bytes + 16) * NPU_WEIGHTS_PER_BYTE)
		return NPU_EXEC_WEIGHTS;
	i16 *stream = calloc(need, sizeof(*stream));
	if (!stream)
		return NPU_EXEC_MEMORY;
	enum npu_weights_status ok = npu_weights_decode_plain(e->view, e->view->weights[core], (u32)bytes,
							      stream, need, &count);
	if (ok == NPU_WEIGHTS_OK && count == need)
		npu_weights_sort_plain(&shape, stream, dense + core * row, row * op->cores);
	else if (ok != NPU_WEIGHTS_OK)
		e->why = "reserved coding or a slice that runs past its end";
	free(stream);
	return ok == NPU_WEIGHTS_OK && count == need ? NPU_EXEC_OK : NPU_EXEC_WEIGHTS;
}

static u64 read_le(const u8 *p, unsigned bytes)
{
	u64 v = 0;
	for (unsigned i = 0; i < bytes; i++)
		v |= (u64)p[i] << (8 * i);
	return v;
}

struct npu_channel_scale *npu_channel_scales(struct npu_exec *e, enum npu_exec_status *status)
{
	enum { RECORD = 10 };
	const struct npu_op *op = e->op;
	u32 depth = op->ofm.depth;
	struct npu_channel_scale *s = malloc(depth * sizeof(*s));

	*status = NPU_EXEC_MEMORY;
	for (u32 c = 0; s && c < depth; c++) {
		unsigned core = c % op->cores;
		u64 at = (u64)RECORD * (c / op->cores);
		if (op->per_channel && at + RECORD > op->scales[core].length) {
			e->core = core;
			e->needed = (u64)RECORD * ((depth + op->cores - 1 - core) / op->cores);
			free(s);
			*status = NPU_EXEC_SCALES;
			return NULL;
		}
		s[c] = (struct npu_channel_scale){ .bias = 0, .scale = op->ofm_scale };
		if (!op->per_channel)
			continue;
		const u8 *p = e->view->scales[core] + at;
		s[c].bias = (i64)(read_le(p, 5) << 24) >> 24;
		s[c].scale.scale = (u32)read_le(p + 5, 4);
		s[c].scale.shift = p[9] & 63;
	}
	return s;
}

static i64 dot(struct npu_exec *e, u32 oy, u32 ox, u32 oc, const i16 *w)
{
	const struct npu_op *op = e->op;
	bool depthwise = op->kind == NPU_DEPTHWISE;
	u32 depth = depthwise ? 1 : op->ifm.depth;
	i64 acc = 0;

	for (u32 ky = 0; ky < op->kernel_h && !npu_given_up(e->view); ky++)
		for (u32 kx = 0; kx < op->kernel_w; kx++, w += depth) {
			u32 y, x;
			if (npu_tap_at(op, oy, ox, ky, kx, &y, &x) != NPU_TAP_DATA)
				continue;
			for (u32 ic = 0; ic < depth; ic++)
				acc += w[ic] * npu_load(&op->ifm, e->view->ifm, y, x,
							depthwise ? oc : ic);
		}
	return acc;
}

static void compute(struct npu_exec *e, const i16 *dense, size_t row,
		    const struct npu_channel_scale *scales)
{
	const struct npu_fm *ofm = &e->op->ofm;
	i32 *r = e->result;

	for (u32 y = 0; y < ofm->height; y++)
		for (u32 x = 0; x < ofm->width && !npu_given_up(e->view); x++)
			for (u32 c = 0; c < ofm->depth; c++) {
				i64 acc = dot(e, y, x, c, dense + c * row) + scales[c].bias;
				i64 v = npu_scale_round(npu_accumulate(e, acc), scales[c].scale);
				*r++ = npu_output_value(e->op, e->view->lut, v);
			}
}

static size_t row_of(const struct npu_op *op)
{
	return (size_t)op->kernel_h * op->kernel_w * (op->kind == NPU_DEPTHWISE ? 1 : op->ifm.depth);
}

i16 *npu_exec_weights(struct npu_exec *e, enum npu_exec_status *status)
{
	const struct npu_op *op = e->op;
	const size_t row = row_of(op);
	i16 *dense = NULL;
	u64 bytes = 0;

	for (unsigned core = 0; core < op->cores; core++)
		bytes += op->weights[core].length + 16;
	*status = NPU_EXEC_WEIGHTS;
	e->why = "it ends before the last weight";
	if ((u64)row * op->ofm.depth <= bytes * NPU_WEIGHTS_PER_BYTE) {
		dense = calloc(row * op->ofm.depth, sizeof(*dense));
		*status = dense ? NPU_EXEC_OK : NPU_EXEC_MEMORY;
	}
	for (unsigned core = 0; *status == NPU_EXEC_OK && core < op->cores; core++)
		*status = decode_core(e, core, dense, row);
	if (*status == NPU_EXEC_OK)
		return dense;
	free(dense);
	return NULL;
}

bool npu_exec_mac_accumulator(struct npu_exec *e, u32 y, u32 x, u32 c, i64 *out)
{
	enum npu_exec_status status = NPU_EXEC_OK;
	struct npu_channel_scale *scales = npu_channel_scales(e, &status);
	i16 *dense = scales ? npu_exec_weights(e, &status) : NULL;

	if (dense)
		*out = npu_accumulate(e, dot(e, y, x, c, dense + c * row_of(e->op)) + scales[c].bias);
	free(dense);
	free(scales);
	return dense != NULL;
}

enum npu_exec_status npu_exec_mac(struct npu_exec *e)
{
	enum npu_exec_status status = NPU_EXEC_OK;
	struct npu_channel_scale *scales = npu_channel_scales(e, &status);
	i16 *dense = scales ? npu_exec_weights(e, &status) : NULL;

	if (dense)
		compute(e, dense, row_of(e->op), scales);
	free(dense);
	free(scales);
	return status;
}
