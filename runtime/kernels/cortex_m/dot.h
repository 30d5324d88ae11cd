/* SPDX-License-Identifier: Apache-2.0 */
/* Products of int8 vectors with rows of a matrix: the inner loop of linear layers, matrix products and convolutions.
 *
 * A row of the matrix belongs to an output channel. Four channels are computed at once, so that each load of the input
 * serves four products. Offsets (zero points) are not added to elements: sum((x + a) * w) is sum(x * w) + a * sum(w), and
 * the last term is part of each channel's initial value. */
#ifndef RUNTIME_KERNELS_CORTEX_M_DOT_H
#define RUNTIME_KERNELS_CORTEX_M_DOT_H

#include <stdbool.h>
#include <stdint.h>

/* How accumulators become int8. */
struct scaling {
	const int32_t *multipliers, *shifts; /* of channel i: [i * pace] */
	int32_t pace;                        /* 1; 0: all channels have the same, of which there are four copies */
	int32_t offset, low, high;
	bool only_right;                     /* no shift is to the left */
};

/* Sum of k elements. */
int32_t sum_int8(const int8_t *x, int32_t k);

/* initial[i] = (bias ? bias[i] : 0) + factor * (sum of row i + k * extra) for `rows` rows of k weights. */
void initial_values(int32_t *initial, const int32_t *bias, const int8_t *weights, int32_t rows, int32_t k, int32_t factor,
		    int32_t extra);

/* out[i] = int8 of initial[i] + add + x . row i, for `rows` rows of k weights. */
void dot_rows(int8_t *out, const int8_t *x, const int8_t *weights, int32_t rows, int32_t k, const int32_t *initial, int32_t add,
	      const struct scaling *s);

/* accumulators[i] += x . row i, for `rows` rows of k weights, `pitch` bytes apart. */
void dot_accumulate(int32_t *accumulators, const int8_t *x, const int8_t *weights, int32_t rows, int32_t k, int32_t pitch);

/* out[i] = int8 of accumulators[i]; the scaling is per channel. */
void scale_channels(int8_t *out, const int32_t *accumulators, int32_t channels, const struct scaling *s);

#endif
