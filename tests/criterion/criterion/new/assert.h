/* SPDX-License-Identifier: Apache-2.0 */
/* Criterion's comparisons by type, in cr_assert and cr_expect; see criterion.h beside this folder. */
#ifndef CRITERION_NEW_ASSERT_H
#define CRITERION_NEW_ASSERT_H

#include <stdint.h>

#include "../criterion.h"

#define CRITERION_TYPE_(name, type) \
	static inline int criterion_compare_##name(type a, type b) { return (a > b) - (a < b); }
CRITERION_TYPE_(int, int)
CRITERION_TYPE_(uint, unsigned)
CRITERION_TYPE_(u8, uint8_t)
CRITERION_TYPE_(u16, uint16_t)
CRITERION_TYPE_(u32, uint32_t)
CRITERION_TYPE_(u64, uint64_t)
CRITERION_TYPE_(sz, size_t)
CRITERION_TYPE_(ptr, const void *)
static inline int criterion_compare_str(const char *a, const char *b) { return strcmp(a, b); }

#define eq(type, a, b) (criterion_compare_##type(a, b) == 0)
#define ne(type, a, b) (criterion_compare_##type(a, b) != 0)
#define lt(type, a, b) (criterion_compare_##type(a, b) < 0)
#define le(type, a, b) (criterion_compare_##type(a, b) <= 0)
#define gt(type, a, b) (criterion_compare_##type(a, b) > 0)
#define zero(type, a) eq(type, a, 0)
#define not(a) (!(a))

#endif
