/* SPDX-License-Identifier: Apache-2.0 */
/* Depthwise, 16 channels at a time. Part of simd.c.
 *
 * The taps along x that one multiply takes are brought side by side once per input row; every
 * output row that uses the input row then reads them ready. 3x3 on VNNI: three multiplies per
 * 16 outputs. */

static void expand_i16(const struct npu_columns *c, const i16 *line, i16 *out)
{
	static const i16 none[NPU_GROUP];

	for (u32 k = 0; k < c->kernel_w; k += 2)
		for (u32 x = 0; x < c->width; x++, out += 2 * NPU_GROUP) {
			const i16 *a = line + (x * c->stride_w + k * c->dilation_w) * NPU_GROUP;
			const i16 *b = k + 1 < c->kernel_w ? a + c->dilation_w * NPU_GROUP : none;
#if SIMD_LEVEL >= 1
			for (unsigned h = 0; h < NPU_GROUP; h += 8) {
				__m128i va = _mm_loadu_si128((const void *)(a + h));
				__m128i vb = _mm_loadu_si128((const void *)(b + h));
				_mm_storeu_si128((void *)(out + 2 * h), _mm_unpacklo_epi16(va, vb));
				_mm_storeu_si128((void *)(out + 2 * h + 8), _mm_unpackhi_epi16(va, vb));
			}
#else
			for (unsigned i = 0; i < NPU_GROUP; i++) {
				out[2 * i] = a[i];
				out[2 * i + 1] = b[i];
			}
#endif
		}
}

static void depthwise_i16(const i16 *const *term, unsigned terms, unsigned pixels,
			  const i16 *weights, const i32 *bias, i32 *acc)
{
	for (unsigned p = 0; p < pixels; p++, acc += NPU_GROUP) {
#if SIMD_LEVEL >= 1
		vec a[VECS];
		UNROLL for (unsigned v = 0; v < VECS; v++)
			a[v] = vec_load(bias + v * LANES);
		for (unsigned t = 0; t < terms; t++) {
			const i16 *x = term[t] + p * 2 * NPU_GROUP, *w = weights + t * 2 * NPU_GROUP;
			UNROLL for (unsigned v = 0; v < VECS; v++)
				a[v] = vec_madd(a[v], vec_load(x + 2 * v * LANES),
						vec_load(w + 2 * v * LANES));
		}
		UNROLL for (unsigned v = 0; v < VECS; v++)
			vec_store(acc + v * LANES, a[v]);
#else
		u32 a[NPU_GROUP];
		memcpy(a, bias, sizeof(a));
		for (unsigned t = 0; t < terms; t++) {
			const i16 *x = term[t] + p * 2 * NPU_GROUP, *w = weights + t * 2 * NPU_GROUP;
			for (unsigned i = 0; i < NPU_GROUP; i++)
				a[i] += (u32)(x[2 * i] * w[2 * i]) + (u32)(x[2 * i + 1] * w[2 * i + 1]);
		}
		memcpy(acc, a, sizeof(a));
#endif
	}
}

#if SIMD_LEVEL == 3
/* Bytes of four positions, 16 channels each, to four bytes per channel. */
static inline __m512i channels_first(__m512i positions)
{
	const __m512i dwords = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	const __m512i bytes = _mm512_broadcast_i32x4(
		_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));

	return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(dwords, positions), bytes);
}

/* Taps beyond the kernel's width meet zero weights. */
static void expand_u8(const struct npu_columns *c, const u8 *line, u8 *out)
{
	size_t step = (size_t)c->stride_w * NPU_GROUP, tap = (size_t)c->dilation_w * NPU_GROUP;

	for (u32 k = 0; k < c->kernel_w; k += 4) {
		const u8 *from = line + k * tap;
		for (u32 x = 0; x < c->width; x++, from += step, out += 4 * NPU_GROUP) {
			__m512i v;
			if (tap == NPU_GROUP) {
				v = _mm512_loadu_si512(from);
			} else {
				u8 apart[4 * NPU_GROUP];
				for (unsigned t = 0; t < 4; t++)
					memcpy(apart + t * NPU_GROUP, from + t * tap, NPU_GROUP);
				v = _mm512_loadu_si512(apart);
			}
			_mm512_storeu_si512(out, channels_first(v));
		}
	}
}

static void depthwise_u8(const u8 *const *term, unsigned terms, unsigned pixels,
			 const i8 *weights, const i32 *bias, i32 *acc)
{
	__m512i b = _mm512_loadu_si512(bias);

	if (terms == 3) { /* 3x3: weights stay in registers */
		__m512i w0 = _mm512_loadu_si512(weights), w1 = _mm512_loadu_si512(weights + 64),
			w2 = _mm512_loadu_si512(weights + 128);
		for (unsigned p = 0; p < pixels; p++, acc += NPU_GROUP) {
			__m512i a = _mm512_dpbusd_epi32(b, _mm512_loadu_si512(term[0] + p * 64), w0);
			a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(term[1] + p * 64), w1);
			a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(term[2] + p * 64), w2);
			_mm512_storeu_si512(acc, a);
		}
		return;
	}
	for (unsigned p = 0; p < pixels; p++, acc += NPU_GROUP) {
		__m512i a = b;
		for (unsigned t = 0; t < terms; t++)
			a = _mm512_dpbusd_epi32(a, _mm512_loadu_si512(term[t] + p * 64),
						_mm512_loadu_si512(weights + t * 64));
		_mm512_storeu_si512(acc, a);
	}
}
#endif
