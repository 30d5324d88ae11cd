/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions met with EPSR.ECI set: some of their beats, and perhaps the first of the next one,
 * were executed before an exception (Armv8-M ARM B5.5). Bodies of MVE operations know about it;
 * here is what else may resume. Only stepping gets here. */
#include "cpu/engine/beats.h"

#include <string.h>

/* Moves of vector lanes to and from core registers are beat-wise outside IT blocks. */
static bool is_lane_move(unsigned op, const struct slot *s)
{
	return op_infos[op].uses & MOVES_LANES && s->d & SLOT_LANE_MOVE;
}

/* Loads and stores of lists have an ICI state in the same bits, naming a register: they are
 * restarted from their first. Those of Secure state are undefined in Non-secure state. */
static bool is_list(const struct cpu *c, unsigned op, const struct slot *s)
{
	switch (op) {
	case OP_vscclrm:
		return c->core.secure && s->d != 0; /* none: a list that goes beyond S31 */
	case OP_vlstm: case OP_vlldm:
		return c->core.secure;
	default:
		return op_infos[op].uses & LIST;
	}
}

bool beats_permit(const struct cpu *c, unsigned op, const struct slot *s)
{
	u32 eci = c->core.eci;
	unsigned kind = op_infos[op].kind;

	/* The end of a loop stands between two vector instructions; BKPT changes nothing. */
	if (op == OP_le || op == OP_le_always || op == OP_letp || op == OP_bkpt ||
	    is_list(c, op, s))
		return true;
	return (kind == KIND_MVE || kind == KIND_MVEMEM || is_lane_move(op, s)) &&
	       (eci == 1 || eci == 2 || eci == 4 || eci == 5);
}

void beats_begin(struct beats *b, const struct cpu *c, unsigned op, const struct slot *s)
{
	static const u8 done[] = {[1] = 1, [2] = 3, [4] = 7, [5] = 7};

	b->list = is_list(c, op, s);
	b->lane_move = is_lane_move(op, s);
	if (!b->lane_move)
		return;
	b->eci = c->core.eci;
	b->done = done[b->eci];
	b->to_core = (op_infos[op].uses & W_A) != 0;
	b->pair = op == OP_vmov_rr_lanes;
	b->a = c->core.r[s->a];
	b->b = c->core.r[s->b];
	memcpy(b->q, c->fp.q, sizeof(b->q));
}

void beats_end(const struct beats *b, struct cpu *c, const struct slot *s)
{
	unsigned beat = s->d & 3;

	if (b->list)
		c->core.eci = 0;
	if (!b->lane_move)
		return;
	if (b->to_core && b->done >> beat & 1)
		c->core.r[s->a] = b->a;
	if (b->pair && b->done >> (beat + 2) & 1)
		c->core.r[s->b] = b->b;
	for (unsigned i = 0; i < ARRAY_LEN(b->q); i++)
		for (unsigned k = 0; k < 4; k++)
			if (b->done >> k & 1)
				c->fp.q[i].w[k] = b->q[i].w[k];
	c->core.eci = b->eci == 5 ? 1 : 0;
}
