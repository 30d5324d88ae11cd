/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loops for one host instruction level; see simd.h.
 *
 * SIMD_LEVEL (set by the build, one object each): 0 plain C, 1 SSE2, 2 AVX2, 3 AVX-512 with
 * VNNI, 4 NEON, 5 NEON with the dot product. What depends on the level is in simd_ops.h: a vector of int32, multiply-and-add of
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

#include "npu/kernels/simd_gather.h"
#include "npu/kernels/simd_lines.h"
#include "npu/kernels/simd_gemm.h"
#include "npu/kernels/simd_depthwise.h"
#include "npu/kernels/simd_pool.h"
#include "npu/kernels/simd_taps.h"
#include "npu/kernels/simd_rescale.h"
#include "npu/kernels/simd_estimate.h"
#include "npu/kernels/simd_store.h"
#include "npu/kernels/simd_direct.h"
#include "npu/kernels/simd_window.h"
#include "npu/kernels/simd_fields.h"
#include "npu/kernels/simd_block.h"
#include "npu/kernels/simd_layer.h"
#include "npu/kernels/simd_split.h"
#include "npu/kernels/simd_window_words.h"
#include "npu/kernels/simd_table.h"
#include "npu/kernels/simd_add.h"
#include "npu/kernels/simd_mul.h"
#include "npu/kernels/simd_vector.h"
#include "npu/kernels/simd_wide.h"
#include "npu/kernels/simd_words.h"
#include "npu/kernels/simd_row_table.h"

/* Levels whose vectors all hosts have share one set. */
extern const struct npu_row_kernels npu_row_kernels;

extern const struct npu_simd JOIN(npu_simd_level, SIMD_LEVEL);
const struct npu_simd JOIN(npu_simd_level, SIMD_LEVEL) = {
	.name = SIMD_NAME,
	.rows = &npu_row_kernels,
#if SIMD_LEVEL == 3
	.next = npu_weights_next_avx512,
#elif SIMD_LEVEL == 2
	.next = npu_weights_next_host,
#else
	.next = npu_weights_next,
#endif
	.gather_u8 = gather_u8,
	.gather_i16 = gather_i16,
	.gemm_i16 = gemm_i16,
	.layer_i16 = layer_i16,
	.expand_i16 = expand_i16,
	.depthwise_i16 = depthwise_i16,
#ifdef USES_DOT
	.less_128 = SIMD_LEVEL == 5,
	.gemm_u8 = gemm_u8,
	.sums_i8 = sums_i8,
	.layer_u8 = layer_u8,
	.expand_u8 = expand_u8,
	.depthwise_u8 = depthwise_u8,
#endif
#if SIMD_LEVEL == 3
	.depthwise_store_u8 = depthwise_store_u8,
	.window_u8 = window_u8,
	.put_groups = store_copy,
	.window_words = window_words,
	.split_words = split_words,
	.layer_split = layer_split,
	.layer_fields = layer_fields,
	.vector_u8 = vector_u8,
	.vector_split = vector_split,
	.flip_bytes = flip_bytes,
	.flip_bricks = flip_bricks,
#endif
	.pool = pool,
	.average = average,
	.store8 = store8,
	.store16 = store16,
	.rescale = rescale,
	.narrow8 = narrow8,
	.look_up = look_up_bytes,
#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
	.add8 = add8,
	.add16 = add16,
	.mul8 = mul8,
#endif
	.scale64 = scale64,
	.sum_rows32 = sum_rows32,
	.widen32 = widen32,
	.add_wide = add_wide,
	.depthwise_taps = depthwise_taps,
	.products8 = products8,
	.dots8 = dots8,
	.clamp64 = clamp64,
};
