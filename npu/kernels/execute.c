/* SPDX-License-Identifier: Apache-2.0 */
/* Choice of the kernel for an operation, and the life of the kernels' memory. */
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/fm.h"
#include "npu/kernels/private.h"

void *npu_scratch(struct npu_scratch *s, size_t bytes)
{
	if (bytes <= s->bytes)
		return s->data;
	size_t size = (bytes + 4095) / 4096 * 4096;
	void *p = aligned_alloc(64, size);
	if (!p)
		return NULL;
	memset(p, 0, size); /* padding that meets zero weights: any value, but a defined one */
	free(s->data);
	s->data = p;
	s->bytes = size;
	return p;
}

struct npu_kernels *npu_kernels_new(const struct npu_config *config, const char *simd)
{
	bool generic = simd && strcmp(simd, "generic") == 0;
	const struct npu_simd *level = generic ? NULL : npu_simd_find(simd);

	if (!generic && !level)
		return NULL;
	struct npu_kernels *k = calloc(1, sizeof(*k));
	if (k) {
		k->config = config;
		k->simd = level;
		k->packer.simd = level;
		k->packer.config = config;
	}
	return k;
}

void npu_kernels_free(struct npu_kernels *k)
{
	if (!k)
		return;
	npu_packer_free(&k->packer);
	free(k->panel.data);
	free(k->channels.data);
	free(k->lines.data);
	free(k->rows.data);
	free(k->result.data);
	free(k->start.data);
	free(k->sums.data);
	free(k->dynamic.data);
	free(k->roundings.data);
	free(k);
}

const char *npu_kernels_name(const struct npu_kernels *k)
{
	return k->simd ? k->simd->name : "generic";
}

bool npu_kernels_execute(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view)
{
	if (!k->simd || op->u85.enabled || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	if (op->kind == NPU_DMA || op->lo > op->hi /* in which order would count */ ||
	    !npu_fm_disjoint(&op->ofm, (const u8 *const *)view->ofm))
		return false;
	switch (op->kind) {
	case NPU_CONV:
		return npu_fast_conv(k, op, view);
	case NPU_DEPTHWISE:
		return npu_fast_depthwise(k, op, view);
	case NPU_POOL:
		return npu_fast_pool(k, op, view);
	case NPU_ELEMENTWISE:
		return npu_fast_elementwise(k, op, view);
	default:
		return false;
	}
}
