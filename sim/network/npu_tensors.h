/* SPDX-License-Identifier: Apache-2.0 */
/* What every operation of the NPU read and wrote, as files: one numpy array a tensor in the order batch, height, width,
 * channel, and index.json. Or compared with such a folder. */
#ifndef SIM_NPU_TENSORS_H
#define SIM_NPU_TENSORS_H

#include "npu/npu.h"
#include "sim/network/npu_names.h"

struct npu_tensors;

/* Writes into `directory`, made when missing, or compares with it. NULL with a line in `why`. */
struct npu_tensors *npu_tensors_new(const struct npu_config *config, const char *directory, bool compare, char *why, size_t why_size);
/* Is it the folder of these, under this name or another? With a line in `why` then: what is compared with must not be written over. NULL: no. */
bool npu_tensors_share(const struct npu_tensors *l, const char *directory, char *why, size_t why_size);
/* Operations are named in what is written; the names must stay until the end. */
void npu_tensors_name(struct npu_tensors *l, const struct npu_names *names);
/* What to give the NPU. */
struct npu_listener npu_tensors_listener(struct npu_tensors *l);
/* Ends: false with a line in `why`: a file that cannot be written or read, a folder to compare with that has nothing to compare, or the first
 * element that differs. *differs tells which. */
bool npu_tensors_end(struct npu_tensors *l, bool *differs, char *why, size_t why_size);
void npu_tensors_free(struct npu_tensors *l);

#endif
