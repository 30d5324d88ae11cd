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
#if SIMD_LEVEL == 2
LAYER(layer_pairwise, i16, i16, gemm_i16)

static void layer_crosswise(const struct npu_layer8 *l, const i16 *panel, unsigned pixels, const struct npu_target *t)
{
	NPU_LINE i32 acc[NPU_TILE * NPU_GROUP];
	i32 own[NPU_TILE];
	const i16 *weights = l->weights;
	i64 offset = 0;

	cross_pixels(panel, l->row, l->bricks, pixels, own);
	for (u32 c = 0; c < l->depth; c += NPU_GROUP, weights += l->group_step, offset += l->stride_group) {
		const u32 left = l->depth - c;
		cross_group(panel, l->row, l->bricks, pixels, weights, l->start + c, own, acc);
		store8(acc, t, &l->rescale[c / NPU_GROUP], l->narrow, offset, left < NPU_GROUP ? left : NPU_GROUP);
	}
}

static void layer_i16(const struct npu_layer8 *l, const i16 *panel, unsigned pixels, const struct npu_target *t)
{
	(cross_pays(l, pixels) ? layer_crosswise : layer_pairwise)(l, panel, pixels, t);
}
#else
LAYER(layer_i16, i16, i16, gemm_i16)
#endif

#if SIMD_LEVEL == 5
LAYER(layer_u8, u8, i8, gemm_u8)
#elif SIMD_LEVEL == 3
/* As many groups as can be done together from channel c on; 0: none. */
static unsigned layer_direct(const struct npu_layer8 *l, const struct npu_fields *f, u32 c, const i8 *weights, i64 offset,
			     const struct npu_target *t)
{
	const bool near = t->step == NPU_GROUP || (t->runs == 1 && t->run[0].n == 1);
	unsigned groups = near ? direct_count(l, c, true) : 0;

	if (groups == 2 && piped_pays(l, c))
		piped_pair(l, f, c, weights, offset, t);
	else if (groups)
		direct_run(l, groups, f, c, weights, offset, t);
	if (groups)
		return groups;
	groups = direct_count(l, c, false);
	if (direct_half_pays(l, f, c, t))
		direct_half(l, f, c, weights, offset, t);
	else if (groups)
		direct_apart(l, groups, f, c, weights, offset, t);
	return groups;
}

/* A layer's pixels for blocks. */
struct layer_blocks {
	struct block_walk walk;
	unsigned pixels; /* 0: none of it is */
	bool alone;      /* a single group is for blocks, too */
	bool uses_tiles; /* of the host's matrix unit */
	u32 ahead[NPU_FIELD_PARTS + 4];
	const u8 *pixel[NPU_TILE + 1];
	u8 *to[NPU_TILE + 1];
	struct staged staged;
};

/* From `part` bytes of a field, of which lines consist, to the next; what is behind the last ones goes by four. */
static void layer_walk(u32 *ahead, const struct npu_layer8 *l, const struct npu_fields *f, u32 part)
{
	const u32 taps = f->taps > 1 ? f->taps : 1;
	const size_t all = l->row / part, run = taps * f->lines > 1 ? f->line / part : all, rest = l->row % part / 4;
	const size_t across = taps > 1 ? f->across : 0;
	const u32 over = (u32)(across - f->line) + part, back = (u32)(f->down - (taps - 1) * across - f->line) + part;
	const u32 near = run > 1 ? part : taps > 1 ? over : back;

	for (size_t i = 0; i < all; i++)
		ahead[i] = near;
	for (size_t i = run; run > 1 && taps > 1 && i < all; i += run)
		ahead[i - 1] = over;
	for (size_t i = taps * run; taps * run > 1 && i < all; i += taps * run)
		ahead[i - 1] = back;
	for (size_t i = all; i < all + rest; i++)
		ahead[i] = 4;
}

static void layer_blocks(struct layer_blocks *b, const struct npu_layer8 *l, const struct npu_fields *f, const struct npu_target *t)
{
	const bool whole = block_lines(f);
	unsigned pixels = 0;

	for (unsigned r = 0; r < t->runs; r++)
		pixels += t->run[r].n;
	b->pixels = 0;
	b->uses_tiles = l->staged && whole;
	if (!block_pays(l, f, pixels))
		return;
	layer_walk(b->ahead, l, f, whole ? NPU_GROUP : 4);
	b->walk = (struct block_walk){ .ahead = b->ahead, .blocks = whole ? (u32)(l->row / NPU_GROUP) : 0, .quads = (u32)((whole ? l->row % NPU_GROUP : l->row) / 4),
				       .step = f->width % 2 && f->width != UINT32_MAX ? 0 : f->step };
	b->pixels = fields_pixels(f, t, b->pixel, b->to);
	b->alone = f->taps > 1 || (b->walk.step && b->pixels % 2 == 0 && !shared_pays(f));
	b->pixel[pixels] = b->pixel[pixels - 1];
	b->to[pixels] = b->to[pixels - 1];
	if (b->uses_tiles)
		staged_begin(&b->staged, l, f, &b->walk, b->pixel, b->pixels);
}

/* How many groups from channel c on are done by blocks; 0: none. */
static unsigned layer_block(const struct layer_blocks *b, const struct npu_layer8 *l, u32 c, const i8 *weights, i64 offset)
{
	const u32 left = (l->depth - c + NPU_GROUP - 1) / NPU_GROUP;

	if (!b->pixels || !direct_count(l, c, false))
		return 0;
	unsigned groups = left == 1 || left == 3 ? left : 2;
	for (unsigned g = 1; g < groups; g++)
		if (!l->rescale[c / NPU_GROUP + g].estimate)
			groups = g;
	if (groups == 1 && !b->alone)
		return 0;
	if (b->uses_tiles && groups > 1) {
		staged_pair(l, &b->staged, c, weights, b->to, offset);
		return 2;
	}
	block_groups(groups, l, &b->walk, b->pixel, b->pixels, c, weights, b->to, offset);
	return groups;
}

static void layer_blocks_end(const struct layer_blocks *b, const struct npu_layer8 *l)
{
	if (b->pixels && b->uses_tiles)
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
		groups = layer_block(&blocks, l, c, weights, offset);
		if (!groups)
			groups = layer_direct(l, f, c, weights, offset, t);
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
		groups = layer_block(&blocks, l, c, weights, offset);
		if (!groups)
			groups = layer_direct(l, &f, c, weights, offset, t);
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
