/* SPDX-License-Identifier: Apache-2.0 */
/* Weight streams, fast: several symbols per step.
 *
 * The position is a number of bits; one unaligned 64-bit load yields all unary fields of a
 * chunk. Four digits of both unary fields index a table that gives up to four finished
 * quotients in 16-bit lanes, which are stored together; the position in the output advances
 * by how many there are, without a branch per symbol. Remainders are masked to their true
 * number, spread to lanes and added to the quotients of the chunk before.
 *
 * Built three times: as plain C, with WEIGHTS_BMI2 for hosts where spreading bits and counting
 * them are single instructions, and with WEIGHTS_WIDE besides for those that have AVX-512 VBMI2.
 *
 * Lanes bound what fits: a stream with longer unary codes than any compiler makes (quotient
 * above WEIGHT_CARRY_MAX or ZERO_CARRY_MAX) is handed to the plain decoder as a whole. */
#include <string.h>

#include "npu/kernels/weights/bits.h"
#include "npu/kernels/weights/decoder.h"

#define WEIGHT_CARRY_MAX 1000
#define ZERO_CARRY_MAX 4000

enum { ZDIV_NO_RUNS = 6, ZDIV_END = 7, WDIV_UNCOMPRESSED = 7 };

enum outcome { DONE, CORRUPT, TOO_LONG };

static u32 take(struct npu_weights_decoder *d, unsigned n)
{
	u32 v = (u32)low_bits(window(d->data, d->pos), n);
	d->pos += n;
	return v;
}

typedef u16 u16x16 __attribute__((vector_size(32)));
typedef i16 i16x16 __attribute__((vector_size(32)));

/* Indices to weights, whole vectors of them from `from` on up to `to` at least; returns where the next ones begin. `own`: index plus an
 * offset, with the sign in bit 0; else by the palette's map. */
ALWAYS_INLINE u16 *map_weights(struct npu_weights_decoder *d, u16 *from, const u16 *to, const bool own)
{
	const u16 offset = (u16)d->offset;
	u16x16 any = { 0 };
	i16x16 bits = { 0 };

	for (; from + 16 <= to; from += 16) {
		u16x16 v;
		memcpy(&v, from, sizeof(v));
		any |= v;
		if (own) {
			v += offset;
			const u16x16 minus = -(v & 1);
			v = ((v >> 1) ^ minus) - minus;
		}
		for (unsigned i = 0; !own && i < 16; i++)
			v[i] = (u16)d->map[v[i] % INDEX_LIMIT];
		memcpy(from, &v, sizeof(v));
		bits |= (i16x16)v ^ ((i16x16)v >> 15);
	}
	for (unsigned i = 0; i < 16; i++) {
		d->any |= any[i];
		d->bits |= (u16)bits[i];
	}
	return from;
}

/* Indices up to value[n) to weights, whole vectors of them. */
static void make_weights(struct npu_weights_decoder *d, u32 n)
{
	u16 *const from = d->value + d->ready;
	const u16 *const to = d->value + n, *const end = d->palette_entries ? map_weights(d, from, to, false) : map_weights(d, from, to, true);

	d->ready = (u32)(end - d->value);
}

/* The end of a slice: what is left, and whether all indices were legal. */
static bool weights_valid(struct npu_weights_decoder *d)
{
	if (d->ready >= d->count)
		return d->any < INDEX_LIMIT;
	memset(d->value + d->count, 0, LANES_SLACK * sizeof(*d->value));
	make_weights(d, d->count + 15);
	return d->any < INDEX_LIMIT;
}

#include "npu/kernels/weights/golomb.h"
#include "npu/kernels/weights/chunks.h"

#if defined(WEIGHTS_BMI2)
#include "npu/kernels/weights/runs.h"
#include "npu/kernels/weights/run_list.h"
#endif
#if defined(WEIGHTS_BMI2) && !defined(WEIGHTS_WIDE)
#include "npu/kernels/weights/listed.h"
#endif
#if defined(WEIGHTS_WIDE)
#include "npu/kernels/weights/wide_runs.h"
#include "npu/kernels/weights/wide_packed_runs.h"
#endif

static NOINLINE enum outcome read_golomb_runs(struct npu_weights_decoder *d)
{
#if defined(WEIGHTS_WIDE)
	if (wide_runs_fit(d) && read_wide_runs(d))
		return DONE;
#elif defined(WEIGHTS_BMI2)
	if (!d->truncated && d->zdiv == 0 && read_listed(d))
		return DONE;
#endif
#if defined(WEIGHTS_BMI2)
	if (!d->truncated)
		return read_runs_by_ends(d);
#endif
	return read_chunks(d, false, true);
}

