/* SPDX-License-Identifier: Apache-2.0 */
/* Operands and results of U85 operations as plain maps; see job.h. */
#include "npu/kernels/u85/job.h"

#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/u85/rows.h"

void npu85_map_packed(struct npu_fm *fm)
{
	fm->format = NPU_NHWC;
	fm->stride_c = fm->bytes;
	fm->stride_x = (i64)fm->depth * fm->bytes;
	fm->stride_y = fm->stride_x * fm->width;
	fm->tiled = fm->stacked = 0;
	fm->width0 = fm->width;
	fm->height0 = fm->height1 = fm->height;
	fm->used = 1;
}

/* ... of a tensor of whole bricks. */
static void map_bricks(struct npu_fm *fm)
{
	npu85_map_packed(fm);
	fm->format = NPU_NHCWB16;
	fm->stride_x = NPU_GROUP * (i64)fm->bytes;
	fm->stride_y = fm->stride_x * fm->width;
	fm->stride_c = fm->stride_y * fm->height;
}

/* A chain buffer as the memory it is; broadcast operands keep their sizes of 1. */
static bool map_chained(struct npu_fm *fm, const struct npu_op *op, const struct npu85_tensor *t,
			const u8 *tile[NPU_TILES])
{
	struct npu_fm whole = *fm;

	if (!npu85_tensor_fits(t, &op->ofm) || t->bytes != fm->bytes || t->is_signed != fm->is_signed)
		return false;
	whole.height = t->height;
	whole.width = t->width;
	whole.depth = t->depth;
	(t->bricks ? map_bricks : npu85_map_packed)(&whole);
	whole.height = fm->height;
	whole.width = fm->width;
	whole.depth = fm->depth;
	*fm = whole;
	tile[0] = t->data;
	return true;
}

/* Three tiles, of which only the first has elements, are one. */
static void simplify(struct npu_fm *fm)
{
	if (fm->stacked && fm->height <= fm->height0)
		fm->stacked = fm->tiled = 0;
}

/* Each element comes from the one at its place; a sum over the depth comes from all of its pixel. */
static bool is_pointwise(const struct npu_op *op)
{
	return op->kind == NPU_ELEMENTWISE ||
	       (op->kind == NPU_POOL && op->mode != NPU_POOL_REDUCE_SUM && op->kernel_h == 1 && op->kernel_w == 1 && op->stride_y == 1 && op->stride_x == 1 && !op->upscale &&
		!op->pad_top && !op->pad_left && !op->pad_bottom && !op->pad_right);
}

/* Rows may be written while later ones are still to be read. */
static bool apart(const struct npu85_job *j, const struct npu_fm *fm, const u8 *const tile[NPU_TILES])
{
	const struct npu_fm *ofm = &j->op.ofm;
	const u8 *const *to = (const u8 *const *)j->view.ofm;

	return !fm->used || !npu_fm_overlap(fm, tile, ofm, to) ||
	       (is_pointwise(&j->op) && npu_fm_same(fm, tile, ofm, to));
}

static void widen_row(void *ctx, u8 *const p[NPU_WALK_MAPS], const i64 stride[NPU_WALK_MAPS], size_t n)
{
	const struct npu_walk_map *maps = ctx;
	i64 v[NPU_ROW];

	npu85_row_load(maps[1].fm, p[1], stride[1], n, v);
	npu_row_put(v, n, maps[0].fm->bytes, p[0], stride[0]);
}

static bool is_packed(const struct npu_fm *fm)
{
	return fm->format == NPU_NHWC && !fm->tiled && (fm->width == 1 || fm->stride_x == (i64)fm->depth * fm->bytes) &&
	       (fm->height == 1 || fm->stride_y == (i64)fm->width * fm->depth * fm->bytes);
}

/* Elements of a map minus zero point as packed accumulators. */
static bool start_from(struct npu85_job *j, const struct npu_fm *fm, const u8 *const tile[NPU_TILES])
{
	struct npu_fm packed = j->op.ofm;

	packed.bytes = j->op.u85.acc48 ? 8 : 4;
	npu85_map_packed(&packed);
	if (is_packed(fm) && fm->bytes == packed.bytes && !fm->zero_point && fm->height == packed.height && fm->width == packed.width &&
	    fm->depth == packed.depth && (uintptr_t)tile[0] % packed.bytes == 0) {
		j->start = tile[0];
		return true;
	}
	u8 *to[NPU_TILES] = { npu_scratch(&j->k->start, (size_t)packed.stride_y * packed.height) };
	struct npu_walk_map maps[2] = {
		{ .fm = &packed, .tile = (const u8 *const *)to, .step_y = 1, .step_x = 1 },
		{ .fm = fm, .tile = tile, .step_y = 1, .step_x = 1 },
	};
	j->start = to[0];
	if (to[0] && fm->bytes == packed.bytes && !fm->zero_point)
		npu_walk_copy(j->k->team, &j->view, maps);
	else if (to[0])
		npu_walk(j->k->team, &j->view, maps, 2, widen_row, maps);
	return to[0] != NULL;
}

