/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams, fast: several symbols per step.
 *
 * The position is a number of bits; one unaligned 64-bit load yields all unary fields of a
 * chunk. Four digits of both unary fields index a table that gives up to four finished
 * quotients in 16-bit lanes, which are stored together; the position in the output advances
 * by how many there are, without a branch per symbol. Remainders are masked to their true
 * number, spread to lanes and added to the quotients of the chunk before.
 *
 * Built twice: as plain C, and with WEIGHTS_BMI2 for hosts where spreading bits and counting
 * them are single instructions.
 *
 * Lanes bound what fits: a stream with longer unary codes than any compiler makes (quotient
 * above WEIGHT_CARRY_MAX or ZERO_CARRY_MAX) is handed to the plain decoder as a whole. */
#include "npu/kernels/weights.h"

#include <string.h>

#if defined(WEIGHTS_BMI2)
#include <immintrin.h>
#endif

#define SLICE_MAX 32768
#define LANES_SLACK 32
#define WEIGHT_CARRY_MAX 1000
#define ZERO_CARRY_MAX 4000
#define INDEX_LIMIT 512

enum { ZDIV_NO_RUNS = 6, ZDIV_END = 7, WDIV_UNCOMPRESSED = 7 };

enum outcome { DONE, CORRUPT, TOO_LONG };

struct decoder {
	const struct npu_weights_tables *tables;
	const u8 *data;
	u64 pos, end;            /* bits */
	u32 zdiv, wdiv, count, width;
	bool truncated, zero_runs, leading_run, uncompressed;
	u32 palette_entries, palette_width, offset;
	i16 map[INDEX_LIMIT];    /* index to weight, under the palette in force */
	u16 weight[SLICE_MAX + LANES_SLACK]; /* quotients, then indices */
	u16 sum[SLICE_MAX + LANES_SLACK];    /* indices where they are formed apart */
	u16 *index;                          /* which of the two holds the indices */
	u16 zero[SLICE_MAX + LANES_SLACK];
	u32 remainders[SLICE_MAX + 1]; /* per chunk: bits from the slice's start, times 16, + symbols */
	i16 *out;
	size_t produced, capacity;
};

