/* SPDX-License-Identifier: Apache-2.0 */
/* What a level's functions are: members of struct npu_simd. Part of simd.c, once for each name that these have. */

.rows = &npu_row_kernels,
#if SIMD_LEVEL == 3
.next = npu_weights_next_avx512,
#elif SIMD_LEVEL == 2
.next = npu_weights_next_host,
#else
.next = npu_weights_next,
#endif
.less_128 = SIMD_LEVEL == 2 || SIMD_LEVEL == 5,
.gather_u8 = gather_u8,
.gather_i16 = gather_i16,
.bricks_of_fields = SIMD_LEVEL == 2,
.gemm_i16 = gemm_i16,
.sums_i16 = sums_i16,
.layer_i16 = layer_i16,
.expand_i16 = expand_i16,
.depthwise_i16 = depthwise_i16,
#if SIMD_LEVEL < 3
.put_line = put_line,
.pair_lines = pair_lines,
#endif
#ifdef USES_DOT
.gemm_u8 = gemm_u8,
.sums_i8 = sums_i8,
#if SIMD_LEVEL == 3
.order_i8 = order_i8,
.order_groups_i8 = order_groups_i8,
#endif
.layer_u8 = layer_u8,
.expand_u8 = expand_u8,
.depthwise_u8 = depthwise_u8,
#endif
#if SIMD_LEVEL == 3
.depthwise_store_u8 = depthwise_store_u8,
.depthwise_rows = depthwise_rows,
.window_rows = window_rows,
.window_words = window_words,
.split_words = split_words,
.gather_split = gather_split,
.layer_split = layer_split,
.layer_pairs = layer_pairs,
.layer_fields = layer_fields,
.vector_u8 = vector_u8,
.vector_split = vector_split,
.flip_bytes = flip_bytes,
.flip_pixels = flip_pixels,
#endif
#if SIMD_LEVEL == 2
.vector_i16 = vector_i16,
.vector_mixed = vector_mixed,
.vector_mixed_words = vector_mixed_words,
.straight = straight,
.pixel_sums = pixel_sums,
.order_i16 = order_i16,
.to_narrow = to_narrow,
.scaled_sums = scaled_sums,
.vector_u8 = vector_u8,
.vector_input = vector_input,
.sums_i8 = sums_i8,
.dots8_bricks = dots8_bricks,
.pack_words = pack_words,
.word_products = word_products,
#endif
#if SIMD_LEVEL == 2
.window_u8 = window_u8,
.put_groups = store_copy,
#endif
#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
.add8_rows = add8_rows,
.repeat = repeat,
.few_u8 = few_u8,
.few_bytes = SIMD_LEVEL == 3 ? 64 : NPU_GROUP,
#endif
.pool = pool,
.line_rows = line_rows,
.line_taps = line_taps,
.most_rows = most_rows,
.most_taps = most_taps,
#if SIMD_LEVEL < 2 || defined(USES_NEON)
.sum_rows8 = sum_rows8,
.sum_taps = sum_taps,
#endif
.store8 = store8,
.store16 = store16,
.rescale = rescale,
.rescale_signs = rescale_signs,
#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
.rescale_above = rescale_above,
.places = places,
.to_words = to_words,
#endif
.narrow8 = narrow8,
.look_up = look_up_bytes,
.look_up_pixels = look_up_pixels,
#if SIMD_LEVEL == 2 || SIMD_LEVEL == 3
.look_up_rows = look_up_rows,
#endif
#if SIMD_LEVEL >= 2 && !defined(USES_NEON)
.add8 = add8,
.add16 = add16,
.mul16 = mul16,
.unary16 = unary16,
#if SIMD_LEVEL == 3
.curve_bytes = curve_bytes,
#endif
.mul8 = mul8,
.extremes = extremes,
.mul8_repeated = mul8_repeated,
#endif
.scale64 = scale64,
.rescale_wide = rescale_wide,
.sum_rows32 = sum_rows32,
.widen32 = widen32,
.add_wide = add_wide,
.depthwise_taps = depthwise_taps,
.products8 = products8,
.dots8 = dots8,
.blend_columns = blend_columns,
.clamp64 = clamp64,
