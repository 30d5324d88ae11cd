/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of fused sequences and IT blocks, and the handlers of the latter. Those of sequences: fused_part.c. */
#include "cpu/engine/fuse.h"

#ifdef ENGINE_NO_TAIL
/* The switch engine enters no handlers. */
const struct fused fused[] = { { 0 } };
const struct fused_it fused_it[] = { { 0 } };
const unsigned fused_count, fused_it_count;
#else
#include "cpu/engine/fused_body.h"
#include "cpu/engine/fused_names.h"

/* Their handlers and their numbers in sequences. */
#define IT1(name, cond, x, lx, ex) HANDLER(name, name, 2 + (lx))
#define IT2(name, cond, x, lx, ex, y, ly, ey, eq) HANDLER(name, name, 2 + (lx) + (ly))
#define IT3(name, cond, x, lx, ex, y, ly, ey, z, lz, ez, eq) HANDLER(name, name, 2 + (lx) + (ly) + (lz))
#define IT4(name, cond, w, lw, ew, x, lx, ex, y, ly, ey, z, lz, ez, eq) \
	HANDLER(name, name, 2 + (lw) + (lx) + (ly) + (lz))
#include "cpu/engine/fused_it.def"
#undef IT1
#undef IT2
#undef IT3
#undef IT4
enum {
	FUSED_IT_BASE = OP_COUNT - 1,
#define IT1(name, ...) OP_##name,
#define IT2(name, ...) OP_##name,
#define IT3(name, ...) OP_##name,
#define IT4(name, ...) OP_##name,
#include "cpu/engine/fused_it.def"
#undef IT1
#undef IT2
#undef IT3
#undef IT4
};

const struct fused_it fused_it[] = {
#define IT1(name, cond, x, lx, ex) { name, 0, { OP_##x }, { lx }, { ex }, 1, cond },
#define IT2(name, cond, x, lx, ex, y, ly, ey, eq) { name, eq, { OP_##x, OP_##y }, { lx, ly }, { ex, ey }, 2, cond },
#define IT3(name, cond, x, lx, ex, y, ly, ey, z, lz, ez, eq) \
	{ name, eq, { OP_##x, OP_##y, OP_##z }, { lx, ly, lz }, { ex, ey, ez }, 3, cond },
#define IT4(name, cond, w, lw, ew, x, lx, ex, y, ly, ey, z, lz, ez, eq) \
	{ name, eq, { OP_##w, OP_##x, OP_##y, OP_##z }, { lw, lx, ly, lz }, { ew, ex, ey, ez }, 4, cond },
#include "cpu/engine/fused_it.def"
};
const unsigned fused_it_count = ARRAY_LEN(fused_it);

const struct fused fused[] = {
#define ROW_2(x, lx, y, ly, eq) \
	{ FUSED_2(x, lx, y, ly, eq), eq, { OP_##x, OP_##y }, { lx, ly }, 2 },
#define ROW_3(x, lx, y, ly, z, lz, eq) \
	{ FUSED_3(x, lx, y, ly, z, lz, eq), eq, { OP_##x, OP_##y, OP_##z }, { lx, ly, lz }, 3 },
#define ROW_4(w, lw, x, lx, y, ly, z, lz, eq) \
	{ FUSED_4(w, lw, x, lx, y, ly, z, lz, eq), eq, { OP_##w, OP_##x, OP_##y, OP_##z }, { lw, lx, ly, lz }, 4 },
#define ROW_5(v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	{ FUSED_5(v, lv, w, lw, x, lx, y, ly, z, lz, eq), eq, \
	  { OP_##v, OP_##w, OP_##x, OP_##y, OP_##z }, { lv, lw, lx, ly, lz }, 5 },
#define ROW_6(u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	{ FUSED_6(u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq), eq, \
	  { OP_##u, OP_##v, OP_##w, OP_##x, OP_##y, OP_##z }, { lu, lv, lw, lx, ly, lz }, 6 },
#define ROW_7(t, lt, u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	{ FUSED_7(t, lt, u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq), eq, \
	  { OP_##t, OP_##u, OP_##v, OP_##w, OP_##x, OP_##y, OP_##z }, { lt, lu, lv, lw, lx, ly, lz }, 7 },
#define F2(part, ...) ROW_2(__VA_ARGS__)
#define F3(part, ...) ROW_3(__VA_ARGS__)
#define F4(part, ...) ROW_4(__VA_ARGS__)
#define F5(part, ...) ROW_5(__VA_ARGS__)
#define F6(part, ...) ROW_6(__VA_ARGS__)
#define F7(part, ...) ROW_7(__VA_ARGS__)
#include "cpu/engine/fused.def"
};
const unsigned fused_count = ARRAY_LEN(fused);
#endif
