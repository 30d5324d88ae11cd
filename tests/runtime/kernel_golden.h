/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_RUNTIME_GOLDEN_H
#define TESTS_RUNTIME_GOLDEN_H

#include <stdint.h>

/* Runs all cases of a file of kernel_golden.py; a line for each that fails. Returns how many there were. */
unsigned golden_run(const uint8_t *file, const uint8_t *end, void (*report)(const char *line), unsigned *failed);

#endif
