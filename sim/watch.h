/* SPDX-License-Identifier: Apache-2.0 */
/* Watched bytes of memory: a run stops behind the instruction, NPU operation or other event that accesses them, under whatever address;
 * reads of instructions do not count. For debuggers and the library. */
#ifndef SIM_WATCH_H
#define SIM_WATCH_H

#include "sim/machine.h"

enum { WATCH_READS = 1, WATCH_WRITES = 2 };

struct watch {
	u32 addr, bytes;
	u8 accesses; /* that count */
	u8 *old;     /* before somebody may write them */
};

/* Begins: pages tell of accesses (bus_public.watched). False: not all of it is memory, or host memory is short. */
bool watch_start(struct machine *m, struct watch *w);
/* Ends. Pages may be shared: who has others calls watch_flag for them. */
void watch_stop(struct machine *m, struct watch *w);
void watch_flag(struct machine *m, const struct watch *w);

/* An access that bus_public.watched tells of: true: it counts. An operation of the NPU says which part of memory it may write, with gaps:
 * it counts where a watched byte has changed. */
bool watch_counts(struct machine *m, struct watch *w, u32 addr, u64 size, enum bus_access access);
/* The run pauses (PAUSE_WATCH) after what is under way; true: that is an event, not an instruction. */
bool watch_halt(struct machine *m);

#endif
