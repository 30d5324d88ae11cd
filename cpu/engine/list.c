/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of registers in translated code: checked once, then moved one by one. */
#include "cpu/engine/list.h"
#include "cpu/engine/direct.h"
#include "cpu/sys/caches.h"

#define TWO_LINES 36u /* bytes at words that lie in no more */

/* Those with SP as base must look at its limit. */
bool list_is_laid(const struct cpu *c, unsigned op, const struct slot *s)
{
	if (c->caches && op_infos[op].uses & LIST && s->d > TWO_LINES)
		return false;
	switch (op) {
	case OP_push: case OP_pop: case OP_pop_pc:
		return true;
	case OP_stmdb_w: case OP_ldmia_w: case OP_ldmia: case OP_stmia: case OP_ldmdb: case OP_stmdb:
		return true;
	case OP_stmia_w: case OP_ldmdb_w:
		return s->a != 13;
	case OP_ldmia_w_pc:
		return s->a == 13;
	default:
		return false;
	}
}

bool list_jumps(unsigned op) { return op == OP_pop_pc || op == OP_ldmia_w_pc; }

/* Stencils of a list: before it, of each register, and behind it (PART_COUNT: none). */
struct list_parts { u8 open, one, close; };

static struct list_parts list_parts(unsigned op, const struct slot *s)
{
	bool sp = s->a == 13;

	switch (op) {
	case OP_push: return (struct list_parts){ PART_open_store_sp, PART_store_one, PART_base_down };
	case OP_stmdb_w: return (struct list_parts){ sp ? PART_open_store_sp : PART_open_store_down, PART_store_one, PART_base_down };
	case OP_stmia_w: return (struct list_parts){ PART_open_store, PART_store_one, PART_base_up };
	case OP_stmia: return (struct list_parts){ PART_open_store, PART_store_one, PART_COUNT };
	case OP_stmdb: return (struct list_parts){ PART_open_store_down, PART_store_one, PART_COUNT };
	case OP_pop: return (struct list_parts){ PART_open_load_sp, PART_load_one, PART_base_up };
	case OP_ldmia_w: return (struct list_parts){ sp ? PART_open_load_sp : PART_open_load, PART_load_one, PART_base_up };
	case OP_ldmia: return (struct list_parts){ PART_open_load, PART_load_one, PART_COUNT };
	case OP_ldmdb: return (struct list_parts){ PART_open_load_down, PART_load_one, PART_COUNT };
	case OP_ldmdb_w: return (struct list_parts){ PART_open_load_down, PART_load_one, PART_base_down };
	default: return (struct list_parts){ PART_open_load_sp, PART_load_one, PART_base_up };
	}
}

static void lay(struct emit_memory *m, unsigned number, const struct emit_values *v)
{
	emit_stencil(m, stencil_part[number], v);
}

void list_lay(const struct cpu *c, struct emit_memory *m, unsigned op, const struct slot *s, const struct emit_values *v)
{
	const struct list_parts parts = list_parts(op, s);
	struct emit_values one = *v;
	u32 at = 0;

	lay(m, parts.open + (c->caches ? PART_waits_open_load - PART_open_load : 0), v);
	if (list_jumps(op)) { /* refused before anything is loaded */
		one.value[HOLE_IMM] = s->d - 4u;
		lay(m, PART_load_pc, &one);
	}
	if (c->caches)
		direct_lay_list(m, s, (uintptr_t)v->value[HOLE_PLAIN], op_infos[op].uses & W_MEM, caches_data_off(c) ? COST_PAYS : COST_LINES);
	for (u32 list = s->imm & 0x7fff; list; list &= list - 1, at += 4) {
		one.value[HOLE_A] = offsetof(struct cpu, core.r) + 4u * (unsigned)__builtin_ctz(list);
		one.value[HOLE_IMM] = at;
		lay(m, parts.one, &one);
	}
	if (parts.close != PART_COUNT)
		lay(m, parts.close, v);
	if (list_jumps(op))
		lay(m, v->value[HOLE_GO] ? PART_leave_latest : PART_jump_latest, v);
}
