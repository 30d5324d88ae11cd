/* SPDX-License-Identifier: Apache-2.0 */
/* Level "amx" with the matrix unit in plain C, for hosts that have none. */
#ifndef TESTS_KERNELS_MODEL_LEVEL_H
#define TESTS_KERNELS_MODEL_LEVEL_H

#include "npu/kernels/kernels.h"

/* NULL where the host lacks level "vnni", which does all the rest. */
struct npu_kernels *model_level_kernels(const struct npu_config *config);

/* Tiles that it has multiplied since the process began. */
unsigned long model_level_products(void);

#endif