static inline u64 load_le64(const u8 *p)
{
	u64 v;
	memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

/* At least 57 bits from `pos`. */
static inline u64 window(const u8 *data, u64 pos)
{
	return load_le64(data + (pos >> 3)) >> (pos & 7);
}

/* All 64 bits from `pos`. */
static inline u64 wide_window(const u8 *data, u64 pos)
{
	const u8 *p = data + (pos >> 3);
	unsigned s = pos & 7;
	return load_le64(p) >> s | (u64)p[8] << 1 << (63 - s);
}

static inline u64 low_bits(u64 v, unsigned n)
{
	return n >= 64 ? v : v & ((UINT64_C(1) << n) - 1);
}

static u32 take(struct decoder *d, unsigned n)
{
	u32 v = (u32)low_bits(window(d->data, d->pos), n);
	d->pos += n;
	return v;
}

static inline void store_lanes(u16 *to, u64 lanes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (unsigned i = 0; i < 4; i++)
		to[i] = (u16)(lanes >> (16 * i));
#else
	memcpy(to, &lanes, sizeof(lanes));
#endif
}

static inline u64 load_lanes(const u16 *from)
{
	u64 lanes;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	lanes = 0;
	for (unsigned i = 0; i < 4; i++)
		lanes |= (u64)from[i] << (16 * i);
#else
	memcpy(&lanes, from, sizeof(lanes));
#endif
	return lanes;
}

/* Constants that spread four fields of `width` bits (0..9) to 16-bit lanes. */
struct spread {
	u64 half[2], lane[2]; /* masks: low and high of a pair */
	unsigned shift0, shift1, width;
};

static struct spread spread_of(unsigned width)
{
	u64 one = (UINT64_C(1) << width) - 1, two = (UINT64_C(1) << (2 * width)) - 1;
	return (struct spread) {
		.half = { two, two << 32 },
		.lane = { one | one << 32, one << 16 | one << 48 },
		.shift0 = 32 - 2 * width,
		.shift1 = 16 - width,
		.width = width,
	};
}

static inline u64 spread(u64 fields, const struct spread *s)
{
#if defined(WEIGHTS_BMI2)
	return _pdep_u64(fields, s->lane[0] | s->lane[1]);
#else
	u64 v = (fields & s->half[0]) | (fields << s->shift0 & s->half[1]);
	return (v & s->lane[0]) | (v << s->shift1 & s->lane[1]);
#endif
}

/* Adds the remainders of `n` symbols (at most 12, 64 bits) that start at bit `pos`. The
 * lanes behind them get zero. Returns the position behind. */
static inline u64 add_remainders(const u8 *data, u64 pos, u16 *symbol, unsigned n,
				 const struct spread *s)
{
	u64 bits = low_bits(wide_window(data, pos), n * s->width);
	for (unsigned g = 0; g < 3; g++) {
		store_lanes(symbol + 4 * g, load_lanes(symbol + 4 * g) + spread(bits, s));
		bits >>= 4 * s->width;
	}
	return pos + n * s->width;
}

static inline unsigned min_unsigned(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The chunks of a slice. The flags are constants at each call, so every kind of slice has its
 * own loop. */
ALWAYS_INLINE enum outcome read_chunks(struct decoder *d, const bool uncompressed, const bool runs)
{
	const struct npu_weights_quotients *table =
		d->truncated ? d->tables->truncated : d->tables->plain;
	const struct spread ws = spread_of(d->width), zs = spread_of(runs ? d->zdiv : 0);
	const unsigned width = d->width, zdiv = d->zdiv;
	const unsigned per_chunk = uncompressed && width > 5 ? 8 : 12;
	const unsigned zero_bits = zdiv == 3 ? 8 : 12;
	const unsigned wanted = d->count, zwanted = runs ? d->count + d->leading_run : 0;
	const u8 *data = d->data;
	unsigned w = 0, z = 0, w_last = 0, z_last = 0, carry = 0, zcarry = 0;
	u64 pos = d->pos;

	for (;;) {
		bool w_on = w < wanted && (!runs || (int)(w - z) < 8);
		bool z_on = runs && (int)(w - z) >= 0 && z < zwanted;
		unsigned w_new = 0, z_new = 0;
		u64 bits = window(data, pos);
		u32 unary0 = 0;

		if (pos > d->end)
			return CORRUPT;
		if (w_on && !uncompressed) {
			unary0 = bits & 0xfff;
			bits >>= 12;
			pos += 12;
		}
		if (z_on) {
			for (unsigned i = 0; i < zero_bits; i += 4) {
				const struct npu_weights_quotients *q =
					&d->tables->runs[bits >> i & 15];
				store_lanes(d->zero + z + z_new, (q->lanes + zcarry) << zdiv);
				zcarry = q->rest + (zcarry & q->keep);
				z_new += q->finished;
			}
			bits >>= zero_bits;
			pos += zero_bits;
			if (UNLIKELY(zcarry > ZERO_CARRY_MAX))
				return TOO_LONG;
		}
		if (w_on && uncompressed) {
			w_new = per_chunk;
			store_lanes(d->weight + w, 0);
			store_lanes(d->weight + w + 4, 0);
			store_lanes(d->weight + w + 8, 0);
		} else if (w_on) {
			for (unsigned i = 0; i < 12; i += 4) {
				const struct npu_weights_quotients *q =
					&table[(unary0 >> i & 15) | (bits & 15) << 4];
				store_lanes(d->weight + w + w_new, (q->lanes + carry) << width);
				carry = q->rest + (carry & q->keep);
				w_new += q->finished;
				bits >>= q->ones;
				pos += q->ones;
			}
			if (UNLIKELY(carry > WEIGHT_CARRY_MAX))
				return TOO_LONG;
		}
		w_new = min_unsigned(w_new, wanted - w);
		/* of the chunk before; zero symbols beyond the number wanted have none */
		pos = add_remainders(data, pos, d->weight + w - w_last, w_last, &ws);
		if (runs && z_last) {
			unsigned first = z - z_last;
			unsigned n = first < zwanted ? min_unsigned(z_last, zwanted - first) : 0;
			pos = add_remainders(data, pos, d->zero + first, n, &zs);
		}
		w += w_new;
		z += z_new;
		w_last = w_new;
		z_last = z_new;
		if (!w_on && !z_on)
			break;
	}
	d->pos = pos;
	return pos > d->end ? CORRUPT : DONE;
}

/* Uncompressed without zero runs: the chunks hold nothing but remainders, end to end. */
static enum outcome read_packed(struct decoder *d)
{
	const struct spread s = spread_of(d->width);
	u64 pos = d->pos;

	if (pos + (u64)d->count * d->width > d->end)
		return CORRUPT;
	for (u32 i = 0; i < d->count; i += 4, pos += 4 * d->width)
		store_lanes(d->weight + i, spread(window(d->data, pos), &s));
	d->pos += (u64)d->count * d->width;
	return DONE;
}

/* Entry i of d->remainders is about chunk i - 1; `final` about the last one. Quotients are
 * read from one array and sums written to another: a load that overlaps the store before it
 * would wait for it. What is stored behind a chunk's symbols the next chunk overwrites. */
static void add_all_remainders(struct decoder *d, u64 start, unsigned chunks, u32 final)
{
	const struct spread s = spread_of(d->width);
	const u8 *data = d->data;
	const u16 *quotient = d->weight;
	u16 *sum = d->sum;

	if (d->width == 0)
		return;
	d->index = d->sum;
	d->remainders[chunks] = final;
	for (unsigned i = 1; i <= chunks; i++) {
		unsigned n = d->remainders[i] & 15;
		/* at most 12 of 5 bits: 60 */
		u64 at = start + (d->remainders[i] >> 4);
		u64 bits = wide_window(data, at);
		store_lanes(sum, load_lanes(quotient) + spread(bits, &s));
		store_lanes(sum + 4, load_lanes(quotient + 4) + spread(bits >> (4 * s.width), &s));
		store_lanes(sum + 8, load_lanes(quotient + 8) + spread(bits >> (8 * s.width), &s));
		quotient += n;
		sum += n;
	}
}

/* Bits set in the low four bits of v, without a table or an instruction for it. */
static inline unsigned ones4(u64 v)
{
#if defined(WEIGHTS_BMI2)
	return (unsigned)__builtin_popcountll(v & 15);
#else
	return UINT64_C(0x4332322132212110) >> (4 * (v & 15)) & 15;
#endif
}

/* The usual slice: Golomb without zero runs. First all quotients, while noting where each
 * chunk's remainders lie, then all remainders: the first loop's chain from position to
 * position is short, and the second one does not load what was stored just before. */
static NOINLINE enum outcome read_golomb(struct decoder *d)
{
	const struct npu_weights_quotients *table =
		d->truncated ? d->tables->truncated : d->tables->plain;
	const unsigned width = d->width, wanted = d->count;
	const u8 *data = d->data;
	const u64 start = d->pos;
	unsigned w = 0, last = 0, carry = 0, chunks = 0;
	u64 pos = start;

	while (w < wanted) {
		u64 bits = window(data, pos);
		u64 unary1 = bits >> 12;
		unsigned ones0 = ones4(bits), ones1 = ones0 + ones4(bits >> 4);
		const struct npu_weights_quotients *q0 = &table[(bits & 15) | (unary1 & 15) << 4];
		const struct npu_weights_quotients *q1 =
			&table[(bits >> 4 & 15) | (unary1 >> ones0 & 15) << 4];
		const struct npu_weights_quotients *q2 =
			&table[(bits >> 8 & 15) | (unary1 >> ones1 & 15) << 4];
		unsigned n = q0->finished, carry1 = q0->rest + (carry & q0->keep);
		unsigned carry2 = q1->rest + (carry1 & q1->keep);

		if (pos > d->end)
			return CORRUPT;
		store_lanes(d->weight + w, (q0->lanes + carry) << width);
		store_lanes(d->weight + w + n, (q1->lanes + carry1) << width);
		n += q1->finished;
		store_lanes(d->weight + w + n, (q2->lanes + carry2) << width);
		n += q2->finished;
		carry = q2->rest + (carry2 & q2->keep);
		if (UNLIKELY(carry > WEIGHT_CARRY_MAX || chunks == SLICE_MAX))
			return TOO_LONG;
		pos += 12 + ones1 + ones4(bits >> 8);
		n = min_unsigned(n, wanted - w);
		w += n;
		d->remainders[chunks++] = (u32)(pos - start) << 4 | last;
		pos += last * width;
		last = n;
	}
	d->pos = pos + last * width;
	if (d->pos > d->end)
		return CORRUPT;
	add_all_remainders(d, start, chunks, (u32)(pos - start) << 4 | last);
	return DONE;
}

static NOINLINE enum outcome read_golomb_runs(struct decoder *d)
{
	return read_chunks(d, false, true);
}

static NOINLINE enum outcome read_packed_runs(struct decoder *d)
{
	return read_chunks(d, true, true);
}

static enum outcome read_slice(struct decoder *d)
{
	/* eight remainders of nine bits are more than a window */
	if (d->uncompressed && d->zero_runs && d->width > 8)
		return TOO_LONG;
	if (d->uncompressed)
		return d->zero_runs ? read_packed_runs(d) : read_packed(d);
	return d->zero_runs ? read_golomb_runs(d) : read_golomb(d);
}

static i16 signed_of(u32 v)
{
	return (i16)(v & 1 ? -(i32)(v >> 1) : (i32)(v >> 1));
}

static enum outcome read_palette(struct decoder *d)
{
	u32 offset = take(d, 5), entries = take(d, 5);

	entries = entries ? entries + 1 : 0;
	d->offset = offset;
	d->palette_entries = entries;
	d->palette_width = take(d, 3) + 2;
	for (u32 i = 0; i < entries; i++)
		d->map[i] = signed_of(take(d, d->palette_width));
	for (u32 i = entries; i < INDEX_LIMIT; i++)
		d->map[i] = signed_of(i - entries + offset);
	return d->pos > d->end ? CORRUPT : DONE;
}

static u32 ceil_log2(u32 n)
{
	return n <= 1 ? 0 : 32 - (u32)__builtin_clz(n - 1);
}

/* Reads a slice's header; DONE with count = 0 at the end of the stream. */
static enum outcome read_header(struct decoder *d)
{
	d->count = 0;
	for (;;) {
		if (d->pos + 3 > d->end)
			return DONE;
		d->zdiv = take(d, 3);
		if (d->zdiv != ZDIV_END)
			break;
		d->pos = (d->pos + 7) & ~(u64)7;
	}
	d->count = take(d, 15) + 1;
	d->wdiv = take(d, 3);
	d->truncated = take(d, 1);
	d->leading_run = take(d, 1);
	if ((d->zdiv > 3 && d->zdiv != ZDIV_NO_RUNS) || (d->wdiv > 5 && d->wdiv != WDIV_UNCOMPRESSED) ||
	    d->pos > d->end)
		return CORRUPT;
	if (d->leading_run && read_palette(d) != DONE)
		return CORRUPT;
	d->zero_runs = d->zdiv != ZDIV_NO_RUNS;
	d->uncompressed = d->wdiv == WDIV_UNCOMPRESSED;
	d->width = !d->uncompressed ? d->wdiv :
		d->palette_entries ? ceil_log2(d->palette_entries) : d->palette_width;
	return DONE;
}

typedef u16 u16x8 __attribute__((vector_size(16)));

static bool indices_valid(struct decoder *d)
{
	u16x8 any = { 0 };

	memset(d->index + d->count, 0, 16); /* what was left behind the last one */
	for (u32 i = 0; i < d->count; i += 8) {
		u16x8 v;
		memcpy(&v, d->index + i, sizeof(v));
		any |= v;
	}
	any >>= 9; /* INDEX_LIMIT */
	for (unsigned i = 0; i < 8; i++)
		if (any[i])
			return false;
	return true;
}

/* Without a palette the value is the index plus an offset: sign in bit 0. */
static void put_direct(const struct decoder *d, i16 *out, size_t n)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		u16x8 v;
		memcpy(&v, d->index + i, sizeof(v));
		v += (u16)d->offset;
		u16x8 minus = -(v & 1);
		v = ((v >> 1) ^ minus) - minus;
		memcpy(out + i, &v, sizeof(v));
	}
	for (; i < n; i++)
		out[i] = d->map[d->index[i]];
}

