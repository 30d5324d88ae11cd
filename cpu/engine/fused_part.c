/* SPDX-License-Identifier: Apache-2.0 */
/* Handlers of frequent sequences: the bodies of two to seven neighbours in one handler, so that
 * only the last one dispatches. Compiled once for each part of the list, as all of it takes a compiler
 * gigabytes: IN_PART_n is HERE for one n, ELSEWHERE for the others. */
#ifndef ENGINE_NO_TAIL /* the switch engine enters no handlers */
#include "cpu/engine/fused_body.h"
#include "cpu/engine/fused_names.h"

#define HERE(...) __VA_ARGS__
#define ELSEWHERE(...)

#define HANDLER_2(x, lx, y, ly, eq) \
	void FUSED_2(x, lx, y, ly, eq)(HANDLER_ARGS) \
	{ \
		BEFORE_2(x, lx, eq); \
		LAST(y, ly, at_two_); \
	}
#define HANDLER_3(x, lx, y, ly, z, lz, eq) \
	void FUSED_3(x, lx, y, ly, z, lz, eq)(HANDLER_ARGS) \
	{ \
		BEFORE_3(x, lx, y, ly, eq); \
		LAST(z, lz, at_three_); \
	}
#define HANDLER_4(w, lw, x, lx, y, ly, z, lz, eq) \
	void FUSED_4(w, lw, x, lx, y, ly, z, lz, eq)(HANDLER_ARGS) \
	{ \
		BEFORE_4(w, lw, x, lx, y, ly, eq); \
		LAST(z, lz, at_four_); \
	}
#define HANDLER_5(v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	void FUSED_5(v, lv, w, lw, x, lx, y, ly, z, lz, eq)(HANDLER_ARGS) \
	{ \
		BEFORE_5(v, lv, w, lw, x, lx, y, ly, eq); \
		LAST(z, lz, at_five_); \
	}
#define HANDLER_6(u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	void FUSED_6(u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq)(HANDLER_ARGS) \
	{ \
		BEFORE_6(u, lu, v, lv, w, lw, x, lx, y, ly, eq); \
		LAST(z, lz, at_six_); \
	}
#define HANDLER_7(t, lt, u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq) \
	void FUSED_7(t, lt, u, lu, v, lv, w, lw, x, lx, y, ly, z, lz, eq)(HANDLER_ARGS) \
	{ \
		BEFORE_7(t, lt, u, lu, v, lv, w, lw, x, lx, y, ly, eq); \
		LAST(z, lz, at_seven_); \
	}

#define F2(part, ...) IN_PART_##part(HANDLER_2(__VA_ARGS__))
#define F3(part, ...) IN_PART_##part(HANDLER_3(__VA_ARGS__))
#define F4(part, ...) IN_PART_##part(HANDLER_4(__VA_ARGS__))
#define F5(part, ...) IN_PART_##part(HANDLER_5(__VA_ARGS__))
#define F6(part, ...) IN_PART_##part(HANDLER_6(__VA_ARGS__))
#define F7(part, ...) IN_PART_##part(HANDLER_7(__VA_ARGS__))
#include "cpu/engine/fused.def"
#endif
