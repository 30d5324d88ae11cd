/* SPDX-License-Identifier: Apache-2.0 */
/* Branches that wait for their targets. */
#include "cpu/engine/fixup.h"

#include <assert.h>

void fixups_add(struct fixups *f, const struct fixup *branch)
{
	if (!branch->skips && f->count >= FIXUPS - FIXUPS_SKIPS)
		return;
	assert(f->count < FIXUPS && "an IT block has no more");
	f->list[f->count++] = *branch;
	f->skips += branch->skips;
}

static void lead_here(struct emit_memory *m, const struct fixup *x)
{
	if (x->number) {
		emit_exits(m, x->at, x->number, x->symbol, emit_here(m));
		return;
	}
	const u32 distance = (u32)(emit_here(m) - (x->at.hot + 4));
	emit_bytes(m, x->at.hot, (const u8 *)&distance, 4);
}

void fixups_resolve(struct fixups *f, struct emit_memory *m, unsigned i, bool skips)
{
	unsigned kept = 0;

	for (unsigned k = 0; k < f->count; k++) {
		const struct fixup *x = &f->list[k];
		if (x->slot == i && x->skips == skips)
			lead_here(m, x);
		else
			f->list[kept++] = *x;
	}
	f->skips -= skips ? f->count - kept : 0;
	f->count = kept;
}
