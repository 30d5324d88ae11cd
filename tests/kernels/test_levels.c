/* SPDX-License-Identifier: Apache-2.0 */
/* The host's instruction levels by name: those of this processor, best first, and none of the other one. */
#include <criterion/criterion.h>
#include <string.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "npu/kernels/simd/simd.h"

#if defined(__aarch64__)
static const char *const own[] = { "neon", "c" }, *const foreign[] = { "sse2", "avx2", "vnni", "amx", "mmx", "" };
#elif defined(__x86_64__)
static const char *const own[] = { "sse2", "c" }, *const foreign[] = { "neon", "dotprod", "mmx", "" };
#else
static const char *const own[] = { "c" }, *const foreign[] = { "sse2", "avx2", "vnni", "amx", "neon", "dotprod", "mmx", "" };
#endif

Test(levels, have_names)
{
	const struct npu_simd *level[8];
	const unsigned n = npu_simd_list(level);

	cr_assert(n >= ARRAY_LEN(own) && n <= ARRAY_LEN(level));
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(npu_simd_find(level[i]->name), level[i], "%s", level[i]->name);
	for (unsigned i = 0; i < ARRAY_LEN(own); i++)
		cr_expect_str_eq(level[n - ARRAY_LEN(own) + i]->name, own[i]);
	for (unsigned i = 0; i < ARRAY_LEN(foreign); i++)
		cr_expect(!npu_simd_find(foreign[i]), "'%s'", foreign[i]);
	cr_expect_eq(npu_simd_find(NULL), level[0]);
	cr_expect_eq(npu_simd_find("auto"), level[0]);
}

/* Who has products of bytes has all that goes with them. */
Test(levels, have_kernels_of_bytes_or_none)
{
	const struct npu_simd *level[8];

	for (unsigned i = 0, n = npu_simd_list(level); i < n; i++) {
		const struct npu_simd *s = level[i];
		const unsigned members = !!s->gemm_u8 + !!s->layer_u8 + !!s->expand_u8 + !!s->depthwise_u8;
		cr_expect(members == 0 || members == 4, "%s: %u", s->name, members);
		cr_expect_eq(s->sums_i8 != NULL, s->gemm_u8 || s->vector_input, "%s", s->name);
		cr_expect(!s->vector_input || (!s->gemm_u8 && s->vector_u8 && s->vector_i16 && s->less_128), "%s", s->name);
		cr_expect(!s->window_u8 || s->put_groups, "%s", s->name);
		cr_expect(!s->layer_fields || (s->flip_bytes && s->flip_pixels), "%s", s->name);
	}
}

#if defined(__aarch64__)
Test(levels, dot_product_where_the_host_has_it)
{
	const bool has = getauxval(AT_HWCAP) >> 20 & 1; /* asimddp of /proc/cpuinfo */

	cr_expect_eq(npu_simd_find("dotprod") != NULL, has);
	cr_expect_str_eq(npu_simd_find(NULL)->name, has ? "dotprod" : "neon");
}
#endif
