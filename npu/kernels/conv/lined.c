/* SPDX-License-Identifier: Apache-2.0 */
#include "npu/kernels/conv/lined.h"

#include "npu/kernels/simd/simd.h"

#define SET 4 /* weights of a channel that are multiplied together */

static size_t line_of(const struct npu_packed_key *key)
{
	return (size_t)key->shape.kw * key->shape.id;
}

/* Longer rows go by blocks, which read panels. */
size_t npu_lined_row(const struct npu_packed_key *key)
{
	const size_t line = line_of(key);

	if (key->abreast || key->shape.depthwise || key->taps != SET || key->shape.ifm_bits != 8 || key->phase || key->shape.kh == 1 || line % SET == 0 ||
	    line >= NPU_BLOCK_ROW / key->shape.kh)
		return 0;
	return key->shape.kh * ((line + SET - 1) / SET * SET);
}

/* Of a group's weight k of its first channel. */
static size_t place_of(size_t k)
{
	return k / SET * SET * NPU_GROUP + k % SET;
}

void npu_lined_fill(struct npu_packed *s)
{
	const size_t line = line_of(&s->key), row = npu_lined_row(&s->key);
	const u32 groups = (s->key.shape.od + NPU_GROUP - 1) / NPU_GROUP;

	for (u32 g = 0; s->lined && g < groups; g++) {
		const i8 *const from = (const i8 *)s->weights + g * s->group_step;
		i8 *const to = s->lined + g * row * NPU_GROUP;
		for (u32 y = 0; y < s->key.shape.kh; y++)
			for (size_t k = 0; k < line; k++)
				for (size_t c = 0; c < NPU_GROUP * SET; c += SET)
					to[place_of(y * row / s->key.shape.kh + k) + c] = from[place_of(y * line + k) + c];
	}
}
