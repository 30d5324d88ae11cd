/* SPDX-License-Identifier: Apache-2.0 */
/* Receptive fields into a contiguous panel: layouts, tiles, padding, upscaling, strides,
 * dilation and signedness end here. Part of simd.c.
 *
 * Both panel types come from one body; PUT copies `n` elements at host address `from` into
 * the panel in the panel's type, FILL writes padding. Whole 16-channel bricks are the unit
 * where they exist: a fixed-size copy is one or two instructions. */

#define BRICK_STEP ((size_t)NPU_TILE * NPU_GROUP) /* from brick to brick of a panel */

/* Host address of channel 0 of stored element (y, x). */
static inline const u8 *element(const struct npu_gather *g, u32 y, u32 x)
{
	unsigned tile = 0;
	u32 height = g->height0;
	if (g->splits_rows && x >= g->width0) {
		x -= g->width0;
		height = g->height1;
		tile = 1;
	}
	if (y >= height) {
		y -= height;
		tile += 2;
	}
	return g->tile[tile] + (i64)y * g->stride_y + (i64)x * g->stride_x;
}

/* One tap: `depth` channels of one stored element. */
static inline void tap_u8(const struct npu_gather *g, const u8 *from, u8 *to)
{
	u32 c = 0;
	if (!g->bricks) {
		put_u8(to, from, g->depth, g->flip);
		return;
	}
	for (; c + 16 <= g->depth; c += 16, from += g->stride_c)
		put16_u8(to + c, from, g->flip);
	if (c < g->depth)
		put_u8(to + c, from, g->depth - c, g->flip);
}

static inline void tap_i16(const struct npu_gather *g, const u8 *from, i16 *to)
{
	u32 c = 0;
	if (!g->bricks) {
		put_i16(to, from, g->depth, g);
		return;
	}
	for (; c + 16 <= g->depth; c += 16, from += g->stride_c)
		put_i16(to + c, from, 16, g);
	if (c < g->depth)
		put_i16(to + c, from, g->depth - c, g);
}

/* Stored coordinate of upscaled coordinate v; false: contributes zero. */
static inline bool stored(const struct npu_gather *g, i32 v, u32 size, u32 *at)
{
	if (v < 0 || (u32)v >= size || (g->upscale == NPU_UPSCALE_ZEROS && (v & 1)))
		return false;
	*at = g->upscale ? (u32)v >> 1 : (u32)v;
	return true;
}

/* How many pixels from (oy, ox) on, of one row and at most `pixels`, have all of their taps in the
 * map and in whole vectors before its end. */
static unsigned inside(const struct npu_gather *g, u32 oy, u32 ox, unsigned pixels)
{
	i32 y0 = (i32)(oy * g->stride_h) - g->pad_top, x0 = (i32)(ox * g->stride_w) - g->pad_left;
	i32 room = (i32)g->up_width - x0 - (i32)((g->kernel_w - 1) * g->dilation_w) - 1;
	u32 bottom = (u32)y0 + (g->kernel_h - 1) * g->dilation_h;

	if (!(g->row_runs || g->brick_runs) || y0 < 0 || bottom >= g->up_height || x0 < 0 || room < 0)
		return 0;
	u32 n = (u32)room / g->stride_w + 1;
	n = n < g->ofm_width - ox ? n : g->ofm_width - ox;
	n = n < pixels ? n : pixels;
	if (g->brick_runs)
		return n;
	const u8 *last = element(g, bottom, (u32)x0 + (n - 1) * g->stride_w);
	size_t line = ((size_t)g->depth * g->kernel_w + 15) / 16 * 16 * g->bytes;
	return (uintptr_t)last + line <= (uintptr_t)g->end ? n : 0;
}

/* Taps of n pixels inside the map. Each kernel row is written over by the next one where its
 * last vector is too long, the last one by the next pixel, or into the slack. Three short rows are
 * what the first layer of a network for pictures has, three times a brick what small networks have. */
