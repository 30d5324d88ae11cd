/* SPDX-License-Identifier: Apache-2.0 */
/* A sum of bytes that tells damage from what was written: not for what somebody forges. */
#ifndef SIM_CHECKSUM_H
#define SIM_CHECKSUM_H

#include <stddef.h>

#include "memory/types.h"

/* Of `size` bytes, begun with `sum`: the sum of what stands before them, or 0. No change of a single word goes unseen. */
u64 checksum(u64 sum, const void *bytes, size_t size);

#endif
