/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a depthwise as lines: 16 channels (or `channels` of them) of all positions, padding where there is no
 * element. Part of simd.c. */

#define LINE_BODY(T, PUT_PIXELS, FILL) \
	const u32 left = (u32)g->pad_left < positions ? (u32)g->pad_left : positions; \
	const u32 end = left + g->up_width < positions ? left + g->up_width : positions; \
	u32 y, x; \
	if (left == end || !stored(g, yu, g->up_height, &y)) { /* nothing but padding: there may be no map */ \
		FILL(line, positions); \
	} else if (!g->splits_rows && !g->upscale) { \
		FILL(line, left); \
		PUT_PIXELS(g, line + left * NPU_GROUP, element(g, y, 0) + offset, end - left, \
			   g->stride_x, channels); \
		FILL(line + end * NPU_GROUP, positions - end); \
	} else { \
		for (u32 i = 0; i < positions; i++) { \
			T *to = line + i * NPU_GROUP; \
			if (stored(g, (i32)i - g->pad_left, g->up_width, &x)) \
				PUT_PIXELS(g, to, element(g, y, x) + offset, 1, 0, channels); \
			else \
				FILL(to, 1); \
		} \
	}

#ifdef USES_DOT
static void line_u8(const struct npu_gather *g, i32 yu, u32 positions, i64 offset, unsigned channels, u8 *line)
{
#define FILL_PIXELS(to, n) \
	for (u32 f = 0; f < (n); f++) \
		memset((to) + f * NPU_GROUP, g->pad, NPU_GROUP)
	LINE_BODY(u8, put_pixels_u8, FILL_PIXELS)
#undef FILL_PIXELS
}
#endif

static void line_i16(const struct npu_gather *g, i32 yu, u32 positions, i64 offset, unsigned channels, i16 *line)
{
#define FILL_PIXELS(to, n) \
	for (u32 f = 0; f < (n); f++) \
		memset((to) + f * NPU_GROUP, 0, NPU_GROUP * sizeof(i16))
	LINE_BODY(i16, put_pixels_i16, FILL_PIXELS)
#undef FILL_PIXELS
}
