/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the NPU's operations: the operators of the network that they were made from, by the debug database that Vela writes
 * with --enable-debug-db (MODEL_debug.xml). */
#ifndef SIM_NPU_NAMES_H
#define SIM_NPU_NAMES_H

#include "memory/types.h"
#include "sim/failure.h"

struct npu_names;

/* Reads a database. *out is to be freed with npu_names_free. A failure comes with a line in `why`: a file that cannot be read, no such
 * database, or one with several command streams, whose offsets are not told apart. */
enum failure npu_names_read(struct npu_names **out, const char *path, char *why, size_t why_size);
void npu_names_free(struct npu_names *n);

/* The name of the operation at that offset of the command stream, as "DepthwiseConv2D #3 (block_1/depthwise)": operator, its number
 * in the network, and the compiler's name for its result, if there is one. NULL: none is known, or `n` is NULL. */
const char *npu_names_find(const struct npu_names *n, u32 offset);

#endif
