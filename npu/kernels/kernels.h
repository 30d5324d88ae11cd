/* SPDX-License-Identifier: Apache-2.0 */
/* Fast exact execution of operations on the host.
 *
 * npu_kernels_execute() either does the whole operation, with the bytes that the generic path
 * (npu/exec.h) would have stored, or touches nothing and says "not mine": rare types, unusual
 * sizes, accumulators that might wrap, corrupt streams and everything else that is not worth
 * a second implementation. */
#ifndef NPU_KERNELS_KERNELS_H
#define NPU_KERNELS_KERNELS_H

#include "npu/config.h"
#include "npu/kernels/again.h"
#include "npu/op.h"

struct npu_kernels;

/* `simd`: "auto" or NULL for the best of this host, "generic" for none (execute always says
 * no), or a level: "c", "sse2", "avx2", "vnni", "amx", "neon", "dotprod". NULL when that is unknown, not available on
 * this host, or memory is short. Costs microseconds; memory is taken as operations need it. */
struct npu_kernels *npu_kernels_new(const struct npu_config *config, const char *simd);
void npu_kernels_free(struct npu_kernels *k);

/* Weights that are packed are shared with other NPUs of the process that say so, at the same time or later (npu/kernels/kept/shelf.h).
 * Before the first operation. */
void npu_kernels_open(struct npu_kernels *k);

/* Constant memory (npu_memory.constant) that its owner has no more use for when the kernels are freed. */
struct npu_lasting {
	const u8 *first;
	size_t bytes;
	void (*release)(void *ctx); /* once, by any thread, as soon as nobody needs it; NULL: there is none */
	void *ctx;
};

/* Before npu_kernels_free(): packed weights that stay need no copies of streams that lie there. */
void npu_kernels_leave(struct npu_kernels *k, const struct npu_lasting *lasting);

/* Large operations are shared by `threads` threads of the host, the caller's included; results are the same. 0 or 1: by
 * none, as it is at first. False: memory is short, nothing changed. */
bool npu_kernels_share(struct npu_kernels *k, unsigned threads);

/* Whether threads can decode weights before they are needed. */
bool npu_kernels_foresees(const struct npu_kernels *k);
/* A convolution or depthwise that is to come, in the order of the job. Of the view only the weights count, and those need not be
 * what the operation will find: it compares. The bytes stay until the job is over if the view calls them constant. */
void npu_kernels_expect(struct npu_kernels *k, const struct npu_op *op, const struct npu_view *view);
/* All that is expected has been told: threads begin. */
void npu_kernels_decode_ahead(struct npu_kernels *k);
/* A job begins; `alone`: until it is over nobody but its operations reads or writes memory, so that not all of their results need be there.
 * They are after npu_kernels_settle(), which whoever else touches memory, or forgets how operations were done, calls first. */
void npu_kernels_job_begins(struct npu_kernels *k, bool alone);
void npu_kernels_settle(struct npu_kernels *k);
/* Nothing is expected any more, no thread reads memory, and all results are there. */
void npu_kernels_job_over(struct npu_kernels *k);

/* Name of the level in use. */
const char *npu_kernels_name(const struct npu_kernels *k);

/* True: done. False: nothing was changed, the generic path must run. */
bool npu_kernels_execute(struct npu_kernels *k, const struct npu_op *op,
			 const struct npu_view *view);

/* The same for DMA, of which only large copies in one piece are worth sharing. */
bool npu_kernels_copy(struct npu_kernels *k, const struct npu_dma *d, const struct npu_view *view);

struct npu85_carry;

/* The same for operations of U85 (op->u85.enabled) other than DMA, against npu85_exec(). */
bool npu85_kernels_execute(struct npu_kernels *k, const struct npu_op *op,
			   const struct npu_view *view, struct npu85_carry *carry);

/* Any of these, for an operation that will be done again: kernels may leave in *again what they have worked out. The operation stays as
 * long as that. */
bool npu_kernels_first(struct npu_kernels *k, const struct npu_op *op, struct npu_again *again, struct npu85_carry *carry);
/* Such an operation once more. False: nothing was changed, and it is to be remembered anew. */
bool npu_kernels_again(struct npu_kernels *k, struct npu_again *again);

#endif
