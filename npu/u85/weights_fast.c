/* SPDX-License-Identifier: Apache-2.0 */
/* The fast format of Ethos-U85's weights: raw bytes, or indices into a table of 16, of all decoders in turn. Source: Vela's
 * ethos_u85_weight_encoder.cpp. */
#include "npu/u85/weights_order.h"

#include <string.h>

/* Header, in bytes and (table) bits: flags, what raw bytes have as zero, a table of 16 entries. */
enum { HEADER = 32, FLAGS = 0, ZERO = 13, TABLE = 112, ENTRY = 9 };
enum { FLAG_RAW = 1, FLAG_FOUR = 2 /* indices of two bits, else four */ };

static unsigned bits_at(const u8 *p, u64 at, unsigned width)
{
	unsigned v = 0;
	for (unsigned i = 0; i < width; i++)
		v |= (p[(at + i) / 8] >> ((at + i) % 8) & 1u) << i;
	return v;
}

/* An entry has the sign in bit 0. */
static void read_table(const u8 *p, i16 table[16])
{
	for (unsigned i = 0; i < 16; i++) {
		unsigned value = bits_at(p, TABLE + ENTRY * i, ENTRY);
		i16 magnitude = (i16)(value >> 1);
		table[i] = value & 1 ? (i16)-magnitude : magnitude;
	}
}

bool npu85_fast_open(struct npu85_fast *f, const struct npu_config *config, const struct npu_op *op, const u8 *stream)
{
	const struct npu85_order r = npu85_order_of(config, op);
	const u32 bytes = op->weights[0].length;

	if (bytes < HEADER)
		return false;
	*f = (struct npu85_fast){ .data = stream + HEADER, .zero = (i8)stream[ZERO], .streams = r.streams,
				  .index_bits = stream[FLAGS] & FLAG_RAW ? 8 : stream[FLAGS] & FLAG_FOUR ? 2 : 4,
				  .turn = (u64)r.oud * r.iud * r.round / r.streams };
	f->count = (u64)(bytes - HEADER) * (8 / f->index_bits);
	if (f->index_bits < 8)
		read_table(stream, f->table);
	return f->turn > 0;
}

static void read_raw(const struct npu85_fast *f, u64 first, size_t n, i16 *out)
{
	typedef i8 i8x16 __attribute__((vector_size(16)));
	typedef i16 i16x16 __attribute__((vector_size(32)));
	const u8 *from = f->data + first;
	size_t i = 0;

	for (i8x16 bytes; i + 16 <= n; i += 16) {
		memcpy(&bytes, from + i, sizeof(bytes));
		const i16x16 weights = __builtin_convertvector(bytes, i16x16) - f->zero;
		memcpy(out + i, &weights, sizeof(weights));
	}
	for (; i < n; i++)
		out[i] = (i16)((i8)from[i] - f->zero);
}

static void read_indices(const struct npu85_fast *f, u64 first, size_t n, i16 *out)
{
	const unsigned width = f->index_bits, in_byte = 8 / width;

	for (u64 i = first; i < first + n; i++)
		*out++ = f->table[f->data[i / in_byte] >> i % in_byte * width & ((1u << width) - 1)];
}

/* Where a decoder's weights from its `first` on are among all, up to *n of them side by side. */
static u64 place_of(const struct npu85_fast *f, unsigned stream, u64 first, size_t *n)
{
	const u64 inside = first % f->turn, at = (first / f->turn * f->streams + stream) * f->turn + inside;
	const u64 turn = f->streams == 1 ? UINT64_MAX : f->turn - inside, left = at < f->count ? f->count - at : 0, part = turn < left ? turn : left;

	*n = part < *n ? part : *n;
	return at;
}

size_t npu85_fast_read(const struct npu85_fast *f, unsigned stream, u64 first, size_t n, i16 *out)
{
	size_t done = 0;

	for (size_t part = 1; part && done < n; done += part) {
		part = n - done;
		const u64 at = place_of(f, stream, first + done, &part);
		(f->index_bits == 8 ? read_raw : read_indices)(f, at, part, out + done);
	}
	return done;
}

const u8 *npu85_fast_bytes(const struct npu85_fast *f, unsigned stream, u64 first, size_t *n)
{
	return f->index_bits == 8 && f->zero == 0 ? f->data + place_of(f, stream, first, n) : NULL;
}
