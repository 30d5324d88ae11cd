/* SPDX-License-Identifier: Apache-2.0 */
/* Results that are stored transposed or reversed: see job.h. */
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/job.h"

/* Axes of the result that rows, columns and channels of the stored tensor are. */
static const u8 axes_of[8][3] = {
	[0] = { 0, 1, 2 }, [1] = { 1, 0, 2 }, [2] = { 0, 2, 1 }, [3] = { 1, 2, 0 }, [6] = { 2, 0, 1 }, [7] = { 2, 1, 0 },
};

/* Strides along the result's axes, from its first element on: of a reversed axis from the last one on. */
static const u8 *reverse(const struct npu85_job *j, const u8 *first, i64 stride[3])
{
	const struct npu_fm *ofm = &j->op.ofm;
	const u32 size[3] = { ofm->height, ofm->width, ofm->depth };
	const unsigned reversed = j->decoded->u85.reverse;

	if (!reversed)
		return first;
	first += stride[reversed - 1] * (i64)(size[reversed - 1] - 1);
	stride[reversed - 1] = -stride[reversed - 1];
	return first;
}

static struct npu_walk_map map_of(struct npu85_turned *t, const struct npu_fm *sizes, const u8 *first, const i64 stride[3])
{
	*t = (struct npu85_turned){ *sizes, { first } };
	npu85_map_packed(&t->fm);
	t->fm.stride_y = stride[0];
	t->fm.stride_x = stride[1];
	return (struct npu_walk_map){ .fm = &t->fm, .tile = t->tile, .step_y = 1, .step_x = 1, .stride_c = stride[2] };
}

/* Elements with such strides along the result's axes, in the order of the stored tensor. */
static struct npu_walk_map turned_source(const struct npu85_job *j, struct npu85_turned *t, const u8 *first, i64 stride[3])
{
	const u8 *const axis = axes_of[j->decoded->u85.transpose];
	const u8 *const from = reverse(j, first, stride);

	return map_of(t, &j->decoded->u85.stored, from, (const i64[]){ stride[axis[0]], stride[axis[1]], stride[axis[2]] });
}

/* The stored tensor in the order of the result. */
static struct npu_walk_map turned_target(const struct npu85_job *j, struct npu85_turned *t)
{
	const struct npu_fm *stored = &j->decoded->u85.stored;
	const u8 *const axis = axes_of[j->decoded->u85.transpose];
	const i64 step[3] = { stored->stride_y, stored->stride_x, stored->bytes };
	i64 stride[3];

	for (unsigned i = 0; i < 3; i++)
		stride[axis[i]] = step[i];
	const u8 *const to = reverse(j, j->stored[0], stride);
	return map_of(t, &j->op.ofm, to, stride);
}

static struct npu_walk_map stored_map(const struct npu85_job *j)
{
	return (struct npu_walk_map){ .fm = &j->decoded->u85.stored, .tile = (const u8 *const *)j->stored, .step_y = 1, .step_x = 1 };
}

/* Strides are all that its layout is. */
static bool is_strided(const struct npu_fm *fm)
{
	return !fm->tiled && (fm->format == NPU_NHWC || fm->depth <= NPU_GROUP);
}

bool npu85_job_turn(struct npu85_job *j, struct npu_walk_map maps[2], struct npu85_turned *t)
{
	const struct npu_fm *from = maps[1].fm, *stored = &j->decoded->u85.stored;

	if (!j->through || j->op.u85.ifm_chained || (!is_strided(from) && !is_strided(stored)) || npu_fm_overlap(from, maps[1].tile, stored, (const u8 *const *)j->stored) ||
	    (u64)stored->height * stored->width * stored->depth == 1)
		return false;
	j->through = false;
	if (is_strided(from)) {
		maps[1] = turned_source(j, t, maps[1].tile[0], (i64[]){ from->stride_y * maps[1].step_y, from->stride_x * maps[1].step_x, from->bytes });
		maps[0] = stored_map(j);
	} else {
		maps[0] = turned_target(j, t);
	}
	return true;
}

void npu85_put_turned(const struct npu85_job *j)
{
	const struct npu_fm *ofm = &j->op.ofm;
	struct npu85_turned t;
	const struct npu_walk_map maps[2] = { stored_map(j), turned_source(j, &t, j->view.ofm[0], (i64[]){ ofm->stride_y, ofm->stride_x, ofm->bytes }) };

	npu_walk_copy(j->k->team, &j->view, maps);
}
