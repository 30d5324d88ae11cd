/* SPDX-License-Identifier: Apache-2.0 */
/* One U85 operation for the fast kernels: operands out of chain buffers and results that are
 * chained, kept, transposed, reversed or on top of an input become plain feature maps, so that
 * the kernels see maps in memory only. */
#ifndef NPU_KERNELS_U85_JOB_H
#define NPU_KERNELS_U85_JOB_H

#include "npu/kernels/private.h"
#include "npu/kernels/rows/walk.h"
#include "npu/u85/u85.h"

struct npu85_job {
	struct npu_kernels *k;
	struct npu85_carry *carry;
	const struct npu_op *decoded;
	struct npu_op op;          /* plain maps; ofm is where the kernel stores */
	struct npu_view view;      /* of op's maps */
	u8 *const *stored;         /* tiles of the OFM as it is stored */
	struct npu85_tensor *kept; /* the result becomes this tensor (chain buffer, accumulators) */
	bool through;              /* the result lies in memory of our own until the end */
	const void *start;         /* accumulators to start from, packed, i64 with acc48, else i32;
				      NULL: zero */
	bool anew;                 /* it asked for accumulators that are not there; those that are will be forgotten */
	npu_again_fn *run;         /* the kernel, when it is done again */
	void *ctx;
};

/* False: an operation that the kernels leave alone. Nothing has been changed. */
bool npu85_job_begin(struct npu85_job *j, struct npu_kernels *k, const struct npu_op *op,
		     const struct npu_view *view, struct npu85_carry *carry);

/* The same operation once more, for a kernel that looks at the view's tiles: those of chain buffers and of memory of our own are other
 * ones. False: buffers have other sizes or types than before, or memory is short; nothing has been changed. */
bool npu85_job_again(struct npu85_job *j);

/* The kernel needs its OFM packed: elements in y, x, c order without gaps. Returns element 0;
 * NULL when memory is short. */
u8 *npu85_job_packed(struct npu85_job *j);

/* A map with its axes in another order. */
struct npu85_turned {
	struct npu_fm fm;
	const u8 *tile[NPU_TILES];
};

/* The kernel copies elements as they are, map 1 to map 0, which lies in memory of our own: where the layouts allow it, both are changed to maps that lead
 * from the operand to the stored tensor at once, one of them in *t. False: they stay. */
bool npu85_job_turn(struct npu85_job *j, struct npu_walk_map maps[2], struct npu85_turned *t);

/* What lies in memory of our own to the stored tensor. */
void npu85_put_turned(const struct npu85_job *j);

/* The kernel has stored everything: brings the result to where it belongs. */
void npu85_job_end(struct npu85_job *j);

/* Makes fm the map of a packed tensor of its sizes. */
void npu85_map_packed(struct npu_fm *fm);

/* Kernels of one kind of operation. False: nothing has been stored. */
bool npu85_fast_mac(struct npu85_job *j);
/* Single taps of few channels onto accumulators that are kept. */
bool npu85_fast_onto(struct npu85_job *j);
/* One pixel times the rows of IFM2. */
bool npu85_fast_dots(struct npu85_job *j);
/* int16 by int16 to int16. */
bool npu85_fast_products(struct npu85_job *j);
bool npu85_fast_elementwise(struct npu85_job *j);
/* Pools of one element without padding: elementwise in all but name. */
bool npu85_fast_single(struct npu85_job *j);
bool npu85_fast_pool(struct npu85_job *j);
bool npu85_fast_resize(struct npu85_job *j);

#endif
