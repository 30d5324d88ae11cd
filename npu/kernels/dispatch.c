/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction levels this host has. */
#include <string.h>
#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "memory/host_cpu.h"
#include "npu/kernels/simd/simd.h"

extern const struct npu_simd npu_simd_level0;
#if defined(__x86_64__)
extern const struct npu_simd npu_simd_level1, npu_simd_level2, npu_simd_level3, npu_simd_amx;
#elif defined(__aarch64__)
extern const struct npu_simd npu_simd_level4, npu_simd_level5;
#define HAS_DOTPROD (1ul << 20) /* HWCAP_ASIMDDP of asm/hwcap.h, which old ones lack */
#endif

#if defined(__x86_64__)
enum npu_weights_status npu_weights_next_host(struct npu_weights_decoder *d, const void **weights,
					      size_t *count)
{
	const bool fast = HOST_HAS(AVX2) && HOST_HAS(BMI2) && HOST_HAS(POPCNT) && !host_spreads_bits_slowly();

	return (fast ? npu_weights_next_bmi2 : npu_weights_next)(d, weights, count);
}

enum npu_weights_status npu_weights_next_avx512(struct npu_weights_decoder *d, const void **weights, size_t *count)
{
	const bool wide = HOST_HAS(AVX512_VBMI) && HOST_HAS(AVX512_VBMI2) && HOST_HAS(AVX512_BITALG);

	return (wide ? npu_weights_next_wide : npu_weights_next_bmi2)(d, weights, count);
}

#define ARCH_REQ_XCOMP_PERM 0x1023 /* asm/prctl.h of Linux 5.16 and later */
#define XFEATURE_XTILEDATA 18

bool npu_tiles_allowed(void)
{
#if defined(CPU_FEATURE_ACTIVE)
	return HOST_HAS(AMX_TILE) && HOST_HAS(AMX_INT8) && syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
#else
	return false; /* clang 14 has no name for it */
#endif
}
#endif

unsigned npu_simd_list(const struct npu_simd *levels[8])
{
	unsigned n = 0;

#if defined(__x86_64__)
	if (HOST_HAS(AVX512F) && HOST_HAS(AVX512BW) && HOST_HAS(AVX512VL) && HOST_HAS(AVX512DQ) && HOST_HAS(AVX512_VNNI) &&
	    HOST_HAS(BMI2) && HOST_HAS(POPCNT)) {
		if (npu_tiles_allowed())
			levels[n++] = &npu_simd_amx;
		levels[n++] = &npu_simd_level3;
	}
	if (HOST_HAS(AVX2) && HOST_HAS(FMA))
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