/* Nothing is kept, or accumulators of another size, which nothing goes on from: Vela cuts taps of many weights into groups of channels, and each
 * group finds those of the one before. */
static bool start_anew(struct npu85_job *j)
{
	j->op.u85.acc_input = NPU85_ACC_RESET;
	j->anew = true;
	return true;
}

/* Accumulators of the operation before, or of the second operand. */
static bool map_start(struct npu85_job *j)
{
	const struct npu85_tensor *t = &j->carry->accumulators;
	const struct npu85_op *u = &j->op.u85;
	struct npu_fm fm = j->op.ofm;

	if (u->acc_input == NPU85_ACC_IFM2)
		return start_from(j, &j->op.ifm2, j->view.ifm2);
	if (u->acc_input != NPU85_ACC_KEEP)
		return true;
	if (!npu85_tensor_fits(t, &j->op.ofm))
		return start_anew(j);
	if (t->bytes == (u->acc48 ? 8 : 4)) {
		j->start = t->data;
		return true;
	}
	fm.bytes = t->bytes;
	fm.is_signed = t->is_signed;
	fm.zero_point = 0;
	npu85_map_packed(&fm);
	return start_from(j, &fm, (const u8 *const[NPU_TILES]){ t->data });
}

static size_t result_bytes(const struct npu_op *op)
{
	return (size_t)op->ofm.height * op->ofm.width * op->ofm.depth * op->ofm.bytes;
}

/* The result goes to memory of our own first. */
static bool divert(struct npu85_job *j)
{
	j->through = true;
	npu85_map_packed(&j->op.ofm);
	memset(j->view.ofm, 0, sizeof(j->view.ofm));
	j->view.ofm[0] = npu_scratch(&j->k->result, result_bytes(&j->op));
	return j->view.ofm[0] != NULL;
}

/* Memory for it. */
static bool take_spare(struct npu85_job *j)
{
	const struct npu_fm *ofm = &j->op.ofm;

	return npu85_tensor_take(&j->carry->spare, ofm->height, ofm->width, ofm->depth, ofm->bytes, ofm->is_signed);
}

/* The result becomes a kept tensor; the old one may still be read meanwhile. */
static bool keep(struct npu85_job *j, struct npu85_tensor *t, bool bricks)
{
	if (!take_spare(j))
		return false;
	j->kept = t;
	j->carry->spare.bricks = bricks;
	(bricks ? map_bricks : npu85_map_packed)(&j->op.ofm);
	memset(j->view.ofm, 0, sizeof(j->view.ofm));
	j->view.ofm[0] = j->carry->spare.data;
	return true;
}

static bool is_in_bricks(const struct npu_fm *fm, const struct npu_fm *ofm)
{
	return fm->format == NPU_NHCWB16 && fm->height == ofm->height && fm->width == ofm->width && fm->depth == ofm->depth;
}

/* A chain buffer is as the maps that it is made of, so that elementwise operations find all of them in one order; products store bricks. */
static bool likes_bricks(const struct npu_op *op)
{
	const struct npu_fm *ofm = &op->ofm;

	return ofm->depth % NPU_GROUP == 0 && ofm->depth > NPU_GROUP && (npu_is_mac(op) || is_in_bricks(&op->ifm, ofm) || is_in_bricks(&op->ifm2, ofm));
}

static bool map_result(struct npu85_job *j)
{
	const struct npu_op *op = j->decoded;
	const struct npu85_op *u = &op->u85;

	if (u->acc_output_off) {
		j->op.ofm.bytes = u->acc48 ? 8 : 4;
		j->op.ofm.is_signed = 1;
		j->op.ofm.zero_point = 0;
		j->op.per_channel = 0; /* the bias is added where the output is */
		return keep(j, &j->carry->accumulators, false);
	}
	if (u->ofm_chained)
		return keep(j, &j->carry->chain[op->ofm.region], likes_bricks(&j->op));
	if (!op->ofm.used || !npu_fm_disjoint(&u->stored, (const u8 *const *)j->view.ofm))
		return false;
	if (u->transpose || u->reverse)
		return divert(j);
	j->op.ofm = u->stored;
	j->op.ofm.zero_point = op->ofm.zero_point;
	simplify(&j->op.ofm);
	if (apart(j, &j->op.ifm, j->view.ifm) && apart(j, &j->op.ifm2, j->view.ifm2))
		return true;
	return divert(j);
}

