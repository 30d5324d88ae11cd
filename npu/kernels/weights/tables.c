/* SPDX-License-Identifier: Apache-2.0 */
/* Look-up tables of the fast weight decoder (weights/decode.c). */
#include "npu/kernels/weights/decoder.h"

#include <string.h>

static void fill_quotients(struct npu_weights_quotients *q, u32 unary0, u32 unary1, bool truncated)
{
	u32 digits = 0;

	memset(q, 0, sizeof(*q));
	for (u32 i = 0; i < 4; i++) {
		u32 code = 0;
		if (unary0 >> i & 1)
			code = 1 + (unary1 >> q->ones++ & 1);
		digits += code;
		if (code < 2 || truncated) {
			q->lanes |= (u64)digits << (16 * q->finished++);
			digits = 0;
		}
	}
	q->rest = (u16)digits;
	q->keep = q->finished ? 0 : 0xffff;
}

/* Zero runs are plain unary: a one continues, a zero finishes. */
static void fill_runs(struct npu_weights_quotients *q, u32 unary)
{
	u32 digits = 0;

	memset(q, 0, sizeof(*q));
	for (u32 i = 0; i < 4; i++) {
		if (unary >> i & 1) {
			digits++;
		} else {
			q->lanes |= (u64)digits << (16 * q->finished++);
			digits = 0;
		}
	}
	q->rest = (u16)digits;
	q->keep = q->finished ? 0 : 0xffff;
}

/* Each entry from the one without its last end. */
static void fill_ends(struct npu_weights_ends ends[4096])
{
	u8 symbols[4096] = { 0 };

	memset(ends, 0, sizeof(*ends));
	ends[0].rest = 24;
	for (u32 digit = 0; digit < 12; digit++)
		for (u32 i = 0, last = 1u << digit; i < last; i++) {
			struct npu_weights_ends *e = &ends[last + i];
			const unsigned behind = 2 * (11 - digit);
			*e = ends[i];
			e->quotient[symbols[i]] = (u8)(e->rest - behind - 2);
			e->rest = (u8)behind;
			symbols[last + i] = (u8)(symbols[i] + 1);
		}
}

static void fill_fields(struct npu_weights_fields *f, unsigned width, unsigned first)
{
	for (unsigned i = 0; i < 16; i++) {
		unsigned at = first + i * width, byte = at / 8;
		f->bytes[2 * i] = (u8)byte;
		f->bytes[2 * i + 1] = (u8)(byte + 1);
		f->factor[i] = (u16)(1u << (16 - at % 8 - width)); /* 0 for no bits */
	}
}

void npu_weights_tables_init(struct npu_weights_tables *t)
{
	fill_ends(t->ends);
	for (unsigned width = 0; width < 6; width++)
		for (unsigned first = 0; first < 8; first++)
			fill_fields(&t->fields[width][first], width, first);
	for (u32 i = 0; i < 256; i++) {
		fill_quotients(&t->plain[i], i & 15, i >> 4, false);
		fill_quotients(&t->truncated[i], i & 15, i >> 4, true);
	}
	for (u32 i = 0; i < 16; i++)
		fill_runs(&t->runs[i], i);
}

#define EIGHT(x) x, x, x, x, x, x, x, x
#define LINE(x) { EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x) }
const struct npu_weights_bytes npu_weights_bytes = {
	.one = LINE(1), .seven = LINE(7), .magnitude = LINE(127), .low = { LINE(0), LINE(1), LINE(3), LINE(7), LINE(15), LINE(31) },
	.words = { EIGHT(1) },
};
