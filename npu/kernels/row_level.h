/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over rows are plain C that compilers vectorise, so they are compiled once for every level of the host that has
 * wider vectors than all hosts have (ROW_LEVEL, set by the build). Their names end in the level then; who is
 * outside of them calls them through struct npu_row_kernels. */
#ifndef NPU_KERNELS_ROW_LEVEL_H
#define NPU_KERNELS_ROW_LEVEL_H

#ifndef ROW_LEVEL
#define ROW_NAME(name) name
#else
#define ROW_JOIN_(name, level) name##_level##level
#define ROW_JOIN(name, level) ROW_JOIN_(name, level)
#define ROW_NAME(name) ROW_JOIN(name, ROW_LEVEL)

#define npu_row_kernels ROW_NAME(npu_row_kernels)
#define npu_fast_elementwise ROW_NAME(npu_fast_elementwise)
#define npu_elementwise32_init ROW_NAME(npu_elementwise32_init)
#define npu_elementwise32_row ROW_NAME(npu_elementwise32_row)
#define npu_elementwise32_tables ROW_NAME(npu_elementwise32_tables)
#define npu_product8_all ROW_NAME(npu_product8_all)
#define npu_product8_dots ROW_NAME(npu_product8_dots)
#define npu_product8_fits ROW_NAME(npu_product8_fits)
#define npu_product8_row ROW_NAME(npu_product8_row)
#define npu_unary32_fits ROW_NAME(npu_unary32_fits)
#define npu_unary32_row ROW_NAME(npu_unary32_row)
#define npu_elementwise_sum16_init ROW_NAME(npu_elementwise_sum16_init)
#define npu_elementwise_sum16_row ROW_NAME(npu_elementwise_sum16_row)
#define npu_elementwise_sum_init ROW_NAME(npu_elementwise_sum_init)
#define npu_elementwise_sum_row ROW_NAME(npu_elementwise_sum_row)
#define npu_rescale_all ROW_NAME(npu_rescale_all)
#define npu_rescale_values ROW_NAME(npu_rescale_values)
#define npu_row_add16 ROW_NAME(npu_row_add16)
#define npu_row_add8 ROW_NAME(npu_row_add8)
#define npu_row_load32 ROW_NAME(npu_row_load32)
#define npu_row_load64 ROW_NAME(npu_row_load64)
#define npu_row_of_bytes ROW_NAME(npu_row_of_bytes)
#define npu_row_plain32 ROW_NAME(npu_row_plain32)
#define npu_row_scale32 ROW_NAME(npu_row_scale32)
#define npu_row_scale64 ROW_NAME(npu_row_scale64)
#define npu_row_store32 ROW_NAME(npu_row_store32)
#define npu_row_store64 ROW_NAME(npu_row_store64)
#define npu_row_words ROW_NAME(npu_row_words)
#define npu_row_tabled ROW_NAME(npu_row_tabled)
#define npu_rounding_of ROW_NAME(npu_rounding_of)
#define npu_row_sum ROW_NAME(npu_row_sum)
#define npu_row_table ROW_NAME(npu_row_table)
#define npu_words_output ROW_NAME(npu_words_output)
#define npu_words_row ROW_NAME(npu_words_row)
#define npu85_combine32 ROW_NAME(npu85_combine32)
#define npu85_combine32_has ROW_NAME(npu85_combine32_has)
#define npu85_combine64 ROW_NAME(npu85_combine64)
#define npu85_out_again ROW_NAME(npu85_out_again)
#define npu85_out_init ROW_NAME(npu85_out_init)
#define npu85_row_load ROW_NAME(npu85_row_load)
#define npu85_row_store ROW_NAME(npu85_row_store)
#define npu85_row_store32 ROW_NAME(npu85_row_store32)
#define npu85_sum16_init ROW_NAME(npu85_sum16_init)
#define npu85_sum8_init ROW_NAME(npu85_sum8_init)
#define npu85_stage_bytes ROW_NAME(npu85_stage_bytes)
#define npu85_stage_init ROW_NAME(npu85_stage_init)
#define npu85_stage_run ROW_NAME(npu85_stage_run)
#define npu85_stage_run32 ROW_NAME(npu85_stage_run32)
#define npu85_stage_small ROW_NAME(npu85_stage_small)
#define npu_row_copy ROW_NAME(npu_row_copy)
#define npu_row_look_up ROW_NAME(npu_row_look_up)
#define npu_row_put ROW_NAME(npu_row_put)
#define npu85_row_tabled ROW_NAME(npu85_row_tabled)
#define npu_fast_pool ROW_NAME(npu_fast_pool)
#define npu85_fast_elementwise ROW_NAME(npu85_fast_elementwise)
#define npu85_fast_single ROW_NAME(npu85_fast_single)
#define npu85_fast_resize ROW_NAME(npu85_fast_resize)
#define npu85_fast_pool ROW_NAME(npu85_fast_pool)
#define npu85_flow_flush ROW_NAME(npu85_flow_flush)
#define npu85_flow_sums ROW_NAME(npu85_flow_sums)
#define npu85_flow_open ROW_NAME(npu85_flow_open)
#endif

#endif
