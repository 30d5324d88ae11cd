/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of bytes by the host's matrix unit (tiles.h). Part of simd.c.
 *
 * Fields are read where they are when a tile's pixels are equally far apart and lines are whole blocks of 64 bytes; else those of all pixels
 * are brought together first. While the unit multiplies the next two tiles the sums of the two before are rescaled and stored. */

#if SIMD_LEVEL == 3
#define STAGED_RUN 7 /* pixels side by side from which on they are read where they are */

/* A layer's pixels in tiles of as many each; of the last ones of a run some are in two. */
struct staged {
	struct npu_tiles_walk walk;
	unsigned rows, tiles;
	const u8 *from[NPU_TILE];
	u8 first[NPU_TILE]; /* pixel */
};

static void staged_tiles(struct staged *s, unsigned first, unsigned pixels, const u8 *from)
{
	const unsigned tiles = (pixels + NPU_DEEP_PIXELS - 1) / NPU_DEEP_PIXELS;

	s->rows = (pixels + tiles - 1) / tiles;
	for (unsigned t = 0; t < tiles; t++) {
		const unsigned at = t * s->rows + s->rows <= pixels ? t * s->rows : pixels - s->rows;
		s->from[s->tiles] = from + at * s->walk.step;
		s->first[s->tiles++] = (u8)(first + at);
	}
}

/* Four pixels of four bricks, which lie one behind the other, as 64 bytes each. */
ALWAYS_INLINE void stage_four(u8 *to, const u8 *from, size_t brick)
{
	const vec a = vec_load(from), b = vec_load(from + brick), c = vec_load(from + 2 * brick), d = vec_load(from + 3 * brick);
	const vec ab = _mm512_shuffle_i32x4(a, b, 0x44), cd = _mm512_shuffle_i32x4(c, d, 0x44);
	const vec ab2 = _mm512_shuffle_i32x4(a, b, 0xee), cd2 = _mm512_shuffle_i32x4(c, d, 0xee);

	vec_store(to, _mm512_shuffle_i32x4(ab, cd, 0x88));
	vec_store(to + NPU_DEEP, _mm512_shuffle_i32x4(ab, cd, 0xdd));
	vec_store(to + 2 * NPU_DEEP, _mm512_shuffle_i32x4(ab2, cd2, 0x88));
	vec_store(to + 3 * NPU_DEEP, _mm512_shuffle_i32x4(ab2, cd2, 0xdd));
}

/* Bricks of a panel, as many as `row` bytes; of pixels a multiple of four. */
static void stage_bricks(u8 *to, const u8 *from, unsigned pixels, size_t row)
{
	for (size_t k = 0; k < row; k += NPU_DEEP, from += 4 * BRICK_STEP, to += NPU_TILE * NPU_DEEP)
		for (unsigned p = 0; p < pixels; p += 4)
			stage_four(to + p * NPU_DEEP, from + p * NPU_GROUP, BRICK_STEP);
}

/* `row` bytes of each pixel, zero behind them. */
static void stage_any(u8 *to, const struct block_walk *walk, const u8 *const *pixel, unsigned pixels, size_t row)
{
	const size_t end = (row + NPU_DEEP - 1) / NPU_DEEP * NPU_DEEP;

	for (unsigned p = 0; p < pixels; p++) {
		const u8 *from = pixel[p];
		u8 *at = to + p * NPU_DEEP;
		for (size_t k = 0; k < end; k += NPU_GROUP) {
			const __mmask16 some = (__mmask16)(k >= row ? 0 : row - k >= NPU_GROUP ? 0xffff : (1u << (row - k)) - 1);
			_mm_store_si128((void *)(at + k % NPU_DEEP), _mm_maskz_loadu_epi8(some, from));
			if (k % NPU_DEEP == NPU_DEEP - NPU_GROUP)
				at += NPU_TILE * NPU_DEEP;
			from += k + NPU_GROUP <= row ? walk->ahead[k / NPU_GROUP] : 0;
		}
	}
}

/* Pixels side by side, as many in each run of them; 0: they differ. */
static unsigned staged_run(const struct npu_fields *f, unsigned pixels)
{
	if (f->x + pixels <= f->width)
		return pixels;
	return f->x == 0 && pixels % f->width == 0 ? f->width : 0;
}

static void staged_begin(struct staged *s, const struct npu_layer8 *l, const struct npu_fields *f, const struct block_walk *walk, const u8 *const *pixel,
			 unsigned pixels)
{
	const unsigned run = f->taps <= 1 && f->line % NPU_DEEP == 0 && l->row % NPU_DEEP == 0 ? staged_run(f, pixels) : 0;

	s->tiles = 0;
	if (run >= STAGED_RUN) {
		s->walk = (struct npu_tiles_walk){ f->step, NPU_DEEP, f->lines > 1 ? (u32)(f->line / NPU_DEEP) : UINT32_MAX, f->down - f->line, l->row };
		for (unsigned p = 0; p < pixels; p += run)
			staged_tiles(s, p, run, pixel[p]);
	} else {
		s->walk = (struct npu_tiles_walk){ NPU_DEEP, NPU_TILE * NPU_DEEP, UINT32_MAX, 0, l->row };
		if (l->bricks && l->row % NPU_DEEP == 0)
			stage_bricks(l->staged, pixel[0], (pixels + 3) / 4 * 4, l->row);
		else
			stage_any(l->staged, walk, pixel, pixels, l->row);
		staged_tiles(s, 0, pixels, l->staged);
	}
	l->tiles->begin(s->rows);
}

/* Sums of a tile of a group. */
ALWAYS_INLINE void staged_store(const struct block *b, unsigned g, const i32 *acc, vec start, unsigned pixels, u8 *const *to)
{
	struct block_undecided u;

	u.n = 0;
	for (unsigned p = 0; p < pixels; p += 4) {
		const unsigned n = pixels - p < 4 ? pixels - p : 4;
		vec x[4];
		UNROLL for (unsigned i = 0; i < 4; i++)
			x[i] = vec_add(vec_load(acc + (p + (i < n ? i : 0)) * NPU_GROUP), start);
		block_store(b, g, x, n, to + p, &u);
	}
	if (__builtin_expect(u.n != 0, 0))
		block_store_undecided(b, &u);
}

/* Two groups from channel c on. */
static NOINLINE void staged_pair(const struct npu_layer8 *l, const struct staged *s, u32 c, const i8 *weights, u8 *const *to, i64 offset)
{
	NPU_LINE i32 acc[2][2][2][NPU_DEEP_PIXELS * NPU_GROUP]; /* by turns */
	const struct block b = block_load(l, 2, c, offset);
	const vec start[2] = { vec_load(l->start + c), vec_load(l->start + c + NPU_GROUP) };

	for (unsigned t = 0; t < s->tiles + 2; t += 2) {
		if (t < s->tiles)
			l->tiles->multiply(&s->walk, s->from[t], t + 1 < s->tiles ? s->from[t + 1] : NULL, weights, l->group_step, acc[t / 2 % 2][0][0]);
		for (unsigned i = 0; t && i < 2 && t - 2 + i < s->tiles; i++) {
			UNROLL for (unsigned g = 0; g < 2; g++)
				staged_store(&b, g, acc[t / 2 % 2 ^ 1][i][g], start[g], s->rows, to + s->first[t - 2 + i]);
		}
	}
}
#endif
