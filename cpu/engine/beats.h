/* SPDX-License-Identifier: Apache-2.0 */
/* Resumed beat-wise execution. Private to engine/. */
#ifndef CPU_ENGINE_BEATS_H
#define CPU_ENGINE_BEATS_H

#include "cpu/engine/engine.h"

/* What a lane move must not change: its beats that are done. */
struct beats {
	bool list, lane_move, to_core, pair;
	u32 eci, done, a, b;
	union vec q[8];
};

/* May this operation be executed with this EPSR.ECI? If not: INVSTATE. */
bool beats_permit(const struct cpu *c, unsigned op, const struct slot *s);
/* Around the execution of one that may; beats_end only when it was completed. */
void beats_begin(struct beats *b, const struct cpu *c, unsigned op, const struct slot *s);
void beats_end(const struct beats *b, struct cpu *c, const struct slot *s);

#endif
