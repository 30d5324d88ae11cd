/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of constants that nothing reads: compilers have DMA bring weights to faster memory, where kernels that have packed them do not look again. In a
 * job that nobody looks into before it ends only those bytes of a copy count that an operation reads, or that are still there when the job ends. */
#ifndef NPU_UNREAD_H
#define NPU_UNREAD_H

#include "npu/plan.h"

enum { NPU_UNREAD_RANGES = 4 };

/* Host addresses. */
struct npu_unread_ranges {
	struct {
		uintptr_t first, end;
	} of[NPU_UNREAD_RANGES];
	unsigned n;
	bool full; /* there were more */
};

/* The bytes of the copy at step i that count; false: all of them, or what it is is not known. *looks: steps that may still be looked at. */
bool npu_unread_find(const struct npu *n, const struct npu_plan *p, u32 i, u32 *looks, struct npu_unread_ranges *counting);

/* Before step `at` something else follows than the plan says. Of steps from `first` on only what counts has been copied: the rest. */
void npu_unread_make_up(const struct npu_plan *p, u32 first, u32 at);

#endif
