/* SPDX-License-Identifier: Apache-2.0 */
/* What the fast kernels share. Not for use outside npu/kernels/. */
#ifndef NPU_KERNELS_PRIVATE_H
#define NPU_KERNELS_PRIVATE_H

#include "npu/kernels/again.h"
#include "npu/kernels/kernels.h"
#include "npu/kernels/kept/packed.h"
#include "npu/kernels/row_level.h"
#include "npu/kernels/simd/simd.h"

struct npu85_chain;
struct npu85_job;
struct npu_matrix_columns;
struct npu_matrix;
struct npu_owed;
struct npu_reduction;
struct npu_sink;

/* Kernels that consist of rows, compiled for one level. Contracts: below, elementwise/columns.h, elementwise/reduce.h, u85/job.h and conv/sink_wide.h. */
struct npu_row_kernels {
	bool (*elementwise)(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
	bool (*pool)(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
	bool (*elementwise85)(struct npu85_job *j);
	bool (*pool85)(struct npu85_job *j);
	bool (*resize85)(struct npu85_job *j);
	bool (*flow85)(struct npu85_job *j, u8 *sums, size_t count, unsigned bytes);
	bool (*dots85)(struct npu85_job *j);
	bool (*onto85)(struct npu85_job *j);
	void (*chain85)(struct npu_kernels *k, const struct npu85_chain *c, const i32 *start, i32 *to);
	void (*columns)(struct npu_kernels *k, const struct npu_matrix_columns *c);
	void (*dots)(const struct npu_simd *simd, const struct npu_reduction *r, const struct npu_owed *p);
	void (*stage)(const struct npu_sink *s, i64 *v, size_t n, u8 *to);
	void (*whole)(i32 *v, unsigned pixels, const i32 *factor);
};

/* Memory that grows and is reused from operation to operation. */
struct npu_scratch {
	void *data;
	size_t bytes;
	struct npu_kernels *of;
};

struct npu_kernels {
	const struct npu_config *config;
	const struct npu_simd *simd; /* NULL: generic path only */
	struct npu_team *team;       /* NULL: the caller works alone */
	struct npu_packer packer;
	struct npu_again *again;     /* of the operation at work; NULL: it is not to be remembered */
	bool alone;                  /* nobody looks at memory before the job ends */
	const struct npu_owed *owed; /* NULL: nothing is (owed.h) */
	u64 products;                /* that were noted, and sums */
	struct npu_matrix *matrix; /* sums of the product that is owed and of those before it, which are owed as well; NULL: there were none (matrix.h) */
	u8 lut_copy[2 * NPU_LUT_BYTES]; /* tables that wrap, of the operation at work */
	struct npu_store store;     /* for what is needed as long as this is */
	struct npu_scratch panel, staged, padded, abreast, channels, lines, rows, copies, column;
	/* U85 */
	struct npu_scratch result, start, sums, dynamic, roundings;
	struct npu_packed dynamic_weights;
};

/* At least `bytes`, aligned for vectors; contents of no meaning. NULL when memory is short. */
void *npu_scratch(struct npu_scratch *s, size_t bytes);

/* Kernels of one kind of operation; contract of npu_kernels_execute(), which has brought inputs of elementwise operations apart from
 * the OFM, or found that they are the same bytes. */
bool npu_fast_conv(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
bool npu_fast_depthwise(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
bool npu_fast_pool(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
bool npu_fast_elementwise(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
/* DMA in one piece, whatever its size; of its view. */
bool npu_fast_copy(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);

#endif