static NOINLINE enum outcome read_packed_runs(struct npu_weights_decoder *d)
{
#if defined(WEIGHTS_WIDE)
	if (wide_packed_runs_fit(d) && read_wide_packed_runs(d))
		return DONE;
#endif
	return read_chunks(d, true, true);
}

static enum outcome read_slice(struct npu_weights_decoder *d)
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

static enum outcome read_palette(struct npu_weights_decoder *d)
{
	u32 offset = take(d, 5), entries = take(d, 5);

	entries = entries ? entries + 1 : 0;
	d->offset = offset;
	d->palette_entries = entries;
	d->palette_width = take(d, 3) + 2;
	for (u32 i = 0; i < entries; i++)
		d->map[i] = signed_of(take(d, d->palette_width));
	for (u32 i = entries; entries && i < INDEX_LIMIT; i++)
		d->map[i] = signed_of(i - entries + offset);
	return d->pos > d->end ? CORRUPT : DONE;
}

static u32 ceil_log2(u32 n)
{
	return n <= 1 ? 0 : 32 - (u32)__builtin_clz(n - 1);
}

/* Reads a slice's header; DONE with count = 0 at the end of the stream. */
static enum outcome read_header(struct npu_weights_decoder *d)
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

/* How many of 16 runs come before the first that has zeros. */
static inline u32 runs_without_zeros(const u16 run[16])
{
	u64 v;

	for (u32 i = 0; i < 16; i += 4) {
		memcpy(&v, run + i, sizeof(v));
		if (v)
			return i + (u32)__builtin_ctzll(v) / 16;
	}
	return 16;
}

/* Weights and zeros of a slice with runs, as many as there is room for. */
static size_t expand(struct npu_weights_decoder *d)
{
#if defined(WEIGHTS_BMI2)
	if (d->sparse)
		return d->bytes ? expand_list(d, true) : expand_list(d, false);
#endif
	enum { STORED = 16 }; /* so many are written whether they are wanted or not */
	const u16 *const zero = d->zero + d->leading_run;
	const u32 count = d->count;
	i16 *const out = d->expanded;
	const u16x16 none = { 0 };
	size_t at = d->zeros;
	u32 i = d->next;

	memset(out, 0, (at < SLICE_MAX ? at : SLICE_MAX) * sizeof(*out));
	while (i < count && at < SLICE_MAX) {
		if (i + STORED <= count && at + STORED <= SLICE_MAX) { /* padded streams mostly have many without a zero between them */
			const u32 n = runs_without_zeros(zero + i);
			memcpy(out + at, d->value + i, STORED * sizeof(*out));
			at += n;
			i += n;
			if (n == STORED)
				continue;
		}
		for (const u32 last = min_u32(count, i + 4); i < last && at < SLICE_MAX; i++) {
			const size_t run = zero[i];
			out[at++] = (i16)d->value[i];
			memcpy(out + at, &none, sizeof(none));
			if (UNLIKELY(run > STORED))
				memset(out + at, 0, (run < SLICE_MAX - at ? run : SLICE_MAX - at) * sizeof(*out));
			at += run;
		}
	}
	const size_t end = at < SLICE_MAX ? at : SLICE_MAX;
	d->next = i;
	d->zeros = at - end; /* of a run, or before the next weight: both are zeros */
	d->left = i < count || d->zeros;
	return end;
}

#if defined(WEIGHTS_WIDE)
#define NEXT npu_weights_next_wide
#elif defined(WEIGHTS_BMI2)
#define NEXT npu_weights_next_bmi2
#else
#define NEXT npu_weights_next
#endif

/* An array of weights as its reader wants them. */
static const void *delivered(const struct npu_weights_decoder *d, void *weights, size_t count)
{
	if (d->narrow && !d->bytes)
		npu_weights_to_bytes(weights, count);
	return weights;
}

enum npu_weights_status NEXT(struct npu_weights_decoder *d, const void **weights, size_t *count)
{
	*count = 0;
	if (!d->left) {
		enum outcome o = read_header(d);
		if (o != DONE)
			return NPU_WEIGHTS_CORRUPT;
		if (d->count == 0)
			return NPU_WEIGHTS_OK;
		d->ready = d->any = 0;
		d->sparse = d->bytes = false;
		o = read_slice(d);
		if (o == TOO_LONG)
			return NPU_WEIGHTS_LONG;
		if (o != DONE || !weights_valid(d))
			return NPU_WEIGHTS_CORRUPT;
		if (!d->zero_runs) {
			*count = d->count;
			*weights = delivered(d, d->value, d->count);
			return NPU_WEIGHTS_OK;
		}
		d->next = 0;
		d->zeros = d->leading_run ? d->zero[0] : 0;
	}
	*count = expand(d);
	*weights = delivered(d, d->expanded, *count);
	return NPU_WEIGHTS_OK;
}
