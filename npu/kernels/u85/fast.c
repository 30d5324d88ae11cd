/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the fast format; see fast.h. */
#include "npu/kernels/u85/fast.h"

#include <string.h>

#include "npu/kernels/weights/decoder.h"

void npu85_fast_start(struct npu_weights_decoder *d, const struct npu85_fast *f, unsigned stream)
{
	d->fast = f;
	d->stream = stream;
	d->pos = 0;
	d->bits = 0;
	d->narrow = false;
}

/* As npu_weights_bits(). */
static u16 bits_of(const u8 *w, size_t n)
{
	typedef i8 i8x16 __attribute__((vector_size(16)));
	i8x16 all = { 0 }, v;
	u8 bits = 0;

	for (; n >= sizeof(v); n -= sizeof(v), w += sizeof(v)) {
		memcpy(&v, w, sizeof(v));
		all |= v ^ (v >> 7);
	}
	for (size_t i = 0; i < n; i++)
		bits |= (u8)(w[i] ^ ((i8)w[i] >> 7));
	for (size_t i = 0; i < sizeof(v); i++)
		bits |= (u8)all[i];
	return bits;
}

enum npu_weights_status npu85_fast_next(struct npu_weights_decoder *d, const void **weights, size_t *count)
{
	size_t n = SLICE_MAX;
	const u8 *bytes = d->narrow ? npu85_fast_bytes(d->fast, d->stream, d->pos, &n) : NULL;

	*weights = bytes ? (const void *)bytes : d->expanded;
	*count = bytes ? n : npu85_fast_read(d->fast, d->stream, d->pos, SLICE_MAX, d->expanded);
	d->pos += *count;
	d->bits |= bytes ? bits_of(bytes, n) : npu_weights_bits(d->expanded, *count);
	if (d->narrow && !bytes)
		npu_weights_to_bytes(d->expanded, *count);
	return NPU_WEIGHTS_OK;
}
