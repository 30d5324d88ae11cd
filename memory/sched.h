/* SPDX-License-Identifier: Apache-2.0 */
/* Simulated time and the queue of things that will happen.
 *
 * One 64-bit count of ticks. The tick rate is a common multiple of every clock of the
 * supported boards (25/32/100 MHz, 1 GHz, 32.768 kHz, ...), so that no clock ever needs
 * rounding: 192 GHz = 2^15 * 3 * 5^9 Hz. 64 bits last 3 years.
 *
 * Events are data, not callbacks: {when, device, kind, sequence, argument}. The queue can be
 * copied, hashed and compared. Events of equal time come in the order they were added. */
#ifndef MEMORY_SCHED_H
#define MEMORY_SCHED_H

#include "memory/types.h"

#define SCHED_TICKS_PER_SECOND UINT64_C(192000000000)
#define SCHED_NEVER UINT64_MAX
#define SCHED_MAX_EVENTS 256
#define SCHED_MAX_DEVICES 128

struct sched_event {
	u64 when;     /* ticks */
	u64 argument; /* belongs to the device */
	u32 sequence; /* order of adding; breaks ties */
	u16 device;   /* id given by sched_attach */
	u16 kind;     /* belongs to the device */
};

/* Called when an event is due; sched->now equals ev->when. */
typedef void sched_handler(void *ctx, const struct sched_event *ev);

struct sched {
	u64 now;  /* ticks; exact while a device or event handler runs */
	u64 next; /* ticks of the earliest event, SCHED_NEVER when none */
	u32 count;
	u32 sequence;
	u64 handled; /* events so far */
	struct sched_event heap[SCHED_MAX_EVENTS];
	/* behind here: who receives, which is no state */
	bool handling; /* an event */
	bool halt;     /* set while one is handled: sched_run leaves after it */
	u64 last;      /* sched_run handles none when `handled` is so high; UINT64_MAX as at first: all */
	u32 device_count;
	struct { sched_handler *fn; void *ctx; } device[SCHED_MAX_DEVICES];
};

void sched_init(struct sched *s); /* time 0, no events, no receivers */

/* Registers a receiver of events and returns its id; asserts when the table is full. */
u16 sched_attach(struct sched *s, sched_handler *fn, void *ctx);

/* Adds an event at `when` ticks (an earlier time than now means: now). */
void sched_add(struct sched *s, u16 device, u16 kind, u64 when, u64 argument);

/* Removes all events of that device and kind. */
void sched_cancel(struct sched *s, u16 device, u16 kind);

/* Sets now = `until` step by step, handling every event due at or before it; s->halt, which the caller clears, keeps
 * those that follow for the next call. */
void sched_run(struct sched *s, u64 until);

struct state_list;
/* Registers time and events. Who receives them must be attached in the same order where they are restored. */
void sched_state(struct sched *s, struct state_list *list);

/* Ticks per cycle of a clock, the nearest whole number of them where its rate does not divide the tick rate; 0: it is faster than that. */
u64 sched_period(u64 hertz);

#endif
