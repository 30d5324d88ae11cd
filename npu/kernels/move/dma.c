/* SPDX-License-Identifier: Apache-2.0 */
/* Large copies of DMA, shared by threads. */
#include <string.h>

#include "npu/kernels/kernels.h"
#include "npu/kernels/move/move.h"
#include "npu/kernels/private.h"
#include "npu/kernels/team.h"

#define BYTE (NPU_TEAM_ELEMENT / 4)        /* products that take as long as to copy one */
#define COPIED_AT_ONCE (UINT64_C(1) << 20) /* before it is asked whether the operation is given up */

struct copy {
	const struct npu_view *view;
	u64 bytes;
	unsigned parts;
};

static void copy_part(void *ctx, unsigned part, unsigned place)
{
	const struct copy *c = ctx;
	const u64 size = (c->bytes / c->parts + 63) / 64 * 64, most = size * (part + 1), end = most < c->bytes ? most : c->bytes;

	(void)place;
	for (u64 at = size * part, n; at < end && !npu_given_up(c->view); at += n) {
		n = end - at < COPIED_AT_ONCE ? end - at : COPIED_AT_ONCE;
		memcpy(c->view->dma_dst + at, c->view->dma_src + at, n);
	}
}

static bool in_one_piece(const struct npu_dma *d, const struct npu_view *view)
{
	const uintptr_t to = (uintptr_t)view->dma_dst, from = (uintptr_t)view->dma_src;

	return to && !d->index_mode && d->planes == 1 && d->rows == 1 && (to < from ? from - to : to - from) >= d->length;
}

static bool copy_again(struct npu_kernels *k, void *room)
{
	struct copy *c = room;

	if (c->parts > 1)
		npu_team_run(k->team, c->parts, copy_part, c);
	else
		copy_part(c, 0, 0);
	return true;
}

bool npu_fast_copy(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	const u64 bytes = op->dma.length;
	struct copy *c;

	if (!k->simd || !in_one_piece(&op->dma, view))
		return false;
	if (bytes && bytes <= COPIED_AT_ONCE && npu_team_parts(k->team, BYTE * bytes) == 1) {
		struct npu_move m = { .to = view->dma_dst, .from = view->dma_src, .view = view };
		npu_copy_plan(&m.plan, &(struct npu_copy_dim){ bytes, 1, 1 }, 1, 1);
		npu_move_first(k, &m);
		return true;
	}
	c = npu_again_room(k, sizeof(*c));
	if (!c)
		return false;
	*c = (struct copy){ .view = view, .bytes = bytes, .parts = npu_team_parts(k->team, BYTE * bytes) };
	npu_again_keep(k, c, copy_again);
	return copy_again(k, c);
}

bool npu_kernels_copy(struct npu_kernels *k, const struct npu_dma *d, const struct npu_view *view)
{
	struct copy c = { .view = view, .bytes = d->length };

	if (!in_one_piece(d, view))
		return false;
	c.parts = npu_team_parts(k->team, BYTE * c.bytes);
	if (c.parts < 2)
		return false;
	npu_team_run(k->team, c.parts, copy_part, &c);
	return true;
}
