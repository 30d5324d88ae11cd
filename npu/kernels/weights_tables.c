/* SPDX-License-Identifier: Apache-2.0 */
/* Look-up tables of the fast weight decoder (weights_decode.c). */
#include "npu/kernels/weights.h"

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

static void fill_ends(struct npu_weights_ends *e, u32 bits)
{
	u8 symbol = 0;

	memset(e, 0, sizeof(*e));
	for (u32 i = 0; i < 12; i++) {
		e->rest += 2;
		if (bits >> i & 1) {
			e->quotient[symbol++] = (u8)(e->rest - 2);
			e->rest = 0;
		}
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
	for (u32 i = 0; i < ARRAY_LEN(t->ends); i++)
		fill_ends(&t->ends[i], i);
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
