/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/phases.h"

#include "npu/kernels/fm.h"
#include "npu/kernels/conv/mac.h"

#define LEAST_PRODUCTS (UINT64_C(1) << 17) /* four times what an operation takes beside its products is less than those left out */

/* One axis of a quarter. */
struct axis {
	u32 tap;    /* the first that meets elements */
	u32 before; /* rows of padding, */
	u32 skip;   /* or rows of the map that no window reaches */
	u32 results, rows;
};

/* Of results from `first` on, 0 or 1; false: no tap or no row is left. */
static bool axis_of(u32 first, u32 taps, u32 pad, u32 results, u32 up, u32 stored, struct axis *a)
{
	const u32 rows = (up + 1) / 2 < stored ? (up + 1) / 2 : stored;

	a->tap = (pad + first) & 1;
	const i32 before = ((i32)pad - (i32)(first + a->tap)) / 2; /* an even number */
	a->before = before > 0 ? (u32)before : 0;
	a->skip = before < 0 ? (u32)-before : 0;
	a->results = (results - first + 1) / 2;
	a->rows = rows - a->skip;
	return a->tap < taps && a->skip < rows;
}

/* The quarter of results from row `y` and column `x` on. */
static bool quarter_of(const struct npu_op *op, const struct npu_view *view, u32 y, u32 x, struct npu_op *o, struct npu_view *v)
{
	struct axis down, right;

	if (!axis_of(y, op->kernel_h, op->pad_top, op->ofm.height, op->up_height, op->ifm.height, &down) ||
	    !axis_of(x, op->kernel_w, op->pad_left, op->ofm.width, op->up_width, op->ifm.width, &right))
		return false;
	*o = *op;
	*v = *view;
	o->phase = (u8)(1 + 2 * down.tap + right.tap);
	o->upscale = NPU_UPSCALE_NONE;
	o->pad_top = (u16)down.before;
	o->pad_left = (u16)right.before;
	o->pad_bottom = o->pad_right = 0; /* not looked at where windows are not 1x1 */
	o->ifm.height = o->up_height = down.rows;
	o->ifm.width = o->up_width = right.rows;
	o->ofm.height = down.results;
	o->ofm.width = right.results;
	o->ofm.stride_y *= 2;
	o->ofm.stride_x *= 2;
	v->ifm[0] += down.skip * op->ifm.stride_y + right.skip * op->ifm.stride_x;
	v->ofm[0] += y * op->ofm.stride_y + x * op->ofm.stride_x;
	return true;
}

bool npu_has_phases(const struct npu_op *op, const struct npu_view *view)
{
	const u64 products = (u64)op->ofm.height * op->ofm.width * op->ofm.depth * op->kernel_h * op->kernel_w * op->ifm.depth;

	return op->upscale == NPU_UPSCALE_ZEROS && !op->u85.enabled && !op->ifm.tiled && !op->ofm.tiled && op->stride_y == 1 && op->stride_x == 1 &&
	       op->dilation_y == 1 && op->dilation_x == 1 && op->kernel_h > 1 && op->kernel_w > 1 && op->ofm.height > 1 && op->ofm.width > 1 &&
	       op->ifm.height && op->ifm.width && products >= LEAST_PRODUCTS &&
	       !npu_fm_overlap(&op->ifm, view->ifm, &op->ofm, (const u8 *const *)view->ofm);
}

/* Whatever the weights, if they are bytes. */
static bool fits_anyway(const struct npu_op *op, const struct npu_mac *m)
{
	const u64 products = (u64)op->kernel_h * op->kernel_w * op->ifm.depth;

	return op->ifm.bytes == 1 && !m->weights->wide && m->weights->max_weight <= -INT8_MIN && npu_fm_magnitude(&op->ifm) <= UINT8_MAX &&
	       products * UINT8_MAX * -INT8_MIN + m->channels.max_bias <= INT32_MAX;
}

/* Whether all quarters are such as are multiplied here: nothing is written before that is known. */
static bool all_fit(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_op quarter;
	struct npu_view part;
	struct npu_mac m;

	for (u32 i = 0; i < 4; i++)
		if (!quarter_of(op, view, i / 2, i % 2, &quarter, &part))
			return false;
	for (u32 i = 0; i < 4; i++) {
		(void)quarter_of(op, view, i / 2, i % 2, &quarter, &part);
		if (!npu_mac_init(&m, k, &quarter, &part) || !npu_mac_has_sums(&m))
			return false;
		if (fits_anyway(op, &m))
			return true;
	}
	return true;
}

bool npu_fast_phases(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	struct npu_again *const again = k->again;
	struct npu_op quarter;
	struct npu_view part;
	bool done = true;

	if (!all_fit(k, op, view))
		return false;
	k->again = NULL; /* which knows of one operation, not of four */
	for (u32 i = 0; i < 4 && done; i++)
		done = quarter_of(op, view, i / 2, i % 2, &quarter, &part) && npu_fast_conv(k, &quarter, &part);
	k->again = again;
	return done;
}