static void put_dense(struct decoder *d)
{
	size_t n = d->capacity - d->produced, i = 0;
	i16 *out = d->out + d->produced;

	if (n > d->count)
		n = d->count;
	d->produced += n;
	if (d->palette_entries == 0) {
		put_direct(d, out, n);
		return;
	}
	for (; i + 4 <= n; i += 4) {
		out[i] = d->map[d->index[i]];
		out[i + 1] = d->map[d->index[i + 1]];
		out[i + 2] = d->map[d->index[i + 2]];
		out[i + 3] = d->map[d->index[i + 3]];
	}
	for (; i < n; i++)
		out[i] = d->map[d->index[i]];
}

static void put_sparse(struct decoder *d)
{
	size_t room = d->capacity - d->produced, at = 0;
	i16 *out = d->out + d->produced;
	const u16 *zero = d->zero;
	size_t total = d->count;

	for (u32 i = 0; i < d->count + d->leading_run; i++)
		total += zero[i];
	if (total < room)
		room = total;
	memset(out, 0, room * sizeof(*out));
	if (d->leading_run)
		at = *zero++;
	for (u32 i = 0; i < d->count && at < room; i++) {
		out[at] = d->map[d->index[i]];
		at += 1u + zero[i];
	}
	d->produced += room;
}

