/* SPDX-License-Identifier: Apache-2.0 */
/* Short integer names and the few compiler extensions the project uses.
 * Every extension has a portable fallback, so that the code stays plain C11. */
#ifndef MEMORY_TYPES_H
#define MEMORY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

#if defined(__GNUC__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define ALWAYS_INLINE static inline
#define NOINLINE
#define PRINTF_LIKE(f, a)
#endif

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
