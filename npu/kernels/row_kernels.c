/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that consist of rows, of one level; see row_level.h. */
#include "npu/kernels/conv/sink_wide.h"
#include "npu/kernels/elementwise/columns.h"
#include "npu/kernels/private.h"
#include "npu/kernels/u85/chain.h"
#include "npu/kernels/u85/flow.h"
#include "npu/kernels/u85/job.h"

extern const struct npu_row_kernels npu_row_kernels;
const struct npu_row_kernels npu_row_kernels = {
	.elementwise = npu_fast_elementwise,
	.pool = npu_fast_pool,
	.elementwise85 = npu85_fast_elementwise,
	.pool85 = npu85_fast_pool,
	.resize85 = npu85_fast_resize,
	.flow85 = npu85_flow_sums,
	.dots85 = npu85_fast_dots,
	.onto85 = npu85_fast_onto,
	.chain85 = npu85_chain_pixels,
	.columns = npu_matrix_columns_make,
	.dots = npu_reduction_dots,
	.stage = npu_sink_stage,
	.whole = npu_sink_whole,
};
