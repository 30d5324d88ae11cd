/* SPDX-License-Identifier: Apache-2.0 */
/* In which order a copy's dimensions are gone through, and by which of the ways of copy.c and copy_few.c. */
#include "npu/kernels/move/copy_few.h"
#include "npu/kernels/move/copy_squares.h"

#include <string.h>

#define LONG 8 /* elements that fill vectors */
enum { LINE = 64, PAGE = 4096, CACHE = 32768 }; /* bytes, of most hosts */

/* Dimension d to place `at`. */
static void place(struct npu_copy_dim *dim, unsigned d, unsigned at)
{
	const struct npu_copy_dim t = dim[d];

	dim[d] = dim[at];
	dim[at] = t;
}

/* A few neighbours on both sides are one element, where there is one of that size. */
static unsigned join(struct npu_copy_dim *dim, unsigned dims, unsigned *bytes)
{
	for (unsigned d = 0; d < dims; d++) {
		const size_t both = dim[d].n * *bytes;
		if (dim[d].to != (i64)*bytes || dim[d].from != (i64)*bytes || (both != 2 && both != 4 && both != 8))
			continue;
		*bytes = (unsigned)both;
		dim[d] = dim[dims - 1];
		return dims - 1;
	}
	return dims;
}

/* A long dimension becomes the innermost one, that whose elements lie nearest to each other at the target. */
static void long_inside(struct npu_copy_dim *dim, unsigned dims)
{
	unsigned best = dims - 1;

	for (unsigned d = 0; d + 1 < dims; d++)
		if (dim[d].n >= LONG && (dim[best].n < LONG || dim[d].to < dim[best].to))
			best = d;
	place(dim, best, dims - 1);
}

/* Runs, or squares of bytes; else elements are copied one by one. */
static bool in_vectors(const struct npu_copy_dim *outer, const struct npu_copy_dim *inner, unsigned bytes)
{
	const bool run = inner->to == (i64)bytes && inner->from == (i64)bytes;

	return run || npu_copy_is_squares(outer, inner, bytes);
}

/* Two dimensions that copy_few.h is for become the innermost ones. False: there are none. */
static bool few_inside(struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	for (unsigned lines = 0; lines < dims; lines++)
		for (unsigned line = 0; line < dims; line++)
			if (line != lines && npu_copy_is_few(&dim[lines], &dim[line], bytes)) {
				place(dim, line, dims - 1);
				place(dim, lines == dims - 1 ? line : lines, dims - 2);
				return true;
			}
	return false;
}

/* Two or four channels, which lie side by side at the source, of columns of which the same holds, and rows that do so at the target. */
static bool is_turned(const struct npu_copy_dim *channels, const struct npu_copy_dim *columns, const struct npu_copy_dim *rows, unsigned bytes)
{
	return (channels->n == 2 || channels->n == NPU_COPY_TURNED) && bytes <= 2 && channels->from == (i64)bytes && columns->from == (i64)(channels->n * bytes) &&
	       rows->to == (i64)bytes && columns->n >= 16 / bytes && rows->n >= LONG;
}

/* Of three dimensions. True: they are in that order. */
static bool turned_order(struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	for (unsigned channels = 0; dims == 3 && channels < 3; channels++)
		for (unsigned i = 1; i < 3; i++) {
			const struct npu_copy_dim *const columns = &dim[(channels + i) % 3], *const rows = &dim[(channels + 3 - i) % 3];
			if (!is_turned(&dim[channels], columns, rows, bytes))
				continue;
			const struct npu_copy_dim all[] = { dim[channels], *columns, *rows };
			memcpy(dim, all, sizeof(all));
			return true;
		}
	return false;
}

/* Whether the lines that n elements lie in stay in the first cache until their neighbours are copied: lines a power of two apart share few places. */
static bool lines_stay(size_t n, i64 step)
{
	const u64 apart = (u64)(step & -step), shared = apart < LINE ? LINE : apart > PAGE ? PAGE : apart;

	return n * shared <= CACHE;
}

/* The longest dimension whose lines stay; if these are all short, the longest one. */
static unsigned longest(const struct npu_copy_dim *dim, unsigned dims)
{
	unsigned best = 0;
	u64 most = 0;

	for (unsigned d = 0; d < dims; d++) {
		const bool stays = lines_stay(dim[d].n, dim[d].to) && lines_stay(dim[d].n, dim[d].from);
		const u64 worth = stays && dim[d].n >= LONG ? (u64)dim[d].n << 32 : dim[d].n;
		if (worth > most) {
			most = worth;
			best = d;
		}
	}
	return best;
}

/* What is contiguous at the target becomes the innermost dimension; around it what is contiguous at the source, or else a long one. */
static void order(struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	unsigned second = dims - 1;

	for (unsigned d = 0; d < dims; d++)
		if (dim[d].to == (i64)bytes) {
			place(dim, d, dims - 1);
			break;
		}
	for (unsigned d = 0; d + 1 < dims && second == dims - 1; d++)
		if (dim[d].from == (i64)bytes)
			second = d;
	place(dim, second < dims - 1 ? second : longest(dim, dims - 1), dims - 2);
	if (dim[dims - 1].n < LONG && !in_vectors(&dim[dims - 2], &dim[dims - 1], bytes))
		long_inside(dim, dims);
}

/* Not so many that it should be asked whether the operation is given up. */
static size_t whole_of(const struct npu_copy_plan *p)
{
	const bool run = p->dims == 1 && p->dim[0].to == (i64)p->bytes && p->dim[0].from == (i64)p->bytes;

	return p->dims == 0 ? p->bytes : run && p->dim[0].n <= NPU_COPY_AT_ONCE ? p->dim[0].n * p->bytes : 0;
}

void npu_copy_plan(struct npu_copy_plan *p, const struct npu_copy_dim *dim, unsigned dims, unsigned bytes)
{
	p->dims = 0;
	for (unsigned d = 0; d < dims; d++)
		if (dim[d].n != 1)
			p->dim[p->dims++] = dim[d];
	p->bytes = bytes;
	p->dims = join(p->dim, p->dims, &p->bytes);
	p->whole = whole_of(p);
	while (p->dims < 3)
		p->dim[p->dims++] = (struct npu_copy_dim){ .n = 1 };
	p->few = few_inside(p->dim, p->dims, p->bytes);
	p->turned = !p->few && turned_order(p->dim, p->dims, p->bytes);
	if (!p->few && !p->turned)
		order(p->dim, p->dims, p->bytes);
}
