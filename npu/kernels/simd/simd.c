/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops for one host instruction level; see simd.h.
 *
 * SIMD_LEVEL (set by the build, one object each): 0 plain C, 1 SSE2, 2 AVX2 with FMA, 3 AVX-512 with
 * VNNI (with AMX besides it has another name), 4 NEON, 5 NEON with the dot product. What depends on the level is in simd/ops.h: a vector of int32, multiply-and-add of
 * int16 pairs, broadcast. Integer sums are exact in any order, so every level agrees.
 *
 * What rows (row_level.h) need of intrinsics is here as well, as their header takes compilers longer than most of these files. */
#include "npu/kernels/row_level.h"

#include "npu/kernels/simd/simd.h"

#include <string.h>

#include "memory/host_cpu.h"
#include "npu/kernels/elementwise/elementwise.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/simd/ops.h"
#include "npu/kernels/rows/tabled.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include "npu/kernels/simd/fields.h"
#include "npu/kernels/simd/put.h"
#include "npu/kernels/simd/gather.h"
#include "npu/kernels/simd/lines.h"
#include "npu/kernels/simd/gemm.h"
#include "npu/kernels/simd/cross.h"
#include "npu/kernels/simd/depthwise.h"
#include "npu/kernels/simd/pool.h"
#include "npu/kernels/simd/taps.h"
#include "npu/kernels/simd/rescale.h"
#include "npu/kernels/simd/estimate.h"
#include "npu/kernels/simd/estimate_halves.h"
#include "npu/kernels/simd/store.h"
#include "npu/kernels/simd/store_words.h"
#include "npu/kernels/simd/shared.h"
#include "npu/kernels/simd/direct.h"
#include "npu/kernels/simd/twice.h"
#include "npu/kernels/simd/direct_half.h"
#include "npu/kernels/simd/terms.h"
#include "npu/kernels/simd/piped.h"
#include "npu/kernels/simd/window.h"
#include "npu/kernels/simd/window_half.h"
#include "npu/kernels/simd/window_apart.h"
#include "npu/kernels/simd/window_pairs.h"
#include "npu/kernels/simd/block.h"
#include "npu/kernels/simd/staged.h"
#include "npu/kernels/simd/layer.h"
#include "npu/kernels/simd/split_store.h"
#include "npu/kernels/simd/split_shared.h"
#include "npu/kernels/simd/split.h"
#include "npu/kernels/simd/pairs.h"
#include "npu/kernels/simd/window_words.h"
#include "npu/kernels/simd/table.h"
#include "npu/kernels/simd/straight.h"
#include "npu/kernels/simd/pool_bytes.h"
#include "npu/kernels/simd/places.h"
#include "npu/kernels/simd/pool_lines.h"
#include "npu/kernels/simd/to_words.h"
#include "npu/kernels/simd/to_narrow.h"
#include "npu/kernels/simd/scaled_sums.h"
#include "npu/kernels/simd/add.h"
#include "npu/kernels/simd/add_rows.h"
#include "npu/kernels/simd/mul.h"
#include "npu/kernels/simd/extremes.h"
#include "npu/kernels/simd/halves.h"
#include "npu/kernels/simd/curves.h"
#include "npu/kernels/simd/row_table.h"
#include "npu/kernels/simd/vector.h"
#include "npu/kernels/simd/vector_words.h"
#include "npu/kernels/simd/vector_bytes.h"
#include "npu/kernels/simd/vector_mixed.h"
#include "npu/kernels/simd/wide.h"
#include "npu/kernels/simd/rescale_wide.h"
#include "npu/kernels/simd/dots_avx2.h"
#include "npu/kernels/simd/words.h"
#include "npu/kernels/simd/curves_bytes.h"
#include "npu/kernels/simd/curves_words.h"
#include "npu/kernels/simd/words_avx2.h"
#include "npu/kernels/simd/words_rows_avx2.h"
#include "npu/kernels/simd/word_products.h"
#include "npu/kernels/simd/word_rows.h"
#include "npu/kernels/simd/byte_words.h"
#include "npu/kernels/simd/repeat.h"
#include "npu/kernels/simd/few.h"
#include "npu/kernels/simd/resize.h"
#include "npu/kernels/simd/sums.h"
#include "npu/kernels/simd/pixel_sums.h"
#include "npu/kernels/simd/order.h"

/* Levels whose vectors all hosts have share one set. */
extern const struct npu_row_kernels npu_row_kernels;

extern const struct npu_simd JOIN(npu_simd_level, SIMD_LEVEL);
const struct npu_simd JOIN(npu_simd_level, SIMD_LEVEL) = {
	.name = SIMD_NAME,
#include "npu/kernels/simd/members.h"
};

#if SIMD_LEVEL == 3
/* The same with the matrix unit. */
extern const struct npu_simd npu_simd_amx;
const struct npu_simd npu_simd_amx = {
	.name = "amx",
	.tiles = &npu_tiles_amx,
#include "npu/kernels/simd/members.h"
};
#endif
