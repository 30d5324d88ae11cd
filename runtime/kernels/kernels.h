/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the functions of kernels.def. */
#ifndef RUNTIME_KERNELS_KERNELS_H
#define RUNTIME_KERNELS_KERNELS_H

#include "runtime/core/kernel.h"

#define K(name, signature, function) kernel_function function;
#include "runtime/kernels/kernels.def"
#undef K

#endif
