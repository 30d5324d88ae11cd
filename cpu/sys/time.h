/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the system side in the scheduler, SysTick and counters. Private to cpu/sys/. */
#ifndef CPU_SYS_TIME_H
#define CPU_SYS_TIME_H

#include "cpu/sys/sys.h"

enum sys_event { SYS_EVENT_SYSTICK_NS, SYS_EVENT_SYSTICK_S, SYS_EVENT_PMU, SYS_EVENT_DWT_CYCLE };

void systick_reset(struct cpu *c); /* both timers off */
void systick_event(struct cpu *c, bool secure); /* the timer of that state has reached zero */

/* Brings all counters up to now; after changes of their enables call counters_schedule. */
void counters_sync(struct cpu *c);
void counters_schedule(struct cpu *c);
void counters_event(struct cpu *c);
/* The core has entered sys.counted_secure's other state: some counters count in one only. */
void counters_follow_state(struct cpu *c);
/* The event of a comparator that watches the DWT cycle counter. */
void counters_cycle_match(struct cpu *c);

/* Ticks of simulated time per CPU cycle. */
static inline u64 sys_period(const struct cpu *c) { return sched_period(c->config.clock_hz); }

#endif
