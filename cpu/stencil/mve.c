/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils of vector instructions with all lanes active: -DVARIANT=plain, or =avx2 with the compiler's options for
 * hosts that have it. That all lanes are active is checked before them, once for several (cpu/stencil/parts.c); else the
 * operation's handler finds the lanes. */
#define OPERANDS_ARE_NUMBERS 1
#include "cpu/stencil/body.h"

#include "cpu/exec/mve.h"

#undef RUN_MVE
#undef RUN_MVEMEM
#define RUN_MVE(name) RUN(name) { \
	op_##name(s, c, f, false); \
	return UNLIKELY(f->refused) ? OUT_SLOW : OUT_NEXT; }
#define RUN_MVEMEM(name) RUN(name) { return LIKELY(op_##name(s, c, f, FAST, false)) ? OUT_NEXT : OUT_SLOW; }

#define OP(name, kind, lengths, uses, class) RUN_##kind(name) PLAIN_STENCIL(name, uses)
#include "cpu/exec/ops_mve.def"
#include "cpu/exec/ops_mve_float.def"
#undef OP
