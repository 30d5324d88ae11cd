/* SPDX-License-Identifier: Apache-2.0 */
/* IEEE 754 arithmetic with Arm's choices (Arm ARM DDI0553, "Floating-point support", FPAdd, FPMul,
 * FPMulAdd, FPRoundBase, ...): exact, in integers, independent of the host's FPU.
 *
 * Values are bit patterns in the low bits of a u32/u64. `fpscr` gives the modes (AHP, DN, FZ, RMode,
 * FZ16) and receives the cumulative flags; other bits are left alone. Tininess is detected before
 * rounding. Private to cpu/. */
#ifndef CPU_FP_FP_H
#define CPU_FP_FP_H

#include "memory/types.h"

enum fpscr_bits {
	FPSCR_IOC = 1, FPSCR_DZC = 2, FPSCR_OFC = 4, FPSCR_UFC = 8, FPSCR_IXC = 16, FPSCR_IDC = 128,
	FPSCR_FLAGS = 0x9f,
	FPSCR_FZ16 = 1 << 19, FPSCR_RMODE = 3 << 22, FPSCR_FZ = 1 << 24, FPSCR_DN = 1 << 25,
	FPSCR_AHP = 1 << 26, FPSCR_QC = 1 << 27,
};
#define FPSCR_V (1u << 28)
#define FPSCR_C (1u << 29)
#define FPSCR_Z (1u << 30)
#define FPSCR_N (1u << 31)

/* 0..3 as FPSCR.RMode; away: to nearest, ties away from zero. */
enum fp_round { ROUND_NEAREST, ROUND_PLUS, ROUND_MINUS, ROUND_ZERO, ROUND_AWAY };

static inline enum fp_round fp_mode(u32 fpscr) { return (enum fp_round)(fpscr >> 22 & 3); }

#define FP_FORMAT_FUNCTIONS(bits, T) \
	T fp##bits##_add(T a, T b, u32 *fpscr); \
	T fp##bits##_sub(T a, T b, u32 *fpscr); \
	T fp##bits##_mul(T a, T b, u32 *fpscr); \
	T fp##bits##_div(T a, T b, u32 *fpscr); \
	T fp##bits##_sqrt(T a, u32 *fpscr); \
	/* addend + a * b, rounded once */ \
	T fp##bits##_fma(T addend, T a, T b, u32 *fpscr); \
	/* maxNum and minNum of IEEE 754-2008 */ \
	T fp##bits##_maxnm(T a, T b, u32 *fpscr); \
	T fp##bits##_minnm(T a, T b, u32 *fpscr); \
	/* N Z C V in bits 31:28; quiet NaNs are invalid too when `signalling` */ \
	u32 fp##bits##_compare(T a, T b, bool signalling, u32 *fpscr); \
	/* to an integral value; `exact`: raises Inexact (VRINTX) */ \
	T fp##bits##_round_int(T a, enum fp_round mode, bool exact, u32 *fpscr); \
	/* a * 2^fraction as an integer of `width` bits (16 or 32), saturated, sign-extended if signed */ \
	u32 fp##bits##_to_fixed(T a, unsigned fraction, unsigned width, bool is_unsigned, \
				enum fp_round mode, u32 *fpscr); \
	/* value / 2^fraction */ \
	T fp##bits##_from_fixed(i64 value, unsigned fraction, enum fp_round mode, u32 *fpscr);

FP_FORMAT_FUNCTIONS(16, u32)
FP_FORMAT_FUNCTIONS(32, u32)
FP_FORMAT_FUNCTIONS(64, u64)
#undef FP_FORMAT_FUNCTIONS

/* Conversions between formats; half precision follows AHP and ignores FZ16. */
u32 fp16_to_fp32(u32 a, u32 *fpscr);
u64 fp16_to_fp64(u32 a, u32 *fpscr);
u32 fp32_to_fp16(u32 a, u32 *fpscr);
u64 fp32_to_fp64(u32 a, u32 *fpscr);
u32 fp64_to_fp16(u64 a, u32 *fpscr);
u32 fp64_to_fp32(u64 a, u32 *fpscr);

/* Constant of VMOV (immediate): VFPExpandImm of an 8-bit immediate. */
u32 fp16_expand(u32 imm8);
u32 fp32_expand(u32 imm8);
u64 fp64_expand(u32 imm8);

#endif
