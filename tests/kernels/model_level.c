/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/kernels/model_level.h"

#include "npu/kernels/private.h"

extern const struct npu_tiles npu_tiles_model;

static unsigned long products; /* of all threads; atomic */

static void multiply(const struct npu_tiles_walk *w, const u8 *a, const u8 *b, const i8 *weights, size_t group_step, i32 *acc)
{
	__atomic_add_fetch(&products, 1, __ATOMIC_RELAXED);
	npu_tiles_model.multiply(w, a, b, weights, group_step, acc);
}

struct npu_kernels *model_level_kernels(const struct npu_config *config)
{
	static struct npu_simd level;
	static struct npu_tiles tiles;
	struct npu_kernels *k = npu_kernels_new(config, "vnni");

	if (!k)
		return NULL;
	tiles = (struct npu_tiles){ npu_tiles_model.begin, multiply, npu_tiles_model.end };
	level = *k->simd;
	level.name = "amx, a model";
	level.tiles = &tiles;
	k->simd = &level; /* weights are the same */
	return k;
}

unsigned long model_level_products(void)
{
	return __atomic_load_n(&products, __ATOMIC_RELAXED);
}
