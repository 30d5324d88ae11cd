/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's own operators: they work on numbers and on tensors' places, and every image has them. */
#ifndef RUNTIME_EXECUTOR_PRIM_H
#define RUNTIME_EXECUTOR_PRIM_H

#include "runtime/core/kernel.h"

/* The entry by this name; NULL when it is not one of these. */
const struct kernel_entry *prim_find(const char *name);

#endif
