/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that are done again and again on the same memory: what their kernels have worked out the first time stays, so that only
 * data are looked at. Whatever is not fixed by the operation and its view is asked again each time. */
#ifndef NPU_KERNELS_AGAIN_H
#define NPU_KERNELS_AGAIN_H

#include "npu/op.h"

struct npu_kernels;
struct npu_move;
struct npu_owed;
struct npu_reduction;
struct npu85_job;

/* Does the operation once more. False: nothing was changed, it must be done from the beginning. */
typedef bool npu_again_fn(struct npu_kernels *k, void *room);

enum { NPU_AGAIN_ROOMS = 4 };

struct npu_again {
	struct npu_view view; /* what the operation was done on */
	npu_again_fn *run;    /* NULL: only the view is known */
	bool tried;           /* the kernels have been asked what they can leave here */
	bool minds_owed;      /* run() looks after what is owed (owed.h) */
	void *ctx;            /* that run() is given: one of the rooms */
	const struct npu_move *move; /* all that the operation does; NULL: it does something else */
	struct npu_owed *product;   /* that the operation is, and need not make where nobody looks (owed.h); NULL: it is none */
	struct npu_reduction *sum;  /* that it is (elementwise/reduce.h); NULL: it is none */
	struct npu85_job *job; /* of U85, kept for doing it again; NULL: there is none */
	void *room[NPU_AGAIN_ROOMS]; /* memory of the kernels, which may point into it and to the view */
	unsigned rooms;
	size_t bytes;         /* that it takes, rooms included */
	size_t counted;       /* for whoever keeps it */
};

/* NULL: memory is short. */
struct npu_again *npu_again_new(const struct npu_view *view);
void npu_again_clear(struct npu_again *a); /* Only the view stays. */
void npu_again_free(struct npu_again *a); /* NULL: nothing to do */

/* For kernels. Memory that stays as long as the operation is remembered; NULL: it is not to be, or memory is short. */
void *npu_again_room(struct npu_kernels *k, size_t bytes);
/* The operation has been done, and this is how to do it again with this room; NULL: there is none. */
void npu_again_keep(struct npu_kernels *k, void *room, npu_again_fn *run);

#endif
