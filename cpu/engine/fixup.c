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

void fixups_resolve(struct fixups *f, struct emit_memory *m, unsigned i, bool skips)
{
	unsigned kept = 0;

	for (unsigned k = 0; k < f->count; k++) {
		const struct fixup *x = &f->list[k];
		if (x->slot == i && x->skips == skips)
			emit_exits(m, x->at, x->number, x->symbol, emit_here(m));
		else
			f->list[kept++] = *x;
	}
	f->skips -= skips ? f->count - kept : 0;
	f->count = kept;
}
