/* SPDX-License-Identifier: Apache-2.0 */
/* The usual slice: Golomb codes without zero runs. Part of weights/decode.c.
 *
 * Segment by segment, first all quotients, while noting where each chunk's remainders lie, then
 * all remainders: the first loop's chain from position to position is short, and the second
 * one does not load what was stored just before. A chunk's remainders come behind the quotients
 * of the next one, so a segment ends with a chunk that waits for the next segment. */

#define CHUNK_BITS_MAX 84 /* 12 digits of two bits, 12 remainders of 5 */

struct segment {
	/* of a chunk: first bit of its remainders from the slice's first on << 4 | its symbols */
	u64 chunk[SEGMENT + 1];
	u16 lane[SEGMENT * 12 + 2 * LANES_SLACK];
};

struct golomb {
	u64 start, pos;
	u32 found;   /* symbols; more than there are in the slice at the end of it */
	u32 waiting; /* of these, in the last chunk */
	u32 carry;   /* digits since the last symbol's end */
};

static inline u64 chunk_entry(const struct golomb *g, u64 pos, u32 symbols)
{
	return (pos - g->start) << 4 | symbols;
}

/* Reads quotients of up to `most` chunks, until all are found, by a table of four digits of both
 * unary fields; notes the chunks before them and how many. False: codes too long. */
static bool read_quotients(const struct npu_weights_decoder *d, struct golomb *g, struct segment *s,
			   unsigned most, unsigned *chunks)
{
	const struct npu_weights_quotients *table =
		d->truncated ? d->tables->truncated : d->tables->plain;
	const unsigned width = d->width, wanted = d->count;
	const u8 *data = d->data;
	u32 found = g->found, carry = g->carry, last = g->waiting;
	u16 *to = s->lane + last;
	u64 pos = g->pos;
	unsigned c;

	for (c = 0; c < most && found < wanted; c++) {
		u64 bits = window(data, pos);
		u64 unary1 = bits >> 12;
		unsigned ones0 = ones4(bits), ones1 = ones0 + ones4(bits >> 4);
		const struct npu_weights_quotients *q0 = &table[(bits & 15) | (unary1 & 15) << 4];
		const struct npu_weights_quotients *q1 =
			&table[(bits >> 4 & 15) | (unary1 >> ones0 & 15) << 4];
		const struct npu_weights_quotients *q2 =
			&table[(bits >> 8 & 15) | (unary1 >> ones1 & 15) << 4];
		unsigned n = q0->finished;
		u32 carry1 = q0->rest + (carry & q0->keep), carry2 = q1->rest + (carry1 & q1->keep);

		store_lanes(to, (q0->lanes + carry) << width);
		store_lanes(to + n, (q1->lanes + carry1) << width);
		n += q1->finished;
		store_lanes(to + n, (q2->lanes + carry2) << width);
		n += q2->finished;
		carry = q2->rest + (carry2 & q2->keep);
		if (UNLIKELY(carry > WEIGHT_CARRY_MAX))
			return false;
		pos += 12 + ones1 + ones4(bits >> 8);
		s->chunk[c] = chunk_entry(g, pos, last);
		pos += last * width;
		last = n;
		to += n;
		found += n;
	}
	g->found = found;
	g->carry = carry;
	g->waiting = last;
	g->pos = pos;
	*chunks = c;
	return true;
}

static void read_remainders(const struct npu_weights_decoder *d, const struct golomb *g,
			    const struct segment *s, unsigned chunks, u16 *index)
{
	const struct spread sp = spread_of(d->width);
	const u16 *quotient = s->lane;

	for (unsigned c = 0; c < chunks; c++) {
		unsigned n = s->chunk[c] & 15;
		u64 bits = wide_window(d->data, g->start + (s->chunk[c] >> 4));
		store_lanes(index, load_lanes(quotient) + spread(bits, &sp));
		store_lanes(index + 4, load_lanes(quotient + 4) + spread(bits >> (4 * sp.width), &sp));
		store_lanes(index + 8, load_lanes(quotient + 8) + spread(bits >> (8 * sp.width), &sp));
		quotient += n;
		index += n;
	}
}

static enum outcome read_segments(struct npu_weights_decoder *d)
{
	struct golomb g = { .start = d->pos, .pos = d->pos };
	struct segment s;
	u32 done = 0;

	while (g.found < d->count) {
		/* so many chunks cannot lead beyond the slack */
		u64 most = (d->end - g.pos) / CHUNK_BITS_MAX + 1;
		unsigned chunks;
		if (g.pos > d->end)
			return CORRUPT;
		if (!read_quotients(d, &g, &s, most < SEGMENT ? (unsigned)most : SEGMENT, &chunks))
			return TOO_LONG;
		u32 ready = g.found - g.waiting;
		read_remainders(d, &g, &s, chunks, d->value + done);
		make_weights(d, ready);
		memmove(s.lane, s.lane + (ready - done), g.waiting * sizeof(*s.lane));
		done = ready;
	}
	/* the last chunk; what it has beyond the slice's symbols has no remainders */
	s.chunk[0] = chunk_entry(&g, g.pos, g.waiting);
	read_remainders(d, &g, &s, 1, d->value + done);
	d->pos = g.pos + (d->count - done) * d->width;
	return d->pos > d->end ? CORRUPT : DONE;
}

#if defined(WEIGHTS_BMI2)
#include "npu/kernels/weights/ends.h"
#endif
#if defined(WEIGHTS_WIDE)
#include "npu/kernels/weights/wide.h"
#include "npu/kernels/weights/wide_packed.h"
#endif

static NOINLINE enum outcome read_golomb(struct npu_weights_decoder *d)
{
#if defined(WEIGHTS_WIDE)
	if (wide_fits(d) && read_wide(d))
		return DONE;
#endif
#if defined(WEIGHTS_BMI2)
	if (!d->truncated)
		return read_by_ends(d);
#endif
	return read_segments(d);
}
