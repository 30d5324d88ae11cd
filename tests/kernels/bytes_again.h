/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams decoded to bytes, as packing takes them. */
#ifndef TESTS_KERNELS_BYTES_AGAIN_H
#define TESTS_KERNELS_BYTES_AGAIN_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "npu/kernels/simd/simd.h"
#include "npu/kernels/weights/weights.h"

/* The level's decoder delivers the lower bytes of these n weights, with which a legal stream begins. */
static inline void decoded_to_bytes(const struct npu_simd *level, const struct npu_weights_tables *t, const u8 *stream, u32 bytes,
				    const i16 *weights, size_t n)
{
	struct npu_weights_decoder *d = npu_weights_decoder_new();
	const void *piece;
	size_t have;

	npu_weights_start(d, t, stream, bytes);
	npu_weights_narrow(d);
	for (size_t at = 0; at < n; at += have) {
		const enum npu_weights_status status = level->next(d, &piece, &have);
		if (status == NPU_WEIGHTS_LONG)
			break; /* the plain decoder's */
		cr_assert(status == NPU_WEIGHTS_OK && have, "%s: status %d after %zu of %zu", level->name, (int)status, at, n);
		for (size_t i = 0; i < have && at + i < n; i++)
			cr_assert_eq(((const i8 *)piece)[i], (i8)weights[at + i], "%s: weight %zu of %zu", level->name, at + i, n);
	}
	npu_weights_decoder_free(d);
}

#endif