#define BRICKS_BODY(T, PUT16, SIZE) \
	for (size_t c = 0; c < g->depth; c += NPU_GROUP) \
		for (u32 ky = 0; ky < kernel_h; ky++) { \
			T *to = panel + ky * line + c; \
			const u8 *p = from + ky * down + (i64)(c / NPU_GROUP) * g->stride_c; \
			for (u32 kx = 0; kx < g->kernel_w; kx++, to += g->depth, p += beside) \
				PUT16(to, p); \
		}

#define INSIDE_BODY(T, PUT16, SIZE) \
	const size_t line = (size_t)g->depth * g->kernel_w, row = g->row; \
	const i64 down = (i64)g->dilation_h * g->stride_y, right = g->stride_w * g->stride_x; \
	const i64 beside = g->dilation_w * g->stride_x; \
	const u32 kernel_h = g->kernel_h; \
	const u8 *from = element(g, oy * g->stride_h - (u32)g->pad_top, ox * g->stride_w - (u32)g->pad_left); \
	T *const end = panel + n * row; \
	if (g->brick_runs) { \
		for (; panel != end; from += right, panel += row) \
			BRICKS_BODY(T, PUT16, SIZE) \
		return; \
	} \
	if (kernel_h == 3 && line == 3 * NPU_GROUP) { \
		for (; panel != end; from += right, panel += row) \
			for (u32 ky = 0; ky < 3; ky++) \
				for (u32 kx = 0; kx < 3; kx++) \
					PUT16(panel + (ky * 3 + kx) * NPU_GROUP, from + ky * down + kx * NPU_GROUP * (SIZE)); \
		return; \
	} \
	if (kernel_h == 3 && line <= 16) { \
		for (; panel != end; from += right, panel += row) { \
			PUT16(panel, from); \
			PUT16(panel + line, from + down); \
			PUT16(panel + 2 * line, from + 2 * down); \
		} \
		return; \
	} \
	if (kernel_h == 1 && line == row && right == (i64)(row * (SIZE)) && row % NPU_GROUP == 0) { \
		PUT_ALL(panel, from, n * row); \
		return; \
	} \
	if (line <= 16) { \
		for (; panel != end; from += right, panel += row) { \
			const u8 *p = from; \
			T *to = panel; \
			for (u32 ky = kernel_h; ky; ky--, p += down, to += line) \
				PUT16(to, p); \
		} \
		return; \
	} \
	for (; panel != end; from += right, panel += row) \
		for (u32 ky = 0; ky < kernel_h; ky++) \
			for (size_t i = 0; i < line; i += 16) \
				PUT16(panel + ky * line + i, from + ky * down + i * (SIZE))

static void inside_u8(const struct npu_gather *g, u32 oy, u32 ox, unsigned n, u8 *panel)
{
	const u8 flip = g->flip;
#define PUT16(to, from) put16_u8(to, from, flip)
#define PUT_ALL(to, from, n) put_groups_u8(to, from, n, flip)
	INSIDE_BODY(u8, PUT16, 1);
#undef PUT_ALL
#undef PUT16
}

static void inside_i16(const struct npu_gather *g, u32 oy, u32 ox, unsigned n, i16 *panel)
{
	const i16 zero_point = (i16)g->zero_point;
#define PUT16(to, from) put16_i16(to, from, true, zero_point)
#define PUT16_U(to, from) put16_i16(to, from, false, zero_point)
#define COPY16(to, from) memcpy(to, from, 32)
#define PUT_ALL(to, from, n) put_i16(to, from, n, g)
	if (g->bytes == 2) {
		INSIDE_BODY(i16, COPY16, 2);
	} else if (g->is_signed) {
		INSIDE_BODY(i16, PUT16, 1);
	} else {
		INSIDE_BODY(i16, PUT16_U, 1);
	}
#undef PUT_ALL
#undef PUT16
#undef PUT16_U
#undef COPY16
}