/* Accumulators out of memory that are only scaled, all alike, are a pool of one element. */
static void scale_as_pool(struct npu85_job *j)
{
	struct npu_op *op = &j->op;
	struct npu85_op *u = &op->u85;

	if (op->kind != NPU_POOL || op->mode != NPU_POOL_NONE || u->acc_input != NPU85_ACC_IFM2 || op->per_channel || u->acc_output_off ||
	    u->ifm2_chained || op->ifm2.bytes != (u->acc48 ? 8 : 4) || !op->ifm2.is_signed || op->ifm2.zero_point)
		return;
	op->mode = NPU_POOL_SUM;
	op->kernel_h = op->kernel_w = op->stride_y = op->stride_x = op->dilation_y = op->dilation_x = 1;
	op->pad_top = op->pad_left = op->pad_bottom = op->pad_right = op->upscale = 0;
	op->ifm = op->ifm2;
	op->up_height = op->ifm.height;
	op->up_width = op->ifm.width;
	u->acc_input = NPU85_ACC_RESET;
	memcpy(j->view.ifm, j->view.ifm2, sizeof(j->view.ifm));
}

bool npu85_job_begin(struct npu85_job *j, struct npu_kernels *k, const struct npu_op *op,
		     const struct npu_view *view, struct npu85_carry *carry)
{
	*j = (struct npu85_job){ .k = k, .carry = carry, .decoded = op, .op = *op, .view = *view,
				 .stored = view->ofm };
	j->op.cores = 1;
	if (op->u85.ifm_chained && !map_chained(&j->op.ifm, op, &carry->chain[op->ifm.region], j->view.ifm))
		return false;
	if (op->u85.ifm2_chained && !map_chained(&j->op.ifm2, op, &carry->chain[op->ifm2.region], j->view.ifm2))
		return false;
	simplify(&j->op.ifm);
	simplify(&j->op.ifm2);
	scale_as_pool(j);
	return map_start(j) && map_result(j);
}

/* The map was made of a buffer like this one. */
static bool chained_again(const struct npu85_tensor *t, const struct npu_op *op, const struct npu_fm *fm, const u8 *tile[NPU_TILES])
{
	if (!npu85_tensor_fits(t, &op->ofm) || t->bytes != fm->bytes || t->is_signed != fm->is_signed || t->bricks != (fm->format == NPU_NHCWB16))
		return false;
	tile[0] = t->data;
	return true;
}

bool npu85_job_again(struct npu85_job *j)
{
	const struct npu_op *op = j->decoded;

	if ((op->u85.ifm_chained && !chained_again(&j->carry->chain[op->ifm.region], op, &j->op.ifm, j->view.ifm)) ||
	    (op->u85.ifm2_chained && !chained_again(&j->carry->chain[op->ifm2.region], op, &j->op.ifm2, j->view.ifm2)))
		return false;
	if ((j->anew || (j->start && op->u85.acc_input == NPU85_ACC_KEEP)) && npu85_tensor_fits(&j->carry->accumulators, &op->ofm) == j->anew)
		return false;
	if (j->start && !map_start(j))
		return false;
	if (j->kept && !take_spare(j))
		return false;
	if (j->kept) {
		j->carry->spare.bricks = j->op.ofm.format == NPU_NHCWB16;
		j->view.ofm[0] = j->carry->spare.data;
	}
	if (j->through)
		j->view.ofm[0] = npu_scratch(&j->k->result, result_bytes(&j->op));
	return !j->through || j->view.ofm[0];
}

u8 *npu85_job_packed(struct npu85_job *j)
{
	if (j->kept) {
		j->carry->spare.bricks = false;
		npu85_map_packed(&j->op.ofm);
	}
	if (!is_packed(&j->op.ofm) && !divert(j))
		return NULL;
	return j->view.ofm[0];
}

void npu85_job_end(struct npu85_job *j)
{
	const struct npu_op *op = j->decoded;

	if (j->anew)
		npu85_tensor_forget(&j->carry->accumulators);
	if (j->kept) {
		struct npu85_tensor old = *j->kept;
		*j->kept = j->carry->spare;
		j->carry->spare = old;
	}
	if (j->through)
		npu85_put_turned(j);
	/* branches look at the low bit of a single element */
	if ((u64)op->ofm.height * op->ofm.width * op->ofm.depth == 1 && !op->u85.acc_output_off)
		j->carry->flag = *npu_fm_pixel(&j->op.ofm, (const u8 *const *)j->view.ofm, 0, 0) & 1;
}
