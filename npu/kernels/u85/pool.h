/* SPDX-License-Identifier: Apache-2.0 */
/* U85 pools in rows of 64 bits. */
#ifndef NPU_KERNELS_U85_POOL_H
#define NPU_KERNELS_U85_POOL_H

#include "npu/kernels/conv/channels.h"
#include "npu/kernels/u85/job.h"

#define NPU85_FEW_CHANNELS 8 /* rows along the window take less time then than those along the channels */

/* The whole pool, any of them; false: memory is short. */
bool npu85_pool_rows(struct npu85_job *j);
/* Whether that is best: the largest of each of some long rows of one channel is looked for. */
bool npu85_pool_is_row(const struct npu85_job *j);

struct npu85_flow;

/* Positions of maxima: whether they have a way of their own, and that. */
bool npu85_pool_has_places(const struct npu85_job *j);
void npu85_put_places(struct npu85_flow *f, const struct npu85_job *j);

/* A pool of no elements whose accumulators wait, with scales of channels. False: values that are large, or a scaling or output that takes no less
 * time here; what has been written is of no meaning. */
bool npu85_scaled_sums(struct npu85_job *j);
/* The same of accumulators of 8 bytes to int16 whose channels have the fast form, which their biases and values below 2^30 do not leave: where the level has
 * vectors from one end to the other. False as there. */
bool npu85_scaled_words(struct npu85_job *j, const struct npu_channels *c);

#endif
