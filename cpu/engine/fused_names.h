/* SPDX-License-Identifier: Apache-2.0 */
/* The handlers of the list by name: operations with their lengths, and which operands are the same. Private to
 * fused*.c. */
#ifndef CPU_ENGINE_FUSED_NAMES_H
#define CPU_ENGINE_FUSED_NAMES_H

#include "cpu/engine/fuse.h"

#define FUSED_2(x, lx, y, ly, eq) fused_##x##lx##_##y##ly##_##eq
#define FUSED_3(x, lx, y, ly, z, lz, eq) fused_##x##lx##_##y##ly##_##z##lz##_##eq
#define FUSED_4(w, lw, x, lx, y, ly, z, lz, eq) fused_##w##lw##_##x##lx##_##y##ly##_##z##lz##_##eq
#define FUSED_5(v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	fused_##v##lv##_##w##lw##_##x##lx##_##y##ly##_##z##lz##_##eq
#define FUSED_6(u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	fused_##u##lu##_##v##lv##_##w##lw##_##x##lx##_##y##ly##_##z##lz##_##eq
#define FUSED_7(t, lt, u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	fused_##t##lt##_##u##lu##_##v##lv##_##w##lw##_##x##lx##_##y##ly##_##z##lz##_##eq

#define F2(part, ...) handler_fn FUSED_2(__VA_ARGS__);
#define F3(part, ...) handler_fn FUSED_3(__VA_ARGS__);
#define F4(part, ...) handler_fn FUSED_4(__VA_ARGS__);
#define F5(part, ...) handler_fn FUSED_5(__VA_ARGS__);
#define F6(part, ...) handler_fn FUSED_6(__VA_ARGS__);
#define F7(part, ...) handler_fn FUSED_7(__VA_ARGS__);
#include "cpu/engine/fused.def"
#undef F2
#undef F3
#undef F4
#undef F5
#undef F6
#undef F7

#endif
