/* SPDX-License-Identifier: Apache-2.0 */
/* Pending and active exceptions and their priorities. Private to cpu/sys/. */
#ifndef CPU_SYS_NVIC_H
#define CPU_SYS_NVIC_H

#include "cpu/sys/sys.h"

/* Which exception wins, and for which Security state. num 0: none. */
struct nvic_choice { unsigned num; bool secure; int prio; };

/* True when each Security state has its own copy of the exception. */
bool exc_banked(unsigned num);
/* State of a system exception (2..15); `secure` counts only for banked ones. */
struct sys_exception *exc_slot(struct cpu_sys *s, unsigned num, bool secure);
/* Security state that takes exception `num` pended for bank `secure`. */
bool exc_targets_secure(const struct cpu_sys *s, unsigned num, bool secure);
/* The part of the priority that preempts: -4..255, lower is more urgent. */
int exc_priority(const struct cpu_sys *s, unsigned num, bool secure);
bool exc_enabled(const struct cpu_sys *s, unsigned num, bool secure);
bool exc_active(const struct cpu_sys *s, unsigned num, bool secure);
void exc_set_active(struct cpu_sys *s, unsigned num, bool secure, bool active);
void exc_set_pending(struct cpu *c, unsigned num, bool secure, bool pending);

/* Priority of the active exceptions alone, 256 when none. */
int nvic_raw_priority(const struct cpu_sys *s);
/* ... with the mask registers of both states (ExecutionPriority of the Arm ARM). */
int nvic_exec_priority(const struct cpu_sys *s);
/* IsReqExcPriNeg: code of that state runs at a negative priority. */
bool nvic_negative(const struct cpu_sys *s, bool secure);
/* The most urgent pending enabled exception, whatever the current priority. Cached until nvic_changed. */
struct nvic_choice nvic_best_pending(struct cpu_sys *s);
/* The exception that preempts now; num 0 when none. Cached until nvic_changed or nvic_masks_changed. */
struct nvic_choice nvic_ready(struct cpu_sys *s);
unsigned nvic_active_count(const struct cpu_sys *s);
/* Must follow any change of priorities, pending or enable bits; and one of masks and active bits alone. */
static inline void nvic_changed(struct cpu_sys *s) { s->dirty = s->candidate_dirty = true; }
static inline void nvic_masks_changed(struct cpu_sys *s) { s->dirty = true; }

#endif
