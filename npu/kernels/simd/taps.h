/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise of kernels that are too large for expanded lines, or whose sums need more than 32 bits: a tap of 16 channels at a
 * time. Part of simd.c. */

/* So many products of 16 bits and 9 fit 31. */
#define NARROW_TAPS 128

/* Element (y, x), 16 channels of it from `offset` on, times tap `kx` of two that lie side by side. */
ALWAYS_INLINE void tap_add(const struct npu_gather *g, u32 y, u32 x, i64 offset, unsigned channels, const i16 *weights, u32 kx, lanes16 *sum)
{
	lanes16 v, w;

	load_16(g, element(g, y, x) + offset, channels, &v);
	memcpy(&w, weights, sizeof(w));
	w = lanes_high(kx % 2 ? w : lanes_low(w));
	*sum = lanes_add(*sum, lanes_product(lanes_difference(v, lanes_all(g->zero_point)), w));
}

static inline void taps_put(const lanes16 *sum, i64 acc[NPU_GROUP])
{
	i32 v[NPU_GROUP];

	memcpy(v, sum, sizeof(v));
	for (unsigned c = 0; c < NPU_GROUP; c++)
		acc[c] += v[c];
}

static void depthwise_taps(const struct npu_gather *g, u32 oy, u32 ox, i64 offset, unsigned channels, const i16 *weights, i64 acc[NPU_GROUP])
{
	const i32 y0 = (i32)(oy * g->stride_h) - g->pad_top, x0 = (i32)(ox * g->stride_w) - g->pad_left;
	const u32 sets = (g->kernel_w + 1) / 2;
	lanes16 sum = lanes_all(0);
	u32 taps = 0, y, x;

	for (u32 ky = 0; ky < g->kernel_h; ky++) {
		if (!stored(g, y0 + (i32)(ky * g->dilation_h), g->up_height, &y))
			continue;
		for (u32 kx = 0; kx < g->kernel_w; kx++) {
			if (!stored(g, x0 + (i32)(kx * g->dilation_w), g->up_width, &x))
				continue;
			tap_add(g, y, x, offset, channels, weights + (ky * sets + kx / 2) * 2 * NPU_GROUP, kx, &sum);
			if (++taps % NARROW_TAPS)
				continue;
			taps_put(&sum, acc);
			sum = lanes_all(0);
		}
	}
	taps_put(&sum, acc);
}
