/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian numbers in files, on any host and at any alignment. */
#ifndef LOADER_BYTES_H
#define LOADER_BYTES_H

#include "memory/types.h"

/* The number whose lowest byte is at p. */
static inline u32 le32_at(const u8 *p)
{
	return p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

static inline u64 le64_at(const u8 *p)
{
	return le32_at(p) | (u64)le32_at(p + 4) << 32;
}

#endif
