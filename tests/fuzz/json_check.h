/* SPDX-License-Identifier: Apache-2.0 */
/* Is a text what RFC 8259 calls JSON, and UTF-8? */
#ifndef TESTS_FUZZ_JSON_CHECK_H
#define TESTS_FUZZ_JSON_CHECK_H

#include "memory/types.h"

/* NULL, or the place from which on it is not. */
const char *json_check(const char *text, size_t size);

#endif
