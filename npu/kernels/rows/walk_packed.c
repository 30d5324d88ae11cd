/* SPDX-License-Identifier: Apache-2.0 */
/* Short rows that are brought together; see walk_packed.h. */
#include "npu/kernels/rows/walk_packed.h"

#include <string.h>

#define REPEATED_ROW 128
#define SHORT_ROW 48 /* elements that take less time together than what is done for a row */
#define ONE_ROW 256  /* the same, where some map has one element for a row */
#define PACKED 512 /* elements brought together */

/* Elements of a row that is brought together with others, at most. */
static size_t longest(const struct npu_walk *w, const struct npu_walk_dim *outer)
{
	size_t most = SHORT_ROW;

	for (unsigned m = 1; m < w->maps; m++)
		if (outer[1].stride[m] == 0)
			most = ONE_ROW;
		else if (outer->stride[m] == 0 && most < REPEATED_ROW) /* the same row for every pixel of the dimension around */
			most = REPEATED_ROW;
	return most;
}

bool npu_walk_packs(const struct npu_walk *w)
{
	if (w->dims < 2 || w->dim[w->dims - 2].n < 2 || w->dim[w->dims - 1].n < 2 ||
	    w->dim[w->dims - 1].n > longest(w, &w->dim[w->dims - 2]))
		return false;
	for (unsigned m = 0; m < w->maps; m++) {
		i64 stride = w->dim[w->dims - 1].stride[m];
		i64 bytes = w->map[m].fm->bytes;
		if (stride != bytes && (m == 0 || stride != 0))
			return false;
	}
	return true;
}

#define REPEAT_LOOP(T) do { \
	typedef T vector_ __attribute__((vector_size(16))); \
	const size_t whole = n / (16 / sizeof(T)), rest = n % (16 / sizeof(T)); \
	for (size_t i = 0; i < runs; i++, from += from_stride) { \
		T e_; \
		memcpy(&e_, from, sizeof(e_)); \
		const vector_ all_ = (vector_){ 0 } + e_; \
		for (size_t k = 0; k < whole; k++, to += sizeof(all_)) \
			memcpy(to, &all_, sizeof(all_)); \
		for (size_t k = 0; k < rest; k++, to += sizeof(e_)) \
			memcpy(to, &e_, sizeof(e_)); \
	} } while (0)

/* `runs` elements, each n times. */
static void repeat_runs(const struct npu_walk *w, u8 *to, const u8 *from, i64 from_stride, size_t runs, size_t n, unsigned bytes)
{
	if (w->repeat && bytes <= 4) {
		w->repeat(to, from, from_stride, runs, n, bytes);
		return;
	}
	switch (bytes) {
	case 1: REPEAT_LOOP(u8); return;
	case 2: REPEAT_LOOP(u16); return;
	case 4: REPEAT_LOOP(u32); return;
	default: REPEAT_LOOP(u64); return;
	}
}

/* Map m lies packed already, or is one element for all. */
static bool in_place(const struct npu_walk_dim *outer, unsigned m)
{
	const struct npu_walk_dim *inner = outer + 1;

	return outer->stride[m] == (i64)inner->n * inner->stride[m];
}

void npu_walk_packed(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS])
{
	const struct npu_walk_dim *inner = outer + 1;
	u8 packed[NPU_WALK_MAPS][PACKED * 8];
	size_t most = PACKED / inner->n, part;
	i64 stride[NPU_WALK_MAPS] = { 0 };

	for (unsigned m = 0; m < w->maps; m++)
		stride[m] = in_place(outer, m) ? inner->stride[m] : w->map[m].fm->bytes;
	for (size_t i = 0; i < outer->n && !npu_given_up(w->view); i += part) {
		u8 *p[NPU_WALK_MAPS] = { NULL }, *at[NPU_WALK_MAPS] = { NULL };
		part = outer->n - i < most ? outer->n - i : most;
		for (unsigned m = 0; m < w->maps; m++) {
			size_t run = inner->n * w->map[m].fm->bytes;
			at[m] = start[m] + (i64)i * outer->stride[m];
			p[m] = in_place(outer, m) ? at[m] : packed[m];
			if (i && outer->stride[m] == 0)
				continue; /* the first part has put the same there */
			if (m > 0 && p[m] != at[m] && inner->stride[m] == 0)
				repeat_runs(w, packed[m], at[m], outer->stride[m], part, inner->n, w->map[m].fm->bytes);
			else if (m > 0 && p[m] != at[m])
				npu_copy_runs(packed[m], (i64)run, at[m], outer->stride[m], part, run);
		}
		w->row(w->ctx, p, stride, part * inner->n);
		if (p[0] != at[0])
			npu_copy_runs(at[0], outer->stride[0], packed[0], (i64)(inner->n * w->map[0].fm->bytes), part,
				  inner->n * w->map[0].fm->bytes);
	}
}

