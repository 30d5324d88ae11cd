/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of kernels whose lines are no whole sets of weights, as those of pictures with three channels: once more, with zeros behind each line. What
 * lies behind a line of the map is multiplied by these, so that fields can be read where they are (npu_gather_fields()). */
#ifndef NPU_KERNELS_LINED_H
#define NPU_KERNELS_LINED_H

#include "npu/kernels/kept/packed.h"

/* A channel's weights in that form; 0: there is none. */
size_t npu_lined_row(const struct npu_packed_key *key);

/* Fills s->lined, if there is room for it, from s->weights. */
void npu_lined_fill(struct npu_packed *s);

#endif