#define GATHER_BODY(T, TAP, LINE, INSIDE, FILL) \
	const size_t depth = g->depth, line = depth * g->kernel_w; \
	for (unsigned n; pixels; pixels -= n, panel += n * g->row) { \
		n = inside(g, at.y, at.x, pixels); \
		if (n) { \
			INSIDE(g, at.y, at.x, n, panel); \
		} else { \
			i32 y0 = (i32)(at.y * g->stride_h) - g->pad_top; \
			i32 x0 = (i32)(at.x * g->stride_w) - g->pad_left; \
			const bool within = g->row_runs && x0 >= 0 && (u32)x0 + g->kernel_w <= g->up_width; \
			T *to = panel; \
			n = 1; \
			for (u32 ky = 0; ky < g->kernel_h; ky++, to += line) { \
				u32 y, x; \
				if (!stored(g, y0 + (i32)(ky * g->dilation_h), g->up_height, &y)) { \
					FILL(to, line); \
					continue; \
				} \
				if (within) { \
					LINE(g, element(g, y, (u32)x0), line, to); \
					continue; \
				} \
				for (u32 kx = 0; kx < g->kernel_w; kx++) { \
					if (stored(g, x0 + (i32)(kx * g->dilation_w), g->up_width, &x)) \
						TAP(g, element(g, y, x), to + kx * depth); \
					else \
						FILL(to + kx * depth, depth); \
				} \
			} \
		} \
		at.x += n; \
		if (at.x == g->ofm_width) \
			at = (struct npu_place){ at.y + 1, 0 }; \
	}

/* A row's taps that lie side by side. */
#define LINE_U8(g, from, n, to) put_u8(to, from, n, (g)->flip)
#define LINE_I16(g, from, n, to) put_i16(to, from, n, g)
#define FILL_U8(to, n) memset(to, g->pad, n)
#define FILL_I16(to, n) memset(to, 0, (n) * sizeof(i16))

/* Pointwise: the pixels of a row together, channel group by channel group. */
#define POINTWISE_BODY(PUT_PIXELS) \
	const i64 step = g->stride_x * g->stride_w; \
	for (u32 n; pixels; pixels -= n, at.y++, at.x = 0) { \
		n = g->ofm_width - at.x < pixels ? g->ofm_width - at.x : pixels; \
		const u8 *from = element(g, at.y * g->stride_h, 0) + at.x * step; \
		for (u32 c = 0; c < g->depth; c += NPU_GROUP, from += g->stride_group) { \
			u32 channels = g->depth - c < NPU_GROUP ? g->depth - c : NPU_GROUP; \
			PUT_PIXELS(g, panel + c * (size_t)NPU_TILE, from, n, step, channels); \
		} \
		panel += n * (size_t)NPU_GROUP; \
	}

static void pointwise_u8(const struct npu_gather *g, struct npu_place at, unsigned pixels, u8 *panel)
{
	POINTWISE_BODY(put_pixels_u8)
}

static void pointwise_i16(const struct npu_gather *g, struct npu_place at, unsigned pixels, i16 *panel)
{
	POINTWISE_BODY(put_pixels_i16)
}

#if SIMD_LEVEL == 3
/* Pixels one behind the other. */
static void rows_u8(const struct npu_gather *g, struct npu_place at, unsigned pixels, u8 *panel)
{
	for (u32 n; pixels; pixels -= n, at.y++, at.x = 0, panel += n * g->row) {
		n = g->ofm_width - at.x < pixels ? g->ofm_width - at.x : pixels;
		flip_bytes(panel, element(g, at.y * g->stride_h, at.x), n * g->row, g->flip);
	}
}
#endif

static void gather_u8(const struct npu_gather *g, struct npu_place at, unsigned pixels, u8 *panel)
{
#if SIMD_LEVEL == 3
	if (g->as_rows) {
		rows_u8(g, at, pixels, panel);
		return;
	}
#endif
	if (g->pointwise) {
		pointwise_u8(g, at, pixels, panel);
		return;
	}
	GATHER_BODY(u8, tap_u8, LINE_U8, inside_u8, FILL_U8)
}

