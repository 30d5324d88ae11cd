/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the .pte reader share: the program being read and the steps being made. */
#ifndef SIM_NPU_PROGRAM_PTE_H
#define SIM_NPU_PROGRAM_PTE_H

#include "loader/pte.h"
#include "sim/npu_program.h"

struct pte_loading {
	struct npu_program *p;
	const struct pte_program *pte;
	u8 *file;
	u64 file_size, file_base;
	u64 fast_base;
	u8 *scratch;                /* of all delegates, which run one after the other */
	u64 scratch_base, scratch_bytes;
	u8 **memory;                /* per value */
	char *why;
	size_t why_size;
};

/* Writes the line that says what is wrong; always false. */
bool pte_fail(const struct pte_loading *l, const char *text);

/* Adds a step at the program's end; false without memory. */
bool pte_add_step(struct pte_loading *l, const struct npu_step *step);

/* True for kernels that only move elements: pte_add_movement makes their steps. */
bool pte_moves(const char *kernel);

/* The steps of a kernel for which pte_moves is true; false with a line in `why`. */
bool pte_add_movement(struct pte_loading *l, const char *kernel, const struct pte_call *c);

#endif
