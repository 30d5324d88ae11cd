/* SPDX-License-Identifier: Apache-2.0 */
/* Reads arrays of integers in numpy's file format, versions 1 to 3 ("numpy.lib.format"): little-endian, C order. */
#ifndef LOADER_NPY_H
#define LOADER_NPY_H

#include "loader/file.h"

struct npy {
	struct file_bytes file;
	const u8 *data;   /* inside the file */
	u64 count;        /* elements */
	char type[3];     /* "i1", "u4", ... */
};

bool npy_exists(const char *path); /* true: there is something to read at that path */
/* False with a line in `why`: unreadable, another format, another element type, Fortran order, truncated. */
bool npy_read(const char *path, struct npy *out, char *why, size_t why_size);
void npy_free(struct npy *n);

#endif
