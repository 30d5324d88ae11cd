/* SPDX-License-Identifier: Apache-2.0 */
/* A tile of a convolution from panel to memory: sums stay in the first cache. Part of simd.c. */

#if SIMD_LEVEL != 2
#define gemm_i16_half gemm_i16
#endif
#define gemm_u8_half gemm_u8

/* Whether the last of `groups` groups has no more channels than a vector, of which a group takes two. */
static inline bool layer_half(const struct npu_layer8 *l, u32 c, unsigned groups)
{
	return SIMD_LEVEL == 2 && l->depth - c + LANES <= groups * NPU_GROUP;
}

/* `groups` groups from channel c on. */
#define LAYER_GROUPS(GEMM) \
	NPU_LINE i32 acc[2 * NPU_TILE * NPU_GROUP]; \
	(layer_half(l, c, groups) ? GEMM##_half : GEMM)(panel, l->row, l->bricks, pixels, weights, groups, l->group_step, l->start + c, acc); \
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
/* As many groups as can be done together from channel c on; 0: none. */
static unsigned layer_direct(const struct npu_layer8 *l, const struct npu_fields *f, u32 c, const i8 *weights, i64 offset,
			     const struct npu_target *t)
{
	const bool near = t->step == NPU_GROUP || (t->runs == 1 && t->run[0].n == 1);
	unsigned groups = near ? direct_count(l, c, true) : 0;

	if (groups) {
		direct_run(l, groups, f, c, weights, offset, t);
		return groups;
	}
	groups = direct_count(l, c, false);
	if (groups)
		direct_apart(l, groups, f, c, weights, offset, t);
	return groups;
}

/* A layer's pixels for blocks. */
struct layer_blocks {
	struct block_walk walk;
	unsigned pixels; /* 0: none of it is */
	const u8 *pixel[NPU_TILE];
	u8 *to[NPU_TILE];
	struct staged staged;
};

static void layer_blocks(struct layer_blocks *b, const struct npu_layer8 *l, const struct npu_fields *f, const struct npu_target *t)
{
	unsigned pixels = 0;

	for (unsigned r = 0; r < t->runs; r++)
		pixels += t->run[r].n;
	b->pixels = 0;
	if (!block_pays(l, f, pixels))
		return;
	b->walk = (struct block_walk){ .jump = f->down - f->line, .blocks = f->lines > 1 ? (u32)(f->line / NPU_GROUP) : UINT32_MAX };
	b->pixels = fields_pixels(f, t, b->pixel, b->to);
	if (l->staged)
		staged_begin(&b->staged, l, f, &b->walk, b->pixel, b->pixels);
}

/* Two groups from channel c on; false: not by blocks. */
static bool layer_block(const struct layer_blocks *b, const struct npu_layer8 *l, u32 c, const i8 *weights, i64 offset)
{
	if (!b->pixels || direct_count(l, c, false) < 2)
		return false;
	if (l->staged)
		staged_pair(l, &b->staged, c, weights, b->to, offset);
	else
		block_pair(l, &b->walk, b->pixel, b->pixels, c, weights, b->to, offset);
	return true;
}

static void layer_blocks_end(const struct layer_blocks *b, const struct npu_layer8 *l)
{
	if (b->pixels && l->staged)
		l->tiles->end();
}

static void layer_fields(const struct npu_layer8 *l, const struct npu_fields *f, const struct npu_target *t)
{
	const i8 *weights = l->weights;
	struct layer_blocks blocks;
	i64 offset = 0;
	unsigned groups;

	layer_blocks(&blocks, l, f, t);
	for (u32 c = 0; c < l->depth; c += groups * NPU_GROUP) {
		groups = layer_block(&blocks, l, c, weights, offset) ? 2 : layer_direct(l, f, c, weights, offset, t);
		weights += groups * l->group_step;
		offset += groups * l->stride_group;
	}
	layer_blocks_end(&blocks, l);
}

static void layer_u8(const struct npu_layer8 *l, const u8 *panel, unsigned pixels,
		     const struct npu_target *t)
{
	const struct npu_fields f = { .from = panel, .width = UINT32_MAX, .lines = 1, .line = l->row, .step = l->bricks ? NPU_GROUP : l->row };
	const struct npu_fields bricks = { .from = panel, .width = UINT32_MAX, .lines = (u32)((l->row + NPU_GROUP - 1) / NPU_GROUP), .line = NPU_GROUP,
					   .down = BRICK_STEP, .step = NPU_GROUP };
	const i8 *weights = l->weights;
	struct layer_blocks blocks;
	i64 offset = 0;
	unsigned groups;

	layer_blocks(&blocks, l, l->bricks ? &bricks : &f, t);
	for (u32 c = 0; c < l->depth; c += groups * NPU_GROUP) {
		groups = layer_block(&blocks, l, c, weights, offset) ? 2 : layer_direct(l, &f, c, weights, offset, t);
		if (!groups) {
			groups = l->depth - c > NPU_GROUP ? 2 : 1;
			LAYER_GROUPS(gemm_u8)
		}
		weights += groups * l->group_step;
		offset += groups * l->stride_group;
	}
	layer_blocks_end(&blocks, l);
}
#endif
