/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a map to where receptive fields are taken from: channels together, as bytes of u8 panels; and where they lie. Part of simd.c. */

#if SIMD_LEVEL == 3
static void flip_bytes(u8 *to, const u8 *from, size_t n, u8 flip)
{
	const __m512i f = _mm512_set1_epi8((char)flip);
	size_t i = 0;

	for (; i + 64 <= n; i += 64)
		_mm512_storeu_si512(to + i, _mm512_xor_si512(_mm512_loadu_si512(from + i), f));
	if (i < n) {
		const __mmask64 rest = (UINT64_C(1) << (n - i)) - 1;
		_mm512_mask_storeu_epi8(to + i, rest, _mm512_xor_si512(_mm512_maskz_loadu_epi8(rest, from + i), f));
	}
}

ALWAYS_INLINE void flip_groups(u8 *to, const u8 *from, const struct npu_gather *g, u32 n, const i64 step)
{
	const __m128i f = _mm_set1_epi8((char)g->flip);
	const u32 depth = g->depth;
	const __mmask16 rest = (__mmask16)((1u << depth % NPU_GROUP) - 1);

	for (u32 c = 0; c + NPU_GROUP <= depth; c += NPU_GROUP, to += NPU_GROUP, from += g->stride_group)
		for (u32 i = 0; i < n; i++) {
			const __m128i v = _mm_loadu_si128((const void *)(from + i * step));
			_mm_storeu_si128((void *)(to + (size_t)i * depth), _mm_xor_si128(v, f));
		}
	for (u32 i = 0; rest && i < n; i++) {
		const __m128i v = _mm_maskz_loadu_epi8(rest, from + i * step);
		_mm_mask_storeu_epi8(to + (size_t)i * depth, rest, _mm_xor_si128(v, f));
	}
}

static void flip_pixels(u8 *to, const u8 *from, const struct npu_gather *g, u32 n)
{
	if (g->stride_x == NPU_GROUP)
		flip_groups(to, from, g, n, NPU_GROUP);
	else
		flip_groups(to, from, g, n, g->stride_x);
}

/* Where the pixels' fields and results lie; their number. */
static unsigned fields_pixels(const struct npu_fields *f, const struct npu_target *t, const u8 *pixel[NPU_TILE], u8 *to[NPU_TILE])
{
	const u8 *from = f->from;
	unsigned n = 0;
	u32 x = f->x;

	for (unsigned r = 0; r < t->runs; r++)
		for (unsigned done = 0, some; done < t->run[r].n; done += some) {
			const u32 left = t->run[r].n - done;
			u8 *const first = t->run[r].to + done * t->step;
			some = left < f->width - x ? left : f->width - x;
			for (unsigned i = 0; i < some; i++) {
				pixel[n + i] = from + i * f->step;
				to[n + i] = first + i * t->step;
			}
			n += some;
			from += some * f->step;
			x += some;
			if (x == f->width) {
				x = 0;
				from += f->skip;
			}
		}
	return n;
}
#endif
