/* SPDX-License-Identifier: Apache-2.0 */
/* Feature maps as host memory: addresses of pixels, overlap, range of elements. */
#ifndef NPU_KERNELS_FM_H
#define NPU_KERNELS_FM_H

#include "npu/op.h"

/* Bytes from a group of 16 channels to the next. */
static inline i64 npu_fm_stride_group(const struct npu_fm *fm)
{
	return fm->format == NPU_NHWC ? 16 * (i64)fm->bytes : fm->stride_c;
}

/* True when the pixels of a row lie in two tiles. Tiles below each other (rolling buffers) leave rows whole. */
static inline bool npu_fm_splits_rows(const struct npu_fm *fm)
{
	return fm->tiled && !fm->stacked && fm->width > fm->width0;
}

/* Channel 0 of pixel (y, x). */
static inline const u8 *npu_fm_pixel(const struct npu_fm *fm, const u8 *const tile[NPU_TILES],
				     u32 y, u32 x)
{
	unsigned t = 0;
	if (fm->stacked) {
		t = y >= fm->height1 ? 2 : y >= fm->height0 ? 1 : 0;
		y -= t == 2 ? fm->height1 : t == 1 ? fm->height0 : 0;
	} else if (fm->tiled) {
		u32 height = x >= fm->width0 ? fm->height1 : fm->height0;
		if (x >= fm->width0) {
			x -= fm->width0;
			t = 1;
		}
		if (y >= height) {
			y -= height;
			t += 2;
		}
	}
	return tile[t] + (i64)y * fm->stride_y + (i64)x * fm->stride_x;
}

/* Host addresses that the elements of tile t lie between; false when there are none. */
struct npu_fm_box {
	uintptr_t first, end;
};
/* The box of tile t, 0 to 3. */
bool npu_fm_box(const struct npu_fm *fm, const u8 *const tile[NPU_TILES], unsigned t,
		struct npu_fm_box *b);

/* True when some byte may belong to both maps: boxes around the tiles are compared, and where these
 * overlap how maps of one tile are interleaved. May say yes to unusual layouts without a common byte. */
bool npu_fm_overlap(const struct npu_fm *a, const u8 *const a_tile[NPU_TILES],
		    const struct npu_fm *b, const u8 *const b_tile[NPU_TILES]);

/* True when no two elements of the map share a byte, so that the order of stores does not
 * matter. May say no to unusual layouts that are in order. */
bool npu_fm_disjoint(const struct npu_fm *fm, const u8 *const tile[NPU_TILES]);

/* Dimensions of elements that are not one only, those with short strides first. */
struct npu_fm_dim {
	u64 stride; /* bytes, magnitude */
	u64 n;
};
void npu_fm_dim_insert(struct npu_fm_dim *dim, unsigned *dims, i64 stride, size_t n);
/* Whether each steps over all that the shorter ones reach, so that no two elements of `bytes` bytes share one. */
bool npu_fm_dims_apart(const struct npu_fm_dim *dim, unsigned dims, u64 bytes);

/* True when every element of both maps has the same address. */
bool npu_fm_same(const struct npu_fm *a, const u8 *const a_tile[NPU_TILES],
		 const struct npu_fm *b, const u8 *const b_tile[NPU_TILES]);

/* More than any way takes that is not for elements of 64 bits, and little enough for its product with taps or with 2^24 to be one of 64 bits. */
#define NPU_FM_WIDE (UINT64_C(1) << 38)
/* Largest |element - zero point| of a feature map's type; NPU_FM_WIDE of elements of 64 bits. */
u64 npu_fm_magnitude(const struct npu_fm *fm);

#endif
