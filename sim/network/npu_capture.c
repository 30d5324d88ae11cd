/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/network/npu_capture.h"

#include <stdlib.h>

#include "npu/inspect.h"

const char *npu_role_name(enum npu_role role)
{
	static const char *const names[NPU_ROLES] = { "ifm", "ifm2", "weights", "ofm" };

	return names[role];
}

static const char *type_of(const struct npu_fm *fm)
{
	static const char *const types[2][4] = { { "u1", "u2", "u4", "u8" }, { "i1", "i2", "i4", "i8" } };

	return types[fm->is_signed != 0][fm->bytes == 1 ? 0 : fm->bytes == 2 ? 1 : fm->bytes == 4 ? 2 : 3];
}

static bool take_map(const struct npu_fm *fm, const u8 *const tiles[NPU_TILES], struct npu_tensor *t)
{
	t->shape[0] = 1;
	t->shape[1] = fm->height;
	t->shape[2] = fm->width;
	t->shape[3] = fm->depth;
	t->type = type_of(fm);
	t->zero_point = fm->zero_point;
	t->bytes = (u64)fm->height * fm->width * fm->depth * fm->bytes;
	t->data = malloc(t->bytes ? t->bytes : 1);
	if (t->data)
		npu_inspect_map(fm, tiles, t->data);
	return t->data != NULL;
}

/* A stream that is damaged has no weights; the NPU itself reports it. */
static void take_weights(const struct npu_capture *c, const struct npu_config *config, struct npu_tensor *t)
{
	const struct npu_op *op = &c->op;

	t->shape[0] = op->ofm.depth;
	t->shape[1] = op->kernel_h;
	t->shape[2] = op->kernel_w;
	t->shape[3] = op->kind == NPU_DEPTHWISE ? 1 : op->ifm.depth;
	t->bytes = 2 * (u64)t->shape[0] * t->shape[1] * t->shape[2] * t->shape[3];
	t->type = "i2";
	t->data = (u8 *)npu_inspect_weights(config, op, &c->view);
}

bool npu_capture_begin(struct npu_capture *c, const struct npu_config *config, const struct npu_op *op, const struct npu_view *view)
{
	const struct npu85_op *u = &op->u85;
	bool ok = true;

	npu_capture_clear(c);
	c->op = *op;
	c->view = *view;
	if (op->kind == NPU_DMA)
		return true;
	if (op->ifm.used && !u->ifm_chained && !u->ifm_scalar)
		ok &= take_map(&op->ifm, view->ifm, &c->tensor[NPU_ROLE_IFM]);
	if (op->ifm2.used && !u->ifm2_chained && !op->ifm2_scalar)
		ok &= take_map(&op->ifm2, view->ifm2, &c->tensor[NPU_ROLE_IFM2]);
	if (npu_is_mac(op) && !(u->enabled && u->weights_ifm2))
		take_weights(c, config, &c->tensor[NPU_ROLE_WEIGHTS]);
	return ok;
}

bool npu_capture_end(struct npu_capture *c)
{
	const struct npu_op *op = &c->op;

	if (op->kind == NPU_DMA || !npu_stored(op)->used || op->u85.ofm_chained)
		return true;
	return take_map(npu_stored(op), (const u8 *const *)c->view.ofm, &c->tensor[NPU_ROLE_OFM]);
}

void npu_capture_clear(struct npu_capture *c)
{
	for (unsigned role = 0; role < NPU_ROLES; role++) {
		free(c->tensor[role].data);
		c->tensor[role] = (struct npu_tensor){ 0 };
	}
}
