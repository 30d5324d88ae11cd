/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils of vector instructions with all lanes active, for hosts with AVX2 and FMA; with -DDATA_WAITS of those that make an access. That all lanes are active is checked before them, once for several (cpu/stencil/parts.c); else the
 * operation's handler finds the lanes. */
#define OPERANDS_ARE_NUMBERS 1
/* One access, none of several elements or stages, may ask what it takes. */
#define ASKS(bytes, aligned_to) ((aligned_to) < (bytes) && (bytes) <= 16)
#include "cpu/stencil/body.h"

#include "cpu/exec/mve.h"

#ifdef DATA_WAITS
#define STENCIL_OF_MVE(name, uses)
#else
#define STENCIL_OF_MVE(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		op_##name(k, c, &f, false); \
		GO_ON_OR_LEAVE(!f.refused, uses); \
	}
#endif
#define STENCIL_OF_MVEMEM(name, uses) \
	STENCIL(VARIANT, name) \
	{ \
		BEGIN_STENCIL(uses); \
		GO_ON_OR_LEAVE(op_##name(k, c, &f, FAST, false), uses); \
	}
#define OP(name, kind, lengths, uses, class) STENCIL_OF_##kind(name, uses)
#include "cpu/exec/ops_mve.def"
#include "cpu/exec/ops_mve_float.def"
#undef OP
