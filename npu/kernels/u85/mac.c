/* SPDX-License-Identifier: Apache-2.0 */
/* U85 convolution and depthwise through the kernels of U55/U65. Weight order, records and rounding
 * differ and are looked after where they are read (packed.c, channels.c). Accumulators that are kept,
 * that start from others or have 48 bits: the kernels store them as they are, the rest is done by
 * the flow. */
#include <string.h>

#include "npu/kernels/conv/channels.h"
#include "npu/kernels/conv/mac.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/row.h"

static bool multiply(struct npu85_job *j, const struct npu_op *op, const struct npu_view *view)
{
	return (op->kind == NPU_CONV ? npu_fast_conv : npu_fast_depthwise)(j->k, op, view);
}

/* Results straight out of the kernel's own output stage. Accumulators of 48 bits, too: the kernel refuses those that
 * may need more than 32. Those that are kept are stored as they are. */
static bool is_direct(const struct npu_op *op)
{
	return op->u85.acc_input == NPU85_ACC_RESET;
}

/* What the kernel may refuse for the sums' size alone. */
static bool has_others(const struct npu_op *op)
{
	return !is_direct(op) || op->u85.acc48 || op->ofm.bytes > 4;
}

/* Accumulators as a kernel of U55 stores them, and what becomes of them. */
struct via {
	struct npu85_job *job;
	struct npu_op raw;
	struct npu_view view;
	size_t count;
	npu_again_fn *run; /* the kernel, when it is done again */
	void *ctx;
};

static void via_init(struct via *v, struct npu85_job *j)
{
	*v = (struct via){ .job = j, .raw = j->op, .view = j->view };
	struct npu_fm *const fm = &v->raw.ofm;

	v->raw.u85.acc_output_off = 1;
	v->raw.per_channel = 0;
	fm->bytes = v->raw.u85.acc48 ? 8 : 4;
	fm->is_signed = 1;
	fm->zero_point = 0;
	npu85_map_packed(fm);
	v->count = (size_t)fm->height * fm->width * fm->depth;
	memset(v->view.ofm, 0, sizeof(v->view.ofm));
}

/* False: memory is short. */
static bool take_sums(struct via *v)
{
	v->view.ofm[0] = npu_scratch(&v->job->k->sums, v->count * v->raw.ofm.bytes);
	return v->view.ofm[0];
}

static bool put_sums(const struct via *v)
{
	return v->job->k->simd->rows->flow85(v->job, v->view.ofm[0], v->count, v->raw.ofm.bytes);
}

static bool via_again(struct npu_kernels *k, void *room)
{
	struct via *const v = room;

	return take_sums(v) && v->run(k, v->ctx) && put_sums(v);
}

static bool via_accumulators(struct npu85_job *j)
{
	struct npu_again *const again = j->k->again;
	struct via *const room = npu_again_room(j->k, sizeof(*room)), own, *const v = room ? room : &own;

	j->k->again = room ? again : NULL; /* kernels keep addresses of it */
	via_init(v, j);
	const bool done = take_sums(v) && multiply(j, &v->raw, &v->view) && put_sums(v);
	j->k->again = again;
	if (room && !done)
		again->run = NULL; /* the kernel has done its part, which is not all */
	if (!room || !again->run)
		return done;
	v->run = again->run;
	v->ctx = again->ctx;
	npu_again_keep(j->k, v, via_again);
	return true;
}

/* Sums and biases are stored as they are: accumulators of a part of the taps, or of each fourth pixel of a transposed convolution, which are scaled when all are there.
 * Scales stay what they are. */
static bool stores_sums(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	const struct npu85_op *u = &op->u85;
	struct npu_channels c;

	if (!u->acc48 || !op->per_channel || u->acc_input != NPU85_ACC_RESET || u->acc_output_off || op->ofm.bytes != sizeof(i64) || op->ofm.zero_point || !u->clip_off ||
	    u->table != NPU85_TABLE_NONE || j->view.constant_scales[0] < op->scales[0].length || !npu_channels_read(j->k, op, &j->view, NULL, &c))
		return false;
	for (u32 i = 0; i < c.depth; i++)
		if (c.scale[i].scale != 1 || c.scale[i].shift)
			return false;
	return true;
}

/* Accumulators begin with the biases. */
static bool multiply_alone(struct npu85_job *j)
{
	j->op.u85.acc_output_off = 1;
	if (multiply(j, &j->op, &j->view))
		return true;
	j->op.u85.acc_output_off = 0;
	return false;
}

/* Their sums hardly ever have 32 bits, and which they need is known only when one of them has been packed. */
static bool is_wide_product(const struct npu85_job *j)
{
	const struct npu_op *op = &j->op;

	return op->u85.weights_ifm2 && op->ifm.bytes == 2 && op->ifm2.bytes == 2 && op->u85.acc48 && !npu_mac_may_pair(j->k->simd, op);
}

/* int16 through a table of int16, behind a clip that leaves int16: what the loops of int16 store is what the table is asked for. */
static bool is_tabled_words(const struct npu_op *op)
{
	const struct npu85_op *u = &op->u85;

	return is_direct(op) && op->ifm.bytes == 2 && op->ofm.bytes == 2 && op->ofm.zero_point == 0 && u->table == NPU85_TABLE_S16_S16 &&
	       !u->clip_off && op->lo >= INT16_MIN && op->hi <= INT16_MAX;
}

/* The results of a job through its table, where they lie: a pool of one element. */
static bool look_up(const struct npu85_job *j)
{
	struct npu85_job t = *j;
	struct npu_op *op = &t.op;

	op->kind = NPU_POOL;
	op->mode = NPU_POOL_SUM;
	op->kernel_h = op->kernel_w = op->stride_y = op->stride_x = op->dilation_y = op->dilation_x = 1;
	op->pad_top = op->pad_left = op->pad_bottom = op->pad_right = op->upscale = op->per_channel = 0;
	op->ifm = op->ofm;
	op->ifm.is_signed = 1;
	op->u85.ofm_scale = (struct npu85_scale){ .scale = 1 };
	memcpy(t.view.ifm, t.view.ofm, sizeof(t.view.ofm));
	return t.k->simd->rows->pool85(&t);
}

static bool multiply_tabled(struct npu85_job *j)
{
	struct npu_op plain = j->op;

	plain.u85.table = NPU85_TABLE_NONE;
	j->k->again = NULL; /* two kernels */
	return multiply(j, &plain, &j->view) && look_up(j);
}

bool npu85_fast_mac(struct npu85_job *j)
{
	const struct npu_op *op = &j->op;
	bool product = op->u85.weights_ifm2;

	if (op->ifm.stacked || (product && (op->kernel_h > 1 || op->kernel_w > 1 || op->ifm2.bytes > 2)))
		return false;
	if (product && (j->k->simd->rows->dots85(j) || npu85_fast_row(j) || npu85_fast_products(j)))
		return true;
	if (is_tabled_words(op) && !is_wide_product(j) && multiply_tabled(j))
		return true;
	if (stores_sums(j) && multiply_alone(j))
		return true;
	if (is_direct(op) && !is_wide_product(j) && multiply(j, op, &j->view))
		return true;
	return has_others(op) && (j->k->simd->rows->onto85(j) || via_accumulators(j));
}