static enum outcome decode_slices(struct decoder *d)
{
	while (d->produced < d->capacity) {
		enum outcome o = read_header(d);
		if (o != DONE || !d->count)
			return o;
		d->index = d->weight;
		o = read_slice(d);
		if (o != DONE)
			return o;
		if (!indices_valid(d))
			return CORRUPT;
		if (d->zero_runs)
			put_sparse(d);
		else
			put_dense(d);
	}
	return DONE;
}

#if defined(WEIGHTS_BMI2)
#define DECODE npu_weights_decode_bmi2
#else
#define DECODE npu_weights_decode
#endif

enum npu_weights_status DECODE(const struct npu_weights_tables *t, const u8 *stream,
					   u32 bytes, i16 *out, size_t capacity, size_t *count)
{
	struct decoder d;

	d.tables = t;
	d.data = stream;
	d.pos = 0;
	d.end = (u64)bytes * 8;
	d.palette_entries = 0;
	d.palette_width = 2;
	d.offset = 0;
	d.out = out;
	d.produced = 0;
	d.capacity = capacity;
	for (u32 i = 0; i < INDEX_LIMIT; i++)
		d.map[i] = signed_of(i);
	enum outcome o = decode_slices(&d);
	if (o == TOO_LONG)
		return npu_weights_decode_plain(stream, bytes, out, capacity, count);
	*count = d.produced;
	return o == DONE ? NPU_WEIGHTS_OK : NPU_WEIGHTS_CORRUPT;
}
