/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is short where kernels ask for rooms (npu/kernels/again.h): the linker hands their aligned_alloc() to this. */
#ifndef TESTS_KERNELS_SCARCE_H
#define TESTS_KERNELS_SCARCE_H

/* The nth room asked for from now on is not to be had, others are; 0: all are. */
void scarce(unsigned n);

#endif
