/* SPDX-License-Identifier: Apache-2.0 */
/* What the inner loops need of a host: a vector of int32 lanes and a few operations.
 *
 *   LANES             int32 per vector; 16 / LANES vectors make a channel group
 *   PIXELS            pixels whose accumulators fit the registers beside the weights; of as
 *                     many groups: PIXELS_MOST, else _SOME, _FEW or one
 *   vec_madd(c, a, b) c + a.lo * b.lo + a.hi * b.hi per lane, int16 halves
 *   vec_pair(p)       two int16 at p in every lane
 *   vec_keep(v)       the value stays in its register: gcc would add up the products of several
 *                     steps first, for which there are no registers */
#ifndef NPU_KERNELS_SIMD_OPS_H
#define NPU_KERNELS_SIMD_OPS_H

#if !defined(__OPTIMIZE__)
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#if SIMD_LEVEL == 0
#define SIMD_NAME "c"
#define LANES 1
#define PIXELS 2
typedef i32 vec;
static inline vec vec_load(const void *p) { vec v; __builtin_memcpy(&v, p, sizeof(v)); return v; }
static inline void vec_store(void *p, vec v) { __builtin_memcpy(p, &v, sizeof(v)); }
static inline vec vec_pair(const i16 *p) { return vec_load(p); }
static inline vec vec_madd(vec c, vec a, vec b)
{
	u32 lo = (u32)((i16)a * (i16)b), hi = (u32)((a >> 16) * (b >> 16));
	return (i32)((u32)c + lo + hi);
}

#elif SIMD_LEVEL == 1
#include <emmintrin.h>
#define SIMD_NAME "sse2"
#define LANES 4
#define PIXELS 2
#define PIXELS_MOST(groups) ((groups) == 2 ? 1u : 2u)
#define PIXELS_SOME 1
#define PIXELS_FEW 1
typedef __m128i vec;
static inline vec vec_load(const void *p) { return _mm_loadu_si128(p); }
static inline void vec_store(void *p, vec v) { _mm_storeu_si128(p, v); }
static inline vec vec_pair(const i16 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm_set1_epi32(x); }
static inline vec vec_madd(vec c, vec a, vec b) { return _mm_add_epi32(c, _mm_madd_epi16(a, b)); }

#elif SIMD_LEVEL == 2
#include <immintrin.h>
#define SIMD_NAME "avx2"
#define LANES 8
#define PIXELS 6
#define PIXELS_MOST(groups) ((groups) == 2 ? 3u : 6u)
#define PIXELS_SOME 2
#define PIXELS_FEW 2
typedef __m256i vec;
static inline vec vec_load(const void *p) { return _mm256_loadu_si256(p); }
static inline void vec_store(void *p, vec v) { _mm256_storeu_si256(p, v); }
static inline vec vec_pair(const i16 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm256_set1_epi32(x); }
static inline vec vec_madd(vec c, vec a, vec b) { return _mm256_add_epi32(c, _mm256_madd_epi16(a, b)); }

#else
#include <immintrin.h>
#define SIMD_NAME "vnni"
#define LANES 16
#define PIXELS 14
#define PIXELS_MOST(groups) 14u
#define PIXELS_SOME 7
#define PIXELS_FEW 3
typedef __m512i vec;
static inline vec vec_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void vec_store(void *p, vec v) { _mm512_storeu_si512(p, v); }
static inline vec vec_pair(const i16 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm512_set1_epi32(x); }
static inline vec vec_madd(vec c, vec a, vec b) { return _mm512_dpwssd_epi32(c, a, b); }
static inline vec vec_quad(const u8 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm512_set1_epi32(x); }
static inline vec vec_dot(vec c, vec a, vec b) { return _mm512_dpbusd_epi32(c, a, b); }
#endif

#if SIMD_LEVEL == 3
#define vec_keep(v) __asm__("" : "+v"(v))
#elif SIMD_LEVEL >= 1
#define vec_keep(v) __asm__("" : "+x"(v))
#endif

#define VECS (NPU_GROUP / LANES) /* per channel group */

#endif
