/* SPDX-License-Identifier: Apache-2.0 */
/* What operators of the cortex_m dialect have in common: checks of their arguments, tensors of int8 as N, H, W, C. */
#ifndef RUNTIME_KERNELS_CORTEX_M_COMMON_H
#define RUNTIME_KERNELS_CORTEX_M_COMMON_H

#include "runtime/core/kernel.h"

/* Zero points and offsets may lie beyond int8: passes of the compiler fold constants into them. Products of two inputs
 * less their zero points stay within 32 bits. */
#define MOST_OFFSET 32767

/* Sizes of a tensor of four dimensions by meaning. */
struct nhwc {
	int32_t n, h, w, c;
};

/* Two numbers for height and width. */
struct pair {
	int32_t h, w;
};

/* False (after kernel_fail) unless the tensor is of int8. `what` names it. */
bool check_int8(struct kernel_context *c, const struct tensor *t, const char *what);

/* An integer argument within bounds. */
bool check_range(struct kernel_context *c, const struct value *v, int32_t low, int32_t high, const char *what, int32_t *to);

/* A list of two integers (one stands for both) within bounds. */
bool check_pair(struct kernel_context *c, const struct value *v, int32_t low, int32_t high, const char *what, struct pair *to);

/* The four sizes of a tensor of int8 with four dimensions. */
bool check_nhwc(struct kernel_context *c, const struct tensor *t, const char *what, struct nhwc *to);

/* `count` multipliers and shifts of 32 bits in two tensors. */
bool check_scales(struct kernel_context *c, const struct tensor *multipliers, const struct tensor *shifts, int32_t count);

/* One shift. */
bool check_shift(struct kernel_context *c, const struct value *v, int32_t *to);

/* An optional tensor of `count` int32; *to is NULL when it is missing. */
bool check_bias(struct kernel_context *c, const struct value *v, int32_t count, const int32_t **to);

/* Elements of an input in the order N, H, W, C: its own memory, or a copy in temporary memory. NULL after kernel_fail. */
const int8_t *nhwc_input(struct kernel_context *c, const struct tensor *t);

/* Where to write an output in the order N, H, W, C, and what brings it into the tensor afterwards. */
int8_t *nhwc_output(struct kernel_context *c, struct tensor *t);
void nhwc_output_done(struct tensor *t, const int8_t *written);

#endif
