/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a pool, 16 channels at a time. Part of simd.c. */

typedef i32 i32x16 __attribute__((vector_size(64)));
typedef u16 u16x16 __attribute__((vector_size(32)));

#define POOL_LOAD(T) do { \
	T e_; \
	memcpy(&e_, from, sizeof(e_)); \
	v = __builtin_convertvector(e_, i32x16); } while (0)

static u32 pool(const struct npu_gather *g, u32 oy, u32 ox, i64 offset, unsigned channels,
		bool max, i32 *acc)
{
	i32 y0 = (i32)(oy * g->stride_h) - g->pad_top, x0 = (i32)(ox * g->stride_w) - g->pad_left;
	i32x16 sum = { 0 };
	u32 count = 0;

	for (u32 ky = 0; ky < g->kernel_h; ky++) {
		u32 y, x;
		if (!stored(g, y0 + (i32)(ky * g->dilation_h), g->up_height, &y))
			continue;
		for (u32 kx = 0; kx < g->kernel_w; kx++) {
			if (!stored(g, x0 + (i32)(kx * g->dilation_w), g->up_width, &x))
				continue;
			const u8 *from = element(g, y, x) + offset;
			u8 part[32] = { 0 };
			i32x16 v;
			if (channels < NPU_GROUP) {
				memcpy(part, from, channels * g->bytes);
				from = part;
			}
			if (g->bytes == 1 && g->is_signed)
				POOL_LOAD(i8x16);
			else if (g->bytes == 1)
				POOL_LOAD(u8x16);
			else if (g->is_signed)
				POOL_LOAD(i16x16);
			else
				POOL_LOAD(u16x16);
			if (!max)
				sum += v;
			else if (count == 0)
				sum = v;
			else
				sum = (v & (v > sum)) | (sum & (v <= sum));
			count++;
		}
	}
	memcpy(acc, &sum, sizeof(sum));
	return count;
}
