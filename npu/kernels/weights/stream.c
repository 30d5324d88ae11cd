/* SPDX-License-Identifier: Apache-2.0 */
/* Whole streams by the fast decoder; see weights.h. */
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/weights/decoder.h"

struct npu_weights_decoder *npu_weights_decoder_new(void)
{
	return malloc(sizeof(struct npu_weights_decoder));
}

size_t npu_weights_decoder_bytes(void)
{
	return sizeof(struct npu_weights_decoder);
}

void npu_weights_decoder_free(struct npu_weights_decoder *d)
{
	free(d);
}

void npu_weights_start(struct npu_weights_decoder *d, const struct npu_weights_tables *t,
		       const u8 *stream, u32 bytes)
{
	d->tables = t;
	d->data = stream;
	d->pos = 0;
	d->end = (u64)bytes * 8;
	d->palette_entries = 0;
	d->palette_width = 2;
	d->offset = 0;
	d->left = d->narrow = false;
	d->bits = 0;
}

void npu_weights_narrow(struct npu_weights_decoder *d)
{
	d->narrow = true;
}

enum npu_weights_status npu_weights_decode(const struct npu_view *view, npu_weights_next_fn *next,
					   const struct npu_weights_tables *t, const u8 *stream,
					   u32 bytes, i16 *out, size_t capacity, size_t *count)
{
	struct npu_weights_decoder d;
	const void *weights;
	size_t n, at = 0;

	npu_weights_start(&d, t, stream, bytes);
	while (at < capacity && !(view && npu_given_up(view))) {
		enum npu_weights_status status = next(&d, &weights, &n);
		if (status == NPU_WEIGHTS_LONG)
			return npu_weights_decode_plain(view, stream, bytes, out, capacity, count);
		*count = at;
		if (status != NPU_WEIGHTS_OK || n == 0)
			return status;
		n = n < capacity - at ? n : capacity - at;
		memcpy(out + at, weights, n * sizeof(*out));
		at += n;
	}
	*count = at;
	return NPU_WEIGHTS_OK;
}

struct npu_weights_source npu_weights_source_of(const i16 *at, size_t have)
{
	return (struct npu_weights_source){ .at = (const u8 *)at, .have = have };
}

struct npu_weights_source npu_weights_source_from(struct npu_weights_decoder *d, npu_weights_next_fn *next, const struct npu_view *view,
						  bool narrow)
{
	if (narrow)
		npu_weights_narrow(d);
	return (struct npu_weights_source){ .view = view, .next = next, .decoder = d, .narrow = narrow };
}

static size_t bytes_of(const struct npu_weights_source *s, size_t n)
{
	return s->narrow ? n : n * sizeof(i16);
}

static bool make_room(struct npu_weights_source *s, size_t bytes)
{
	if (bytes <= s->room)
		return true;
	u8 *p = realloc(s->joined, bytes);
	if (!p)
		return false;
	s->joined = p;
	s->room = bytes;
	return true;
}

/* False: there will be no more. */
static bool more(struct npu_weights_source *s)
{
	const void *weights = NULL;

	s->status = s->next ? s->next(s->decoder, &weights, &s->have) : NPU_WEIGHTS_OK;
	s->at = weights;
	return !(s->view && npu_given_up(s->view)) && s->status == NPU_WEIGHTS_OK && s->have;
}

/* A piece that consists of the ends and beginnings of what the decoder delivers. */
static const void *join(struct npu_weights_source *s, size_t n)
{
	size_t at = 0;

	if (!make_room(s, bytes_of(s, n)))
		return NULL;
	for (;;) {
		const size_t part = s->have < n - at ? s->have : n - at, bytes = bytes_of(s, part);
		if (part) {
			memcpy(s->joined + bytes_of(s, at), s->at, bytes);
			s->at += bytes;
		}
		at += part;
		s->have -= part;
		if (at == n)
			return s->joined;
		if (!more(s))
			return NULL;
	}
}

u16 npu_weights_bits(const i16 *w, size_t n)
{
	typedef i16 i16x8 __attribute__((vector_size(16)));
	i16x8 all = { 0 };
	u16 bits = 0;
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		i16x8 v;
		memcpy(&v, w + i, sizeof(v));
		all |= v ^ (v >> 15);
	}
	for (; i < n; i++)
		bits |= (u16)(w[i] ^ (w[i] >> 15));
	for (i = 0; i < 8; i++)
		bits |= (u16)all[i];
	return bits;
}

void npu_weights_to_bytes(i16 *w, size_t n)
{
	typedef i8 i8x16 __attribute__((vector_size(16)));
	typedef i16 i16x16 __attribute__((vector_size(32)));
	i8 *to = (i8 *)w;
	size_t i = 0;

	for (; i + 16 <= n; i += 16) { /* what is written lies before what is read next */
		i16x16 v;
		memcpy(&v, w + i, sizeof(v));
		const i8x16 bytes = __builtin_convertvector(v, i8x16);
		memcpy(to + i, &bytes, sizeof(bytes));
	}
	for (; i < n; i++)
		to[i] = (i8)w[i];
}

u16 npu_weights_decoder_bits(const struct npu_weights_decoder *d)
{
	return d->bits;
}

const void *npu_weights_take(struct npu_weights_source *s, size_t n)
{
	if (s->have == 0 && s->next && !more(s) && n)
		return NULL;
	if (s->have < n)
		return join(s, n);
	const u8 *p = s->at;
	s->at += bytes_of(s, n);
	s->have -= n;
	return p;
}
