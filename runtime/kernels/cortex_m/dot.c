/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/kernels/cortex_m/dot.h"
#include "runtime/kernels/cortex_m/requantize.h"

#if KERNEL_MVE

int32_t sum_int8(const int8_t *x, int32_t k)
{
	int32_t sum = 0;

	for (; k > 0; k -= 16, x += 16) {
		const mve_pred16_t lanes = vctp8q((uint32_t)k);

		sum = vaddvaq_p_s8(sum, vldrbq_z_s8(x, lanes), lanes);
	}
	return sum;
}

static int32_t dot_1(const int8_t *x, const int8_t *w, int32_t k, int32_t sum)
{
	for (; k > 0; k -= 16, x += 16, w += 16) {
		const mve_pred16_t lanes = vctp8q((uint32_t)k);

		sum = vmladavaq_p_s8(sum, vldrbq_z_s8(x, lanes), vldrbq_z_s8(w, lanes), lanes);
	}
	return sum;
}

/* Four rows. gcc 12 makes no tail-predicated loops (WLSTP, LETP) of intrinsics, hence assembly. */
static inline __attribute__((always_inline)) int32x4_t dot_4(const int8_t *x, const int8_t *w, int32_t k, int32_t pitch)
{
	const int8_t *w1 = w + pitch, *w2 = w1 + pitch, *w3 = w2 + pitch;
	int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	int32x4_t sums;

	__asm__("wlstp.8 lr, %[k], 2f\n"
		"1:\n\t"
		"vldrb.8 q0, [%[x]], #16\n\t"
		"vldrb.8 q1, [%[w0]], #16\n\t"
		"vmladava.s8 %[s0], q0, q1\n\t"
		"vldrb.8 q2, [%[w1]], #16\n\t"
		"vmladava.s8 %[s1], q0, q2\n\t"
		"vldrb.8 q1, [%[w2]], #16\n\t"
		"vmladava.s8 %[s2], q0, q1\n\t"
		"vldrb.8 q2, [%[w3]], #16\n\t"
		"vmladava.s8 %[s3], q0, q2\n\t"
		"letp lr, 1b\n"
		"2:\n\t"
		"vmov %q[sums][2], %q[sums][0], %[s0], %[s2]\n\t"
		"vmov %q[sums][3], %q[sums][1], %[s1], %[s3]\n"
		: [x] "+r"(x), [w0] "+r"(w), [w1] "+r"(w1), [w2] "+r"(w2), [w3] "+r"(w3), [s0] "+Te"(s0), [s1] "+Te"(s1),
		  [s2] "+Te"(s2), [s3] "+Te"(s3), [sums] "=w"(sums)
		: [k] "r"(k), "m"(*(const int8_t(*)[])x), "m"(*(const int8_t(*)[])w)
		: "q0", "q1", "q2", "lr", "cc");
	return sums;
}

/* Up to three rows, in the lanes from 0 on. */
static int32x4_t dot_some(const int8_t *x, const int8_t *w, int32_t rows, int32_t k, int32_t pitch)
{
	int32_t sums[4] __attribute__((aligned(16))) = { 0 };

	for (int32_t i = 0; i < rows; i++)
		sums[i] = dot_1(x, w + i * pitch, k, 0);
	return vld1q_s32(sums);
}

/* Whole blocks of four rows; returns the rows that are left. */
static inline __attribute__((always_inline)) int32_t dot_blocks(int8_t *out, const int8_t *x, const int8_t *weights, int32_t rows,
								int32_t k, const int32_t *initial, int32_t add,
								const struct scaling *s, bool only_right, int32_t pace)
{
	const int32_t *multipliers = s->multipliers, *shifts = s->shifts;
	const int32x4_t low = vdupq_n_s32(s->low), high = vdupq_n_s32(s->high);

	for (; rows >= 4; rows -= 4) {
		int32x4_t y = dot_4(x, weights, k, k);

		y = vaddq_n_s32(vaddq_s32(y, vldrwq_s32(initial)), add);
		if (only_right)
			y = requantize_right(y, vldrwq_s32(multipliers), vldrwq_s32(shifts));
		else
			y = requantize_4(y, vldrwq_s32(multipliers), vldrwq_s32(shifts));
		vstrbq_s32(out, vminq_s32(vmaxq_s32(vqaddq_n_s32(y, s->offset), low), high));
		weights += 4 * k;
		initial += 4;
		multipliers += 4 * pace;
		shifts += 4 * pace;
		out += 4;
	}
	return rows;
}

