/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams bit by bit: the reference that the fast decoder is compared with.
 * Speed does not matter here; being readable beside the format's description does. */
#include "npu/kernels/weights/weights.h"

#define MAX_SLICE 32768
#define MAX_INDEX 511

enum { ZDIV_NO_RUNS = 6, ZDIV_END = 7, WDIV_UNCOMPRESSED = 7 };

struct bits {
	const u8 *data;
	u64 pos, end; /* in bits */
};

/* Bits behind the end read as zero; the slice that needed them is refused afterwards. */
static u32 get(struct bits *b, unsigned n)
{
	u32 v = 0;
	for (unsigned i = 0; i < n; i++, b->pos++)
		if (b->pos < b->end)
			v |= (u32)(b->data[b->pos >> 3] >> (b->pos & 7) & 1) << i;
	return v;
}

struct palette {
	u32 entries, offset, width;
	u32 value[32];
};

struct slice {
	u32 zdiv, wdiv, count;
	bool truncated, zero_runs, leading_run, uncompressed;
	u32 remainder_bits;
};

/* Output with a bound. */
struct sink {
	i16 *out;
	size_t count, capacity;
};

static void put(struct sink *s, i16 v)
{
	if (s->count < s->capacity)
		s->out[s->count++] = v;
}

static void put_zeros(struct sink *s, u64 n)
{
	for (; n && s->count < s->capacity; n--)
		s->out[s->count++] = 0;
}

static u32 ceil_log2(u32 n)
{
	u32 bits = 0;
	while ((1u << bits) < n)
		bits++;
	return bits;
}

static void read_palette(struct bits *b, struct palette *p)
{
	p->offset = get(b, 5);
	u32 size = get(b, 5);
	p->entries = size ? size + 1 : 0;
	p->width = get(b, 3) + 2;
	for (u32 i = 0; i < p->entries; i++)
		p->value[i] = get(b, p->width);
}

/* False at the end of the stream. A reserved divisor is left in *s for the caller. */
static bool read_header(struct bits *b, struct slice *s, struct palette *p)
{
	for (;;) {
		if (b->pos + 3 > b->end)
			return false;
		s->zdiv = get(b, 3);
		if (s->zdiv != ZDIV_END)
			break;
		b->pos = (b->pos + 7) & ~(u64)7;
	}
	s->count = get(b, 15) + 1;
	s->wdiv = get(b, 3);
	s->truncated = get(b, 1);
	s->leading_run = get(b, 1);
	if (s->leading_run)
		read_palette(b, p);
	s->zero_runs = s->zdiv != ZDIV_NO_RUNS;
	s->uncompressed = s->wdiv == WDIV_UNCOMPRESSED;
	s->remainder_bits = !s->uncompressed ? s->wdiv : p->entries ? ceil_log2(p->entries) : p->width;
	return true;
}

/* Quotients and remainders of one kind of symbol; `done` have both. */
struct symbols {
	u32 value[MAX_SLICE + 16];
	u32 found, done, wanted, carry;
};

static void emit_quotient(struct symbols *s)
{
	if (s->found < ARRAY_LEN(s->value))
		s->value[s->found++] = s->carry;
	s->carry = 0;
}

static void read_remainders(struct bits *b, struct symbols *s, u32 until, u32 width)
{
	for (; s->done < until && s->done < s->wanted; s->done++)
		s->value[s->done] = (s->value[s->done] << width) + get(b, width);
}

static void read_weight_quotients(struct bits *b, const struct slice *s, u32 unary0,
				  struct symbols *w)
{
	u32 max = s->uncompressed && s->remainder_bits > 5 ? 8 : 12;
	u32 ones = (u32)__builtin_popcount(unary0 & ((1u << max) - 1));
	u32 unary1 = get(b, ones);

	for (u32 i = 0; i < max && w->found < w->wanted; i++) {
		u32 code = 0;
		if (unary0 >> i & 1) {
			code = 1 + (unary1 & 1);
			unary1 >>= 1;
		}
		w->carry += code;
		if (code < 2 || s->truncated)
			emit_quotient(w);
	}
}

static void read_zero_quotients(u32 unary, u32 n, struct symbols *z)
{
	for (u32 i = 0; i < n; i++) {
		if (unary >> i & 1)
			z->carry++;
		else
			emit_quotient(z);
	}
}

static void read_chunks(struct bits *b, const struct slice *s, struct symbols *w, struct symbols *z)
{
	for (;;) {
		u32 w_before = w->found, z_before = z->found;
		i64 balance = s->zero_runs ? (i64)w->found - z->found : 0;
		bool w_on = balance < 8 && w->found < w->wanted;
		bool z_on = s->zero_runs && balance >= 0 && z->found < z->wanted;
		u32 unary0 = w_on && !s->uncompressed ? get(b, 12) : 0;

		if (z_on) {
			u32 n = s->zdiv == 3 ? 8 : 12;
			read_zero_quotients(get(b, n), n, z);
		}
		if (w_on)
			read_weight_quotients(b, s, unary0, w);
		/* of the chunk before */
		read_remainders(b, w, w_before, s->remainder_bits);
		read_remainders(b, z, z_before, s->zdiv);
		if (!w_on && !z_on)
			return;
	}
}

static i16 weight_of(u32 index, const struct palette *p)
{
	u32 v = index < p->entries ? p->value[index] : index - p->entries + p->offset;
	return (i16)(v & 1 ? -(i32)(v >> 1) : (i32)(v >> 1));
}

static bool decode_slice(struct bits *b, const struct slice *s, const struct palette *p,
			 struct sink *sink)
{
	/* static would be shared state; 260 KiB of stack is acceptable for the reference */
	struct symbols w, z;
	w.found = w.done = w.carry = z.found = z.done = z.carry = 0;
	w.wanted = s->count;
	z.wanted = s->zero_runs ? s->count + s->leading_run : 0;

	read_chunks(b, s, &w, &z);
	if (b->pos > b->end)
		return false;
	for (u32 i = 0; i < w.wanted; i++)
		if (w.value[i] > MAX_INDEX)
			return false;
	u32 run = 0;
	if (s->zero_runs && s->leading_run)
		put_zeros(sink, z.value[run++]);
	for (u32 i = 0; i < w.wanted; i++) {
		put(sink, weight_of(w.value[i], p));
		if (s->zero_runs)
			put_zeros(sink, z.value[run++]);
	}
	return true;
}

enum npu_weights_status npu_weights_decode_plain(const struct npu_view *view, const u8 *stream, u32 bytes, i16 *out,
						 size_t capacity, size_t *count)
{
	struct bits b = { .data = stream, .end = (u64)bytes * 8 };
	struct palette p = { .width = 2 };
	struct sink sink = { .out = out, .capacity = capacity };
	enum npu_weights_status status = NPU_WEIGHTS_OK;
	struct slice s;

	while (sink.count < capacity && !(view && npu_given_up(view)) && read_header(&b, &s, &p)) {
		bool legal = (s.zdiv <= 3 || s.zdiv == ZDIV_NO_RUNS) &&
			     (s.wdiv <= 5 || s.wdiv == WDIV_UNCOMPRESSED);
		if (!legal || !decode_slice(&b, &s, &p, &sink)) {
			status = NPU_WEIGHTS_CORRUPT;
			break;
		}
	}
	*count = sink.count;
	return status;
}
