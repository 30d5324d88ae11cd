/* SPDX-License-Identifier: Apache-2.0 */
/* Which way a pool went, and what of it stays for the next time: what U55/U65 and U85 share. */
#ifndef NPU_KERNELS_WINDOWS_WAY_H
#define NPU_KERNELS_WINDOWS_WAY_H

#include "npu/kernels/pool/windows_bytes.h"
#include "npu/kernels/pool/windows_lines.h"

struct npu_windows_way {
	struct npu_windows_lines rows;
	struct npu_lines lines; /* of npu_pool_lines() */
	const struct npu_windows_bytes *bytes; /* of npu_windows_bytes(); NULL: it was another way */
	bool (*run)(const struct npu_windows_lines *); /* the way of `rows` that was taken, or NULL */
};

static inline void npu_windows_way_begin(struct npu_windows_way *w)
{
	w->bytes = NULL;
	w->run = NULL;
}

/* w->rows by `run`: npu_pool_lines(), npu_pool_whole() or npu_pool_tall(). False: it is another operation, nothing has been written. */
static inline bool npu_windows_way_rows(struct npu_windows_way *w, bool (*run)(const struct npu_windows_lines *))
{
	if (run != npu_pool_lines ? !run(&w->rows) : !npu_lines_init(&w->lines, &w->rows))
		return false;
	if (run == npu_pool_lines)
		npu_lines_run(&w->lines);
	w->run = run;
	return true;
}

/* The same way once more; it has been one of these. */
static inline void npu_windows_way_again(const struct npu_windows_way *w)
{
	if (w->bytes)
		npu_windows_bytes_again(w->bytes);
	else if (w->run == npu_pool_lines)
		npu_lines_run(&w->lines);
	else
		w->run(&w->rows);
}

#endif
