/* SPDX-License-Identifier: Apache-2.0 */
/* Intrinsics of x86-64 hosts up to what the build asks for. gcc's immintrin.h declares those of all processors there are, each set
 * under a pragma of its own where the build does not ask for it, and takes 0.3 s of an object with AVX2 and 0.2 s with AVX-512; its parts that
 * are used here take 0.05 and 0.12 s. They want to be read by that header, whose guard stands for it. */
#ifndef NPU_KERNELS_INTRINSICS_H
#define NPU_KERNELS_INTRINSICS_H

#if defined(__clang__) || !__has_include(<avx512vnniintrin.h>) || !__has_include(<x86gprintrin.h>)
#include <immintrin.h>
#else
#define _IMMINTRIN_H_INCLUDED
#include <x86gprintrin.h> /* BMI */
#include <smmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#ifdef __FMA__
#include <fmaintrin.h>
#endif
#ifdef __AVX512F__
#include <avx512fintrin.h>
#include <avx512vlintrin.h>
#include <avx512bwintrin.h>
#include <avx512dqintrin.h>
#include <avx512vlbwintrin.h>
#include <avx512vldqintrin.h>
#include <avx512vbmiintrin.h>
#include <avx512vnniintrin.h>
#endif
#ifdef __AVX512VBMI2__
#include <avx512bitalgintrin.h>
#include <avx512vbmi2intrin.h>
#endif
#endif

#endif
