/* SPDX-License-Identifier: Apache-2.0 */
/* What is needed of an ExecuTorch program (.pte) to run its Ethos-U delegates: the calls of the
 * first method, which values they take and give, and the bytes of each delegate.
 * Schema: executorch program.fbs (identifier ETxx); own reader over checked accesses. */
#ifndef LOADER_PTE_H
#define LOADER_PTE_H

#include "memory/types.h"

struct pte_call {
	char backend[32];  /* "EthosUBackend"; "" for an instruction other than a delegate call */
	const u8 *data;    /* the delegate's bytes, inside the file */
	u64 bytes;
	u32 arg_count;
	u32 *args;         /* value indices: inputs, then outputs */
};

struct pte_program {
	u32 value_count, input_count, output_count, call_count;
	u32 *inputs, *outputs; /* value indices */
	struct pte_call *calls;
};

/* NULL when the `size` bytes at `bytes` are no usable program; `why` then gets one line. */
struct pte_program *pte_read(const u8 *bytes, u64 size, char *why, size_t why_size);
void pte_free(struct pte_program *p);

/* A tensor inside the scratch memory of a delegate. */
struct vela_io {
	u64 offset, bytes;
	u32 region;
};

/* The blocks of a delegate's bytes ("VelaBinStream"). Pointers lie inside the bytes given. */
struct vela_stream {
	const u8 *commands, *weights;
	u64 command_bytes, weight_bytes, scratch_bytes;
	u32 input_count, output_count;
	struct vela_io inputs[64], outputs[64];
};

bool vela_stream_read(const u8 *bytes, u64 size, struct vela_stream *out, char *why, size_t why_size);

#endif
