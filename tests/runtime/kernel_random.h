/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_RUNTIME_KERNEL_RANDOM_H
#define TESTS_RUNTIME_KERNEL_RANDOM_H

/* Nine kernels per round with random operands; prints a line with a digest for each call. */
void kernel_random(unsigned rounds, void (*print)(const char *line));

#endif
