/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIM_PARAMS_HOST_SIMD_H
#define SIM_PARAMS_HOST_SIMD_H

/* What the host's instruction set for NPU operations may be, for messages and help. */
#define HOST_SIMD_WANTED "auto, generic, c, sse2, avx2, vnni or amx (x86-64), neon or dotprod (aarch64)"

#endif
