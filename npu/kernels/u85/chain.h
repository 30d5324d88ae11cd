/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that follow each other and add one tap each onto the accumulators of the one before, as Vela cuts kernels whose strides exceed three: done at
 * once, as the convolution that they were cut from, up to the one that stores results. */
#ifndef NPU_KERNELS_U85_CHAIN_H
#define NPU_KERNELS_U85_CHAIN_H

#include "npu/kernels/conv/mac.h"
#include "npu/kernels/fm.h"
#include "npu/kernels/u85/job.h"

enum { NPU85_CHAIN_TAPS = 512 }; /* at most */

/* Where a tap finds elements. Rows and columns are those of the results. */
struct npu85_chain_tap {
	const u8 *from;    /* of the first result whose element is no padding */
	i64 down, across;  /* bytes from result to result */
	u32 top, bottom, left, right; /* results whose elements are no padding; `bottom` and `right` are behind them */
};

/* Taps whose elements lie side by side in all results that none of them has padding for. */
struct npu85_chain_run {
	u32 first, taps;
	u32 top, bottom, left, right;
};

/* Taps that are summed at once. */
struct npu85_chain_taps {
	u32 taps, runs;
	struct npu85_chain_tap *tap;
	struct npu85_chain_run *run;
	i16 *weights;      /* of all taps, as npu_simd.gemm_i16 has them */
	size_t row;
};

/* Nothing is needed any longer of the jobs that it was made of, but for what they were done on. */
struct npu85_chain {
	struct npu_op op;          /* of the last one that is part of it */
	struct npu_view view;
	bool goes_on;              /* the first one starts from accumulators that are there already */
	bool anew;                 /* ... from those of its size, were there some (npu85_job.anew) */
	bool stores;               /* the last one stores results, of its own tap and those before it; else all of them are of `sums` */
	struct npu_fm kept;        /* the accumulators: packed */
	struct npu85_chain_taps sums, last;
	struct npu_mac mac;        /* of one that stores */
	size_t bytes;              /* that all of it takes */
};

/* Whether a chain may begin with it, and whether it may be the next one. Its operation is known, and is done again as that job. */
bool npu85_chain_begins(const struct npu85_job *j);
bool npu85_chain_follows(const struct npu85_job *first, const struct npu85_job *j);
/* *all grows by what lies between its inputs. */
void npu85_chain_reaches(const struct npu85_job *j, struct npu_fm_box *all);

/* Of `count` such jobs of which the first `done` will have been done before: at most one. NULL: they are done one by one, or memory is short. */
struct npu85_chain *npu85_chain_new(struct npu_kernels *k, struct npu85_job *const *job, u32 count, u32 done);
void npu85_chain_free(struct npu85_chain *c); /* NULL: nothing to do */

/* False: operations must be done one by one. */
bool npu85_chain_ready(struct npu_kernels *k, const struct npu85_chain *c, struct npu85_carry *carry);
/* Then. */
void npu85_chain_run(struct npu_kernels *k, struct npu85_chain *c, struct npu85_carry *carry);

/* The work itself: accumulators from `start`, NULL: zeros, on go to `to`. Scratch memory is there. */
void npu85_chain_pixels(struct npu_kernels *k, const struct npu85_chain *c, const i32 *start, i32 *to);

#endif