/* ---- three dimensions ---- */

bool npu_walk_packs_planes(const struct npu_walk *w, const struct npu_walk_dim *outer)
{
	return outer->n > 1 && 2 * outer[1].n * outer[2].n <= PACKED && npu_walk_packs(w);
}

static bool plane_in_place(const struct npu_walk_dim *outer, unsigned m)
{
	return in_place(outer + 1, m) && outer->stride[m] == (i64)outer[1].n * outer[1].stride[m];
}

/* Of map m, `planes` planes side by side. */
static void pack_planes(const struct npu_walk *w, const struct npu_walk_dim *outer, unsigned m, const u8 *from, size_t planes, u8 *to)
{
	const struct npu_walk_dim *middle = outer + 1, *inner = outer + 2;
	const unsigned bytes = w->map[m].fm->bytes;
	const size_t run = inner->n * bytes;

	for (size_t k = 0; k < planes; k++, from += outer->stride[m], to += middle->n * run)
		if (!inner->stride[m])
			repeat_runs(w, to, from, middle->stride[m], middle->n, inner->n, bytes);
		else
			npu_copy_runs(to, (i64)run, from, middle->stride[m], middle->n, run);
}

void npu_walk_packed_planes(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS])
{
	const struct npu_walk_dim *middle = outer + 1, *inner = outer + 2;
	const size_t plane = middle->n * inner->n, most = PACKED / plane, run = inner->n * w->map[0].fm->bytes;
	u8 packed[NPU_WALK_MAPS][PACKED * 8];
	i64 stride[NPU_WALK_MAPS] = { 0 };
	bool beside[NPU_WALK_MAPS] = { false };

	for (unsigned m = 0; m < w->maps; m++) {
		beside[m] = plane_in_place(outer, m);
		stride[m] = beside[m] ? inner->stride[m] : w->map[m].fm->bytes;
	}
	for (size_t i = 0, part; i < outer->n && !npu_given_up(w->view); i += part) {
		u8 *p[NPU_WALK_MAPS] = { NULL };
		part = outer->n - i < most ? outer->n - i : most;
		for (unsigned m = 0; m < w->maps; m++) {
			u8 *const at = start[m] + (i64)i * outer->stride[m];
			p[m] = beside[m] ? at : packed[m];
			if (m > 0 && !beside[m] && !(i && !outer->stride[m])) /* else the first part has put the same there */
				pack_planes(w, outer, m, at, part, packed[m]);
		}
		w->row(w->ctx, p, stride, part * plane);
		for (size_t k = 0; !beside[0] && k < part; k++)
			npu_copy_runs(start[0] + (i64)(i + k) * outer->stride[0], middle->stride[0], packed[0] + k * plane * w->map[0].fm->bytes, (i64)run, middle->n, run);
	}
}

/* ---- one map's elements repeated ---- */

/* Which map it is; 0: none. */
static unsigned repeated_map(const struct npu_walk *w, const struct npu_walk_dim *outer)
{
	unsigned found = 0;

	for (unsigned m = 0; m < w->maps; m++) {
		if (in_place(outer + 1, m))
			continue;
		if (m == 0 || found || outer->stride[m] != 0 || outer[2].stride[m] != 0)
			return 0;
		found = m;
	}
	return found;
}

bool npu_walk_repeated(const struct npu_walk *w, const struct npu_walk_dim *outer, u8 *const start[NPU_WALK_MAPS])
{
	const struct npu_walk_dim *middle = outer + 1, *inner = outer + 2;
	const unsigned map = npu_walk_packs(w) && !(w->grid && inner->n > SHORT_ROW) ? repeated_map(w, outer) : 0, bytes = w->map[map].fm->bytes;
	const size_t most = PACKED / inner->n;
	u8 room[PACKED * 8], *p[NPU_WALK_MAPS] = { start[0], start[1], start[2] };
	struct npu_walk rows;

	if (!map)
		return false;
	rows = *w;
	rows.dims = 2;
	rows.dim[0] = *outer;
	rows.dim[1] = *inner;
	rows.dim[1].stride[map] = bytes;
	for (size_t i = 0, part; i < middle->n; i += part) {
		part = middle->n - i < most ? middle->n - i : most;
		rows.dim[1].n = part * inner->n;
		p[map] = room;
		repeat_runs(w, room, start[map] + (i64)i * middle->stride[map], middle->stride[map], part, inner->n, bytes);
		npu_walk_run(&rows, 0, p);
		for (unsigned m = 0; m < w->maps; m++)
			p[m] += (i64)part * middle->stride[m];
	}
	return true;
}
