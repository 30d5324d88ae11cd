/* SPDX-License-Identifier: Apache-2.0 */
/* Products by the host's matrix unit, and by the model of it that stands for it elsewhere, beside sums in plain C. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "npu/kernels/simd/simd.h"
#include "tests/kernels/random.h"

#if defined(__x86_64__)
extern const struct npu_tiles npu_tiles_model;

enum { MOST_ROW = 1024, MOST_BYTES = 1 << 20, ROOM = 256 << 10 };

struct work {
	u8 *memory;    /* behind it there is none */
	const i8 *weights;
	struct npu_tiles_walk walk;
	size_t group_step;
	unsigned pixels;
	const u8 *from[2]; /* fields of two tiles */
	NPU_LINE u8 fields[ROOM];
	NPU_LINE i32 acc[2][2][NPU_DEEP_PIXELS][NPU_GROUP];
};

static const u8 *field(const struct work *w, unsigned tile, unsigned pixel, size_t k)
{
	const size_t block = k / NPU_DEEP;

	return w->from[tile] + pixel * w->walk.step + block * w->walk.next + block / w->walk.blocks * w->walk.jump + k % NPU_DEEP;
}

/* Fields of pixels one behind the other, in lines, or brought together: then rows may end anywhere. */
static void draw_walk(struct work *w, struct rng *r)
{
	struct npu_tiles_walk *const k = &w->walk;

	*k = (struct npu_tiles_walk){ .step = NPU_DEEP, .next = NPU_TILE * NPU_DEEP, .blocks = UINT32_MAX, .row = 4 * (1 + rng_below(r, MOST_ROW / 4)) };
	w->from[0] = w->fields;
	w->from[1] = w->fields + NPU_DEEP * rng_below(r, NPU_TILE - NPU_DEEP_PIXELS);
	if (rng_below(r, 2))
		return;
	const u32 lines = 1 + rng_below(r, 4), blocks = 1 + rng_below(r, 4), step = 64 + rng_below(r, 500);
	*k = (struct npu_tiles_walk){ .step = step, .next = NPU_DEEP, .blocks = lines > 1 ? blocks : UINT32_MAX,
				      .jump = rng_below(r, 9000), .row = NPU_DEEP * (size_t)blocks * lines };
	w->from[0] = w->fields + rng_below(r, 64);
	w->from[1] = w->fields + rng_below(r, 20000);
}

static void draw(struct work *w, struct rng *r)
{
	draw_walk(w, r);
	w->pixels = 1 + rng_below(r, NPU_DEEP_PIXELS);
	w->group_step = w->walk.row * NPU_GROUP + 64 * rng_below(r, 2);
	for (size_t i = 0; i < ROOM; i++)
		w->fields[i] = (u8)rng_below(r, 256);
	for (unsigned t = 0; t < 2; t++)
		for (size_t k = w->walk.row; k % NPU_DEEP; k++)
			for (unsigned p = 0; p < w->pixels; p++)
				w->fields[field(w, t, p, k) - w->fields] = 0;
	u8 *weights = w->memory + MOST_BYTES - (w->group_step + w->walk.row * NPU_GROUP);
	for (u8 *at = weights; at < w->memory + MOST_BYTES; at++)
		*at = (u8)rng_below(r, 256);
	w->weights = (const i8 *)weights;
}

static i32 expected(const struct work *w, unsigned tile, unsigned group, unsigned pixel, unsigned channel)
{
	u32 sum = 0;

	for (size_t k = 0; k < w->walk.row; k++)
		sum += (u32)(*field(w, tile, pixel, k) * w->weights[group * w->group_step + k / 4 * 4 * NPU_GROUP + channel * 4 + k % 4]);
	return (i32)sum;
}

static void check(struct work *w, const struct npu_tiles *tiles, unsigned round)
{
	const unsigned n = 1 + round % 2;

	memset(w->acc, 0xa5, sizeof(w->acc));
	tiles->begin(w->pixels);
	tiles->multiply(&w->walk, w->from[0], n > 1 ? w->from[1] : NULL, w->weights, w->group_step, w->acc[0][0][0]);
	tiles->end();
	for (unsigned t = 0; t < n; t++)
		for (unsigned g = 0; g < 2; g++)
			for (unsigned p = 0; p < w->pixels; p++)
				for (unsigned c = 0; c < NPU_GROUP; c++)
					cr_assert_eq(w->acc[t][g][p][c], expected(w, t, g, p, c), "round %u: %u pixels, row %zu: %u, %u, %u, %u", round,
						     w->pixels, w->walk.row, t, g, p, c);
}

Test(tiles, multiply_as_plain_sums_do)
{
	struct work *const w = aligned_alloc(64, sizeof(*w));
	struct rng r = { 5 };

	w->memory = mmap(NULL, MOST_BYTES + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert(w->memory != MAP_FAILED && mprotect(w->memory + MOST_BYTES, 4096, PROT_NONE) == 0);
	for (unsigned i = 0; i < 100; i++) {
		draw(w, &r);
		check(w, &npu_tiles_model, i);
		if (npu_tiles_allowed()) /* on other hosts the model is all that can be run */
			check(w, &npu_tiles_amx, i);
	}
	munmap(w->memory, MOST_BYTES + 4096);
	free(w);
}
#endif

Test(tiles, are_a_level_where_the_host_has_them)
{
	const struct npu_simd *amx = npu_simd_find("amx");

#if defined(__x86_64__)
	cr_assert_eq(amx != NULL, npu_simd_find("vnni") && npu_tiles_allowed());
#else
	cr_assert_null(amx);
#endif
}