void dot_rows(int8_t *out, const int8_t *x, const int8_t *weights, int32_t rows, int32_t k, const int32_t *initial, int32_t add,
	      const struct scaling *s)
{
	int32_t left; /* each case gets a loop of its own */

	if (s->only_right)
		left = s->pace ? dot_blocks(out, x, weights, rows, k, initial, add, s, true, 1)
			       : dot_blocks(out, x, weights, rows, k, initial, add, s, true, 0);
	else
		left = s->pace ? dot_blocks(out, x, weights, rows, k, initial, add, s, false, 1)
			       : dot_blocks(out, x, weights, rows, k, initial, add, s, false, 0);
	if (left) {
		const mve_pred16_t lanes = vctp32q((uint32_t)left);
		const int32_t at = rows - left, scale_at = at * s->pace;
		const int32x4_t sums = vaddq_s32(dot_some(x, weights + at * k, left, k, k), vldrwq_z_s32(initial + at, lanes));
		const int32x4_t y = requantize_4(vaddq_n_s32(sums, add), vldrwq_z_s32(s->multipliers + scale_at, lanes),
						 vldrwq_z_s32(s->shifts + scale_at, lanes));

		vstrbq_p_s32(out + at, clamp_4(y, s->offset, s->low, s->high), lanes);
	}
}

void dot_accumulate(int32_t *accumulators, const int8_t *x, const int8_t *weights, int32_t rows, int32_t k, int32_t pitch)
{
	for (; rows >= 4; rows -= 4, accumulators += 4, weights += 4 * pitch)
		vstrwq_s32(accumulators, vaddq_s32(vldrwq_s32(accumulators), dot_4(x, weights, k, pitch)));
	for (int32_t i = 0; i < rows; i++)
		accumulators[i] = dot_1(x, weights + i * pitch, k, accumulators[i]);
}

void scale_channels(int8_t *out, const int32_t *accumulators, int32_t channels, const struct scaling *s)
{
	for (int32_t i = 0; i < channels; i += 4) {
		const mve_pred16_t lanes = vctp32q((uint32_t)(channels - i));
		const int32x4_t multipliers = vldrwq_z_s32(s->multipliers + i, lanes), shifts = vldrwq_z_s32(s->shifts + i, lanes);
		const int32x4_t y = requantize_4(vldrwq_z_s32(accumulators + i, lanes), multipliers, shifts);

		vstrbq_p_s32(out + i, clamp_4(y, s->offset, s->low, s->high), lanes);
	}
}

#else

int32_t sum_int8(const int8_t *x, int32_t k)
{
	int32_t sum = 0;

	for (int32_t i = 0; i < k; i++)
		sum += x[i];
	return sum;
}

/* Sums wrap at 32 bits, as the vector unit's do. */
static int32_t dot_1(const int8_t *x, const int8_t *w, int32_t k, int32_t sum)
{
	uint32_t total = (uint32_t)sum;

	for (int32_t i = 0; i < k; i++)
		total += (uint32_t)(x[i] * w[i]);
	return (int32_t)total;
}

void dot_rows(int8_t *out, const int8_t *x, const int8_t *weights, int32_t rows, int32_t k, const int32_t *initial, int32_t add,
	      const struct scaling *s)
{
	for (int32_t i = 0; i < rows; i++) {
		const int32_t from = (int32_t)((uint32_t)initial[i] + (uint32_t)add);
		const int32_t sum = dot_1(x, weights + i * k, k, from);

		out[i] = to_int8(requantize(sum, s->multipliers[i * s->pace], s->shifts[i * s->pace]), s->offset, s->low, s->high);
	}
}

void dot_accumulate(int32_t *accumulators, const int8_t *x, const int8_t *weights, int32_t rows, int32_t k, int32_t pitch)
{
	for (int32_t i = 0; i < rows; i++)
		accumulators[i] = dot_1(x, weights + i * pitch, k, accumulators[i]);
}

void scale_channels(int8_t *out, const int32_t *accumulators, int32_t channels, const struct scaling *s)
{
	for (int32_t i = 0; i < channels; i++)
		out[i] = to_int8(requantize(accumulators[i], s->multipliers[i], s->shifts[i]), s->offset, s->low, s->high);
}

#endif

void initial_values(int32_t *initial, const int32_t *bias, const int8_t *weights, int32_t rows, int32_t k, int32_t factor,
		    int32_t extra)
{
	for (int32_t i = 0; i < rows; i++) {
		const uint32_t sum = factor ? (uint32_t)sum_int8(weights + i * k, k) + (uint32_t)k * (uint32_t)extra : 0;

		initial[i] = (int32_t)((bias ? (uint32_t)bias[i] : 0) + (uint32_t)factor * sum);
	}
}
