/* SPDX-License-Identifier: Apache-2.0 */
/* A tile of a convolution from panel to memory: sums stay in the first cache. Part of simd.c. */

#define LAYER_BODY(GEMM, WEIGHTS, GROUPS) \
	NPU_LINE i32 acc[GROUPS * NPU_TILE * NPU_GROUP]; \
	const WEIGHTS *weights = l->weights; \
	i64 offset = 0; \
	for (u32 c = 0; c < l->depth; c += GROUPS * NPU_GROUP) { \
		unsigned groups = l->depth - c > NPU_GROUP ? GROUPS : 1; \
		GEMM(panel, l->row, l->bricks, pixels, weights, groups, l->group_step, l->start + c, acc); \
		weights += groups * l->group_step; \
		for (unsigned g = 0; g < groups; g++, offset += l->stride_group) { \
			u32 at = c + g * NPU_GROUP, left = l->depth - at; \
			store8(acc + g * NPU_TILE * NPU_GROUP, t, &l->rescale[at / NPU_GROUP], l->narrow, \
			       offset, left < NPU_GROUP ? left : NPU_GROUP); \
		} \
	}

static void layer_i16(const struct npu_layer8 *l, const i16 *panel, unsigned pixels,
		      const struct npu_target *t)
{
	LAYER_BODY(gemm_i16, i16, 2)
}

#if SIMD_LEVEL == 3
static void layer_u8(const struct npu_layer8 *l, const u8 *panel, unsigned pixels,
		     const struct npu_target *t)
{
	LAYER_BODY(gemm_u8, i8, 2)
}
#endif
