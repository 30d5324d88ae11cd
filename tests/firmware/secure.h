/* SPDX-License-Identifier: Apache-2.0 */
/* What the Secure program offers to the Non-secure one. */
#ifndef TESTS_FIRMWARE_SECURE_H
#define TESTS_FIRMWARE_SECURE_H

#include <stdint.h>

typedef void (*visitor)(uint32_t number);

uint32_t secure_add(uint32_t a, uint32_t b);       /* entry with state of its own: returns the sum of all sums */
float secure_scale(float x);                       /* floating-point argument and result */
int secure_checksum(const uint8_t *p, uint32_t n); /* -1 when the caller may not read that memory */
void secure_visit(visitor v, uint32_t count);      /* calls back into the Non-secure state */
void secure_expect_fault(uint32_t addr);           /* the next access of that address is refused */
uint32_t secure_faults(void);
void secure_print(const char *text);
void secure_exit(uint32_t status);

#endif
