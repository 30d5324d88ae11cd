/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions the host's processor has. The C library has asked already; in a virtual machine each question takes 6 us, and
 * what compilers bring for it asks ten times in every process. */
#ifndef MEMORY_HOST_CPU_H
#define MEMORY_HOST_CPU_H

#include "memory/types.h"

#if defined(__x86_64__)

#if defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h> /* glibc 2.33 */
#endif
#endif

#if defined(CPU_FEATURE_ACTIVE)
/* What CPU_FEATURE_ACTIVE() says: its header shifts 1 to the left by 31, which no int holds. */
static inline bool host_cpu_active(unsigned index)
{
	return __x86_get_cpuid_feature_leaf(index / 128)->active_array[index % 128 / 32] >> index % 32 & 1;
}

/* HOST_HAS(AVX2): may be used. */
#define HOST_HAS(name) host_cpu_active(x86_cpu_##name)
#else
#define HOST_HAS(name) (__builtin_cpu_supports(HOST_NAME_##name) != 0)
#define HOST_NAME_AVX2 "avx2"
#define HOST_NAME_BMI2 "bmi2"
#define HOST_NAME_FMA "fma"
#define HOST_NAME_POPCNT "popcnt"
#define HOST_NAME_AVX512F "avx512f"
#define HOST_NAME_AVX512BW "avx512bw"
#define HOST_NAME_AVX512DQ "avx512dq"
#define HOST_NAME_AVX512VL "avx512vl"
#define HOST_NAME_AVX512_BITALG "avx512bitalg"
#define HOST_NAME_AVX512_VBMI "avx512vbmi"
#define HOST_NAME_AVX512_VBMI2 "avx512vbmi2"
#define HOST_NAME_AVX512_VNNI "avx512vnni"
#endif

/* The first two generations of Zen (family 17h) spread and gather bits in microcode. */
static inline bool host_spreads_bits_slowly(void)
{
#if defined(CPU_FEATURE_ACTIVE)
	const u32 version = __x86_get_cpuid_feature_leaf(CPUID_INDEX_1)->cpuid_array[0];

	return (version >> 8 & 0xf) == 0xf && (version >> 20 & 0xff) == 0x8;
#else
	return __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
#endif
}

#endif

#endif
