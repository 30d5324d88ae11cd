/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with holes: a compiler puts zeros between the taps of a dilated kernel where the registers have no dilation of that size
 * (the NPU's is 1 or 2), and the NPU multiplies by them. Here they are left out, and the taps that stay lie further apart. */
#ifndef NPU_KERNELS_THIN_H
#define NPU_KERNELS_THIN_H

#include "npu/kernels/kept/packed.h"
#include "npu/kernels/simd/operands.h"

struct npu_gather;

/* Looks at packed weights, and takes the holes out of them, or all taps but those of the key's phase: kernel_h to apart_x become what is kept. False:
 * memory is short, and the phase's cannot be had. */
bool npu_thin_weights(struct npu_packed *s);

/* The gather of an operation becomes that of what is kept of its weights. */
void npu_thin_gather(const struct npu_packed *s, struct npu_gather *g);

/* Where the k'th weight of a channel is that is `lane` of its group. */
static inline size_t npu_thin_place(u32 taps, u32 lane, size_t k)
{
	return (k / taps * NPU_GROUP + lane) * taps + k % taps;
}

#endif
