/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two U85 have kept the same beyond an operation, whatever the order of it in memory. */
#ifndef TESTS_KERNELS_CARRY85_H
#define TESTS_KERNELS_CARRY85_H

#include <stdlib.h>
#include <string.h>

#include "npu/u85/u85.h"

static inline bool same_tensor(const struct npu85_tensor *a, const struct npu85_tensor *b)
{
	const size_t count = (size_t)a->height * a->width * a->depth;

	if (a->height != b->height || a->width != b->width || a->depth != b->depth || a->bytes != b->bytes || a->is_signed != b->is_signed)
		return false;
	for (size_t i = 0; i < count; i++)
		if (npu85_tensor_get(a, i) != npu85_tensor_get(b, i))
			return false;
	u8 *const copies = malloc(2 * count * a->bytes + 1);
	npu85_tensor_copy(a, copies);
	npu85_tensor_copy(b, copies + count * a->bytes);
	const bool same = memcmp(copies, copies + count * a->bytes, count * a->bytes) == 0;
	free(copies);
	return same;
}

static inline bool same_carry(const struct npu85_carry *a, const struct npu85_carry *b)
{
	bool same = a->flag == b->flag && same_tensor(&a->accumulators, &b->accumulators);

	for (unsigned i = 0; i < NPU85_CHAINS; i++)
		same &= same_tensor(&a->chain[i], &b->chain[i]);
	return same;
}

#endif
