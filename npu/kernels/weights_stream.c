/* SPDX-License-Identifier: Apache-2.0 */
/* Whole streams by the fast decoder; see weights.h. */
#include <stdlib.h>
#include <string.h>

#include "npu/kernels/weights_decoder.h"

struct npu_weights_decoder *npu_weights_decoder_new(void)
{
	return malloc(sizeof(struct npu_weights_decoder));
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
	d->left = false;
	d->bits = 0;
	for (i32 i = 0; i < INDEX_LIMIT; i++)
		d->map[i] = (i16)(i & 1 ? -(i >> 1) : i >> 1);
}

enum npu_weights_status npu_weights_decode(const struct npu_view *view, npu_weights_next_fn *next,
					   const struct npu_weights_tables *t, const u8 *stream,
					   u32 bytes, i16 *out, size_t capacity, size_t *count)
{
	struct npu_weights_decoder d;
	const i16 *weights;
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

static bool make_room(struct npu_weights_source *s, size_t n)
{
	if (n <= s->room)
		return true;
	i16 *p = realloc(s->joined, n * sizeof(*p));
	if (!p)
		return false;
	s->joined = p;
	s->room = n;
	return true;
}

/* A piece that consists of the ends and beginnings of what the decoder delivers. */
static const i16 *join(struct npu_weights_source *s, size_t n)
{
	size_t at = 0;

	if (!make_room(s, n))
		return NULL;
	for (;;) {
		size_t part = s->have < n - at ? s->have : n - at;
		if (part) {
			memcpy(s->joined + at, s->at, part * sizeof(*s->at));
			s->at += part;
		}
		at += part;
		s->have -= part;
		if (at == n)
			return s->joined;
		s->status = s->next ? s->next(s->decoder, &s->at, &s->have) : NPU_WEIGHTS_OK;
		if ((s->view && npu_given_up(s->view)) || s->status != NPU_WEIGHTS_OK || s->have == 0)
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

u16 npu_weights_decoder_bits(const struct npu_weights_decoder *d)
{
	return d->bits;
}

const i16 *npu_weights_take(struct npu_weights_source *s, size_t n)
{
	const i16 *p = s->at;

	if (s->have == 0 && s->next) {
		s->status = s->next(s->decoder, &s->at, &s->have);
		if ((s->view && npu_given_up(s->view)) || s->status != NPU_WEIGHTS_OK)
			return NULL;
		p = s->at;
	}
	if (s->have >= n) {
		s->at += n;
		s->have -= n;
	} else {
		p = join(s, n);
	}
	return p;
}
