/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in numpy's file format, version 1.0 ("numpy.lib.format"): little-endian, C order. */
#ifndef TRACES_NPY_H
#define TRACES_NPY_H

#include "memory/types.h"

/* type: "i1", "u1", "i2", ..., as numpy names it without its byte order. False with a line in `why`. */
bool npy_write(const char *path, const char *type, const u32 *shape, unsigned rank, const void *data, char *why, size_t why_size);

#endif
