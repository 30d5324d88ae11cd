/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction levels this host has. */
#include <string.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "npu/kernels/simd.h"

extern const struct npu_simd npu_simd_level0;
#if defined(__x86_64__)
extern const struct npu_simd npu_simd_level1, npu_simd_level2, npu_simd_level3;
#elif defined(__aarch64__)
extern const struct npu_simd npu_simd_level4, npu_simd_level5;
#define HAS_DOTPROD (1ul << 20) /* HWCAP_ASIMDDP of asm/hwcap.h, which old ones lack */
#endif

#if defined(__x86_64__)
enum npu_weights_status npu_weights_next_host(struct npu_weights_decoder *d, const void **weights,
					      size_t *count)
{
	/* these have the instructions, but in microcode */
	bool slow = __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
	bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
		    __builtin_cpu_supports("popcnt") && !slow;

	return (fast ? npu_weights_next_bmi2 : npu_weights_next)(d, weights, count);
}

enum npu_weights_status npu_weights_next_avx512(struct npu_weights_decoder *d, const void **weights, size_t *count)
{
	const bool wide = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
			  __builtin_cpu_supports("avx512bitalg");

	return (wide ? npu_weights_next_wide : npu_weights_next_bmi2)(d, weights, count);
}
#endif

unsigned npu_simd_list(const struct npu_simd *levels[8])
{
	unsigned n = 0;

#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
	    __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("bmi2") &&
	    __builtin_cpu_supports("popcnt"))
		levels[n++] = &npu_simd_level3;
	if (__builtin_cpu_supports("avx2"))
		levels[n++] = &npu_simd_level2;
	levels[n++] = &npu_simd_level1;
#elif defined(__aarch64__)
	if (getauxval(AT_HWCAP) & HAS_DOTPROD)
		levels[n++] = &npu_simd_level5;
	levels[n++] = &npu_simd_level4;
#endif
	levels[n++] = &npu_simd_level0;
	return n;
}

const struct npu_simd *npu_simd_find(const char *name)
{
	const struct npu_simd *levels[8];
	unsigned n = npu_simd_list(levels);

	if (!name || strcmp(name, "auto") == 0)
		return levels[0];
	for (unsigned i = 0; i < n; i++)
		if (strcmp(name, levels[i]->name) == 0)
			return levels[i];
	return NULL;
}
