/* SPDX-License-Identifier: Apache-2.0 */
/* Writes Perfetto's protobuf trace format (perfetto.dev, "Synthetic TrackEvent"): tracks with slices, instants and
 * counters. Names are written once. Times are in nanoseconds and may come in any order. */
#ifndef TRACES_PERFETTO_H
#define TRACES_PERFETTO_H

#include "memory/types.h"

#include <stdio.h>

enum { PERFETTO_NAMES = 1 << 16, PERFETTO_PACKET = 4096 };

struct perfetto {
	FILE *file;
	char **names;   /* open addressing */
	u64 *name_ids;
	u64 name_count;
	u8 packet[PERFETTO_PACKET], event[PERFETTO_PACKET]; /* being made */
	size_t packet_size, event_size;
	bool has_event;
};

/* `process`: what all tracks belong to. */
void perfetto_init(struct perfetto *p, FILE *file, const char *process);
/* Writes what is left and frees memory; the file stays open. */
void perfetto_done(struct perfetto *p);

/* Names a track; a counter's values have a unit, NULL: none. Numbers are the caller's, from 1. */
void perfetto_track(struct perfetto *p, u64 track, const char *name);
void perfetto_counter(struct perfetto *p, u64 track, const char *name, const char *unit);
/* A slice from begin to end, slices of a track nest; an instant; a counter's value from now on. */
void perfetto_begin(struct perfetto *p, u64 track, u64 ns, const char *name);
void perfetto_end(struct perfetto *p, u64 track, u64 ns);
void perfetto_instant(struct perfetto *p, u64 track, u64 ns, const char *name);
void perfetto_value(struct perfetto *p, u64 track, u64 ns, u64 value);
/* Adds to the slice or instant just begun. */
void perfetto_note(struct perfetto *p, const char *key, const char *value);
void perfetto_note_number(struct perfetto *p, const char *key, u64 value);

#endif
