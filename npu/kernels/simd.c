/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops for one host instruction level; see simd.h.
 *
 * SIMD_LEVEL (set by the build, one object each): 0 plain C, 1 SSE2, 2 AVX2 with FMA, 3 AVX-512 with
 * VNNI (with AMX besides it has another name), 4 NEON, 5 NEON with the dot product. What depends on the level is in simd_ops.h: a vector of int32, multiply-and-add of
 * int16 pairs, broadcast. Integer sums are exact in any order, so every level agrees.
 *
 * What rows (row_level.h) need of intrinsics is here as well, as their header takes compilers longer than most of these files. */
#include "npu/kernels/row_level.h"

#include "npu/kernels/simd.h"

#include <string.h>

#include "memory/host_cpu.h"
#include "npu/kernels/elementwise.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/simd_ops.h"
#include "npu/kernels/tabled.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#include "npu/kernels/simd_fields.h"
#include "npu/kernels/simd_gather.h"
#include "npu/kernels/simd_lines.h"
#include "npu/kernels/simd_gemm.h"
#include "npu/kernels/simd_depthwise.h"
#include "npu/kernels/simd_pool.h"
#include "npu/kernels/simd_taps.h"
#include "npu/kernels/simd_rescale.h"
#include "npu/kernels/simd_estimate.h"
#include "npu/kernels/simd_estimate_halves.h"
#include "npu/kernels/simd_store.h"
#include "npu/kernels/simd_store_words.h"
#include "npu/kernels/simd_shared.h"
#include "npu/kernels/simd_direct.h"
#include "npu/kernels/simd_window.h"
#include "npu/kernels/simd_window_apart.h"
#include "npu/kernels/simd_window_pairs.h"
#include "npu/kernels/simd_block.h"
#include "npu/kernels/simd_staged.h"
#include "npu/kernels/simd_layer.h"
#include "npu/kernels/simd_split_store.h"
#include "npu/kernels/simd_split_shared.h"
#include "npu/kernels/simd_split.h"
#include "npu/kernels/simd_pairs.h"
#include "npu/kernels/simd_window_words.h"
#include "npu/kernels/simd_table.h"
#include "npu/kernels/simd_pool_bytes.h"
#include "npu/kernels/simd_pool_lines.h"
#include "npu/kernels/simd_add.h"
#include "npu/kernels/simd_mul.h"
#include "npu/kernels/simd_halves.h"
#include "npu/kernels/simd_curves.h"
#include "npu/kernels/simd_row_table.h"
#include "npu/kernels/simd_vector.h"
#include "npu/kernels/simd_vector_words.h"
#include "npu/kernels/simd_wide.h"
#include "npu/kernels/simd_words.h"
#include "npu/kernels/simd_curves_bytes.h"
#include "npu/kernels/simd_words_avx2.h"
#include "npu/kernels/simd_byte_words.h"
#include "npu/kernels/simd_few.h"
#include "npu/kernels/simd_sums.h"

/* Levels whose vectors all hosts have share one set. */
extern const struct npu_row_kernels npu_row_kernels;

extern const struct npu_simd JOIN(npu_simd_level, SIMD_LEVEL);
const struct npu_simd JOIN(npu_simd_level, SIMD_LEVEL) = {
	.name = SIMD_NAME,
#include "npu/kernels/simd_members.h"
};

#if SIMD_LEVEL == 3
/* The same with the matrix unit. */
extern const struct npu_simd npu_simd_amx;
const struct npu_simd npu_simd_amx = {
	.name = "amx",
	.tiles = &npu_tiles_amx,
#include "npu/kernels/simd_members.h"
};
#endif