static void fields_i16(const struct npu_gather *g, struct npu_place at, unsigned pixels, i16 *panel)
{
	GATHER_BODY(i16, tap_i16, LINE_I16, inside_i16, FILL_I16)
}

#if SIMD_LEVEL == 2
/* Of n pixels inside the map, whose three lines of taps come from so many vectors: their bytes are brought together before they are made words. */
ALWAYS_INLINE void bricks_inside(const struct npu_gather *g, const u8 *from, unsigned n, const bool is_signed, i16 *panel)
{
	const i64 down = (i64)g->dilation_h * g->stride_y, right = g->stride_w * g->stride_x;
	const __m256i zero_point = _mm256_set1_epi16((i16)g->zero_point), line = _mm256_set1_epi8((char)(g->depth * g->kernel_w));
	const __m256i half = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
	const __m256i last = _mm256_sub_epi8(line, _mm256_set1_epi8(1));
	__m256i place[NPU_BRICK_LINES], at = _mm256_add_epi8(half, _mm256_setr_epi64x(0, 0, 0x1010101010101010, 0x1010101010101010));

	UNROLL for (unsigned y = 0; y < NPU_BRICK_LINES; y++, at = _mm256_sub_epi8(at, line))
		place[y] = _mm256_or_si256(at, _mm256_cmpgt_epi8(at, last)); /* negative ones are nothing */
	for (; n; n--, from += right, panel += NPU_GROUP) {
		__m256i bytes = _mm256_setzero_si256();
		UNROLL for (unsigned y = 0; y < NPU_BRICK_LINES; y++) {
			const __m256i v = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(from + y * down)));
			bytes = _mm256_or_si256(bytes, _mm256_shuffle_epi8(v, place[y]));
		}
		UNROLL for (unsigned h = 0; h < 2; h++) {
			const __m128i some = h ? _mm256_extracti128_si256(bytes, 1) : _mm256_castsi256_si128(bytes);
			const __m256i wide = is_signed ? _mm256_cvtepi8_epi16(some) : _mm256_cvtepu8_epi16(some);
			vec_store(panel + h * BRICK_STEP, _mm256_sub_epi16(wide, zero_point));
		}
	}
}

/* See npu_gather.as_bricks. */
static void bricks_i16(const struct npu_gather *g, struct npu_place at, unsigned pixels, i16 *panel)
{
	for (unsigned n; pixels; pixels -= n, panel += n * NPU_GROUP) {
		n = inside(g, at.y, at.x, pixels);
		if (n) {
			const u8 *const from = element(g, at.y * g->stride_h - (u32)g->pad_top, at.x * g->stride_w - (u32)g->pad_left);
			if (g->is_signed)
				bricks_inside(g, from, n, true, panel);
			else
				bricks_inside(g, from, n, false, panel);
		} else {
			i16 field[2 * NPU_GROUP + NPU_PANEL_SLACK];
			n = 1;
			fields_i16(g, at, n, field);
			memcpy(panel, field, NPU_GROUP * sizeof(*field));
			memcpy(panel + BRICK_STEP, field + NPU_GROUP, NPU_GROUP * sizeof(*field));
		}
		at.x += n;
		if (at.x == g->ofm_width)
			at = (struct npu_place){ at.y + 1, 0 };
	}
}
#else
#define bricks_i16 fields_i16 /* nobody asks for it */
#endif

static void gather_i16(const struct npu_gather *g, struct npu_place at, unsigned pixels, i16 *panel)
{
	if (g->pointwise)
		pointwise_i16(g, at, pixels, panel);
	else if (g->as_bricks)
		bricks_i16(g, at, pixels, panel);
	else
		fields_i16(g, at, pixels, panel);
}
