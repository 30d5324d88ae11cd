/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the .pte reader share: the program being read and the steps being made. */
#ifndef SIM_NPU_PROGRAM_PTE_H
#define SIM_NPU_PROGRAM_PTE_H

#include "loader/pte.h"
#include "sim/network/npu_program.h"

struct npu_pte_loading {
	struct npu_program *p;
	const struct pte_program *pte;
	u8 *file;
	u64 file_size, file_base;   /* ..._base: bus addresses */
	u64 fast_base;              /* fast scratch */
	u8 *scratch;                /* of all delegates, which run one after the other */
	u64 scratch_base, scratch_bytes;
	u8 **memory;                /* per value of the program: where it lies; NULL: no tensor */
	char *why;                  /* the caller's line */
	size_t why_size;
};

/* Writes the line that says what is wrong; always false. */
bool npu_pte_fail(const struct npu_pte_loading *l, const char *text);

/* Adds a step at the program's end; false without memory. */
bool npu_pte_add_step(struct npu_pte_loading *l, const struct npu_step *step);

/* True for kernels that only move elements: npu_pte_add_movement makes their steps. */
bool npu_pte_moves(const char *kernel);

/* The steps of a kernel for which npu_pte_moves is true; false with a line in `why`. */
bool npu_pte_add_movement(struct npu_pte_loading *l, const char *kernel, const struct pte_call *c);

#endif
