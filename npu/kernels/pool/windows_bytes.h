/* SPDX-License-Identifier: Apache-2.0 */
/* Small windows of bytes to bytes, row by row: what becomes of a maximum depends on it alone, of a sum on it and on how many elements it has.
 * That is a table, made by what the other windows go through. */
#ifndef NPU_KERNELS_WINDOWS_BYTES_H
#define NPU_KERNELS_WINDOWS_BYTES_H

#include "npu/kernels/pool/windows.h"

struct npu_windows_bytes;

/* The whole operation; false: it is another one, or too small, and nothing has been written. `kept`: NULL, or where the memory is left that
 * npu_windows_bytes_again() wants, `w` being where it is now; NULL there: there is none. */
bool npu_windows_bytes(const struct npu_windows *w, struct npu_kernels *k, const struct npu_windows_bytes **kept);
void npu_windows_bytes_again(const struct npu_windows_bytes *b);

#endif
