/* SPDX-License-Identifier: Apache-2.0 */
/* A tile of a convolution from panel to memory: sums stay in the first cache. Part of simd.c. */

/* `groups` groups from channel c on. */
#define LAYER_GROUPS(GEMM) \
	NPU_LINE i32 acc[2 * NPU_TILE * NPU_GROUP]; \
	GEMM(panel, l->row, l->bricks, pixels, weights, groups, l->group_step, l->start + c, acc); \
	for (unsigned g = 0; g < groups; g++) { \
		u32 at = c + g * NPU_GROUP, left = l->depth - at; \
		store8(acc + g * NPU_TILE * NPU_GROUP, t, &l->rescale[at / NPU_GROUP], l->narrow, \
		       offset + g * l->stride_group, left < NPU_GROUP ? left : NPU_GROUP); \
	}

#define LAYER(NAME, X, W, GEMM) \
static void NAME(const struct npu_layer8 *l, const X *panel, unsigned pixels, const struct npu_target *t) \
{ \
	const W *weights = l->weights; \
	i64 offset = 0; \
	unsigned groups; \
	for (u32 c = 0; c < l->depth; c += groups * NPU_GROUP) { \
		groups = l->depth - c > NPU_GROUP ? 2 : 1; \
		LAYER_GROUPS(GEMM) \
		weights += groups * l->group_step; \
		offset += groups * l->stride_group; \
	} \
}
LAYER(layer_i16, i16, i16, gemm_i16)

#if SIMD_LEVEL == 5
LAYER(layer_u8, u8, i8, gemm_u8)
#elif SIMD_LEVEL == 3
static void layer_u8(const struct npu_layer8 *l, const u8 *panel, unsigned pixels,
		     const struct npu_target *t)
{
	const i8 *weights = l->weights;
	i64 offset = 0;
	unsigned groups;

	for (u32 c = 0; c < l->depth; c += groups * NPU_GROUP) {
		groups = t->step == NPU_GROUP ? direct_count(l, c, true) : 0;
		if (groups) {
			direct_run(l, groups, panel, c, weights, offset, t);
		} else if ((groups = direct_count(l, c, false)) != 0) {
			direct_apart(l, groups, panel, c, weights, offset, t);
		} else {
			groups = l->depth - c > NPU_GROUP ? 2 : 1;
			LAYER_GROUPS(gemm_u8)
		}
		weights += groups * l->group_step;
		offset += groups * l->stride_group;
	}
}
#endif
