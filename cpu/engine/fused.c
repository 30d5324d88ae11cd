/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers of frequent sequences: the bodies of two or three neighbours in one handler, so that
 * only the last one dispatches. Each body reads its own slot; a sub-instruction that must go slow
 * does so with the slot already advanced, and a jump into the middle finds the plain handler. */
#include "cpu/engine/handler.h"

#include "cpu/exec/alu.h"
#include "cpu/exec/branch.h"
#include "cpu/exec/dsp.h"
#include "cpu/exec/fp.h"
#include "cpu/exec/load_store.h"
#include "cpu/exec/long_shift.h"
#include "cpu/exec/mve.h"
#include "cpu/exec/system.h"

/* The inline wrappers of all bodies. */
#define OP(name, kind, lengths, uses, class) RUN_##kind(name)
#include "cpu/exec/ops_int.def"
#include "cpu/exec/ops_fp.def"
#include "cpu/exec/ops_mve.def"
#undef OP

/* A body that is not the last: continues, or leaves for its slow or predicated twin. */
#define INNER(name, length) do { \
		enum out out_ = run_##name(s, c, &f, &target); \
		if (UNLIKELY(out_ != OUT_NEXT)) \
			FINISH_INNER(out_); \
		s += (length) / 2; \
	} while (0)
#define FINISH_INNER(out) do { \
		nz = f.nz; \
		cf = f.c; \
		vf = f.v; \
		if ((out) == OUT_PRED) \
			TAIL(go_pred); \
		TAIL(go_slow); \
	} while (0)
#define LAST(name, length) do { \
		enum out out_ = run_##name(s, c, &f, &target); \
		FINISH(out_, length, false); \
	} while (0)

#define F2(a, la, b, lb) \
	static void fused_##a##la##_##b##lb(HANDLER_ARGS) \
	{ \
		struct flags f = { nz, cf, vf }; \
		u32 target = 0; \
		INNER(a, la); \
		LAST(b, lb); \
	}
#define F3(a, la, b, lb, d, ld) \
	static void fused_##a##la##_##b##lb##_##d##ld(HANDLER_ARGS) \
	{ \
		struct flags f = { nz, cf, vf }; \
		u32 target = 0; \
		INNER(a, la); \
		INNER(b, lb); \
		LAST(d, ld); \
	}
#include "cpu/engine/fused.def"
#undef F2
#undef F3

struct fused { handler_fn *handler; u16 op[3]; u8 length[3], count; };

static const struct fused fused[] = {
#define F2(a, la, b, lb) { fused_##a##la##_##b##lb, { OP_##a, OP_##b }, { la, lb }, 2 },
#define F3(a, la, b, lb, d, ld) { fused_##a##la##_##b##lb##_##d##ld, { OP_##a, OP_##b, OP_##d }, { la, lb, ld }, 3 },
#include "cpu/engine/fused.def"
};
_Static_assert(ARRAY_LEN(fused) <= FUSED_MAX, "links have room for all sequences");

void fused_link(struct fused_index *index)
{
	memset(index, 0, sizeof(*index));
	/* Longer ones stand first in the list, so the chain keeps the list's order. */
	for (unsigned i = ARRAY_LEN(fused); i-- > 0;) {
		index->next[i] = index->first[fused[i].op[0]];
		index->first[fused[i].op[0]] = (u16)(i + 1);
	}
}

handler_fn *handler_fused(const struct fused_index *index, const u16 *ops, const u8 *lengths, unsigned n)
{
	for (unsigned i = index->first[ops[0]]; i; i = index->next[i - 1]) {
		const struct fused *x = &fused[i - 1];
		if (x->count <= n && !memcmp(x->op, ops, x->count * sizeof(u16)) && !memcmp(x->length, lengths, x->count))
			return x->handler;
	}
	return NULL;
}
