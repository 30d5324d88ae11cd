/* SPDX-License-Identifier: Apache-2.0 */
/* What the inner loops need of a host: a vector of int32 lanes and a few operations.
 *
 *   LANES             int32 per vector; 16 / LANES vectors make a channel group
 *   PIXELS            pixels whose accumulators fit the registers beside the weights; of as
 *                     many vectors: PIXELS_MOST, else _SOME, _FEW or one
 *   vec_madd(c, a, b) c + a.lo * b.lo + a.hi * b.hi per lane, int16 halves
 *   vec_pair(p)       two int16 at p in every lane
 *   vec_quad(p)       four bytes at p in every lane
 *   vec_dot(c, a, b)  c + the four products of a's and b's bytes per lane; where there is one, USES_DOT
 *   pairs, quads      sums of such products on their way: from start() of LANES int32 on, value() at the end
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
#define PIXELS_MOST(vectors) ((vectors) == 8 ? 1u : 2u)
#define PIXELS_SOME 1
#define PIXELS_FEW 1
typedef __m128i vec;
static inline vec vec_load(const void *p) { return _mm_loadu_si128(p); }
static inline void vec_store(void *p, vec v) { _mm_storeu_si128(p, v); }
static inline vec vec_pair(const i16 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm_set1_epi32(x); }
static inline vec vec_madd(vec c, vec a, vec b) { return _mm_add_epi32(c, _mm_madd_epi16(a, b)); }

#elif SIMD_LEVEL == 2
#include "npu/kernels/intrinsics.h"
#define SIMD_NAME "avx2"
#define LANES 8
#define PIXELS 6
#define PIXELS_MOST(vectors) ((vectors) == 4 ? 3u : (vectors) == 3 ? 4u : 6u)
#define PIXELS_SOME 2
#define PIXELS_FEW 2
typedef __m256i vec;
static inline vec vec_load(const void *p) { return _mm256_loadu_si256(p); }
static inline void vec_store(void *p, vec v) { _mm256_storeu_si256(p, v); }
static inline vec vec_pair(const i16 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm256_set1_epi32(x); }
static inline vec vec_madd(vec c, vec a, vec b) { return _mm256_add_epi32(c, _mm256_madd_epi16(a, b)); }

#elif SIMD_LEVEL == 3
#include "npu/kernels/intrinsics.h"
#define SIMD_NAME "vnni"
#define USES_DOT
#define LANES 16
#define PIXELS 14
#define PIXELS_MOST(vectors) ((vectors) == 2 ? 7u : 14u) /* more of two groups take no less time */
#define quads_MOST PIXELS_MOST
#define PIXELS_SOME 7
#define PIXELS_FEW 3
typedef __m512i vec;
static inline vec vec_load(const void *p) { return _mm512_loadu_si512(p); }
static inline void vec_store(void *p, vec v) { _mm512_storeu_si512(p, v); }
static inline vec vec_pair(const i16 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm512_set1_epi32(x); }
static inline vec vec_madd(vec c, vec a, vec b) { return _mm512_dpwssd_epi32(c, a, b); }
static inline vec vec_quad(const u8 *p) { i32 x; __builtin_memcpy(&x, p, 4); return _mm512_set1_epi32(x); }
static inline vec vec_dot(vec c, vec a, vec b) { return _mm512_dpbusd_epi32(c, a, b); }

#else
#include <arm_neon.h>
#define USES_NEON
#if SIMD_LEVEL == 4
#define SIMD_NAME "neon"
#else
#define SIMD_NAME "dotprod"
#define USES_DOT
#endif
#define LANES 4
#define PIXELS 6
typedef int32x4_t vec;
static inline vec vec_load(const void *p) { return vreinterpretq_s32_u8(vld1q_u8(p)); }
static inline void vec_store(void *p, vec v) { vst1q_u8(p, vreinterpretq_u8_s32(v)); }
static inline vec vec_pair(const i16 *p) { i32 x; __builtin_memcpy(&x, p, 4); return vdupq_n_s32(x); }

/* Even and odd taps in lanes of their own, two vectors for one of channels: to add the two up at the end takes less than
 * to do it for each product. */
typedef struct { vec low, high; } pairs;
static inline pairs pairs_start(const i32 *p)
{
	const vec v = vec_load(p), none = vdupq_n_s32(0);
	return (pairs){ vzip1q_s32(v, none), vzip2q_s32(v, none) };
}
static inline vec pairs_value(pairs s) { return vpaddq_s32(s.low, s.high); }
static inline pairs vec_madd(pairs c, vec a, vec b)
{
	const int16x8_t x = vreinterpretq_s16_s32(a), w = vreinterpretq_s16_s32(b);
	return (pairs){ vmlal_s16(c.low, vget_low_s16(x), vget_low_s16(w)), vmlal_high_s16(c.high, x, w) };
}
/* Of 32 registers 24 are sums: of one group, six pixels of them or three with two registers each. */
#define pairs_MOST(vectors) 3u
#define pairs_SOME 2
#define pairs_FEW 2
#if SIMD_LEVEL == 5
#define quads_MOST(vectors) 6u
#define quads_SOME 4
#define quads_FEW 2
static inline vec vec_quad(const u8 *p) { i32 x; __builtin_memcpy(&x, p, 4); return vdupq_n_s32(x); }
static inline vec vec_dot(vec c, vec a, vec b) { return vdotq_s32(c, vreinterpretq_s8_s32(a), vreinterpretq_s8_s32(b)); }
#endif
#endif

#if SIMD_LEVEL == 3
#define vec_keep(v) __asm__("" : "+v"(v))
#elif SIMD_LEVEL >= 1 && SIMD_LEVEL < 4
#define vec_keep(v) __asm__("" : "+x"(v))
#elif SIMD_LEVEL >= 4
#define vec_keep(v) ((void)0) /* its instructions add themselves */
#endif

#ifndef USES_NEON
typedef vec pairs;
#define pairs_start vec_load
#define pairs_value(s) (s)
#define pairs_MOST PIXELS_MOST
#define pairs_SOME PIXELS_SOME
#define pairs_FEW PIXELS_FEW
#define quads_SOME PIXELS_SOME
#define quads_FEW PIXELS_FEW
#endif
#ifdef USES_DOT
typedef vec quads;
#define quads_start vec_load
#define quads_value(s) (s)
#endif

#define VECS (NPU_GROUP / LANES) /* per channel group */

#endif
