/* SPDX-License-Identifier: Apache-2.0 */
/* A run in a file: the machine's parameters, its programs, its state at the start, what came from outside, and how it
 * ended. From that the run is repeated exactly, without the files that it read. */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "sim/history/journal.h"
#include "sim/machine.h"
#include "sim/packed_file.h"

/* How the recorded run ended. */
struct record_end { u64 insns, events, cycles; i32 stop, status; };

struct record {
	struct journal journal;    /* given to the machine */
	struct state_buffer bytes; /* of the file: head, parameters, texts, programs, state, journal */
	struct record_end end;
	u64 images_at, state_at, state_bytes; /* replay: where they are in bytes */
	u32 images;
};

/* Begins to record a machine that is about to run. False with a line in `why`. */
bool record_begin(struct record *r, struct machine *m, const struct limits *limits, char *why, size_t why_size);
/* Writes the file: the run up to here, which the host ends where it has not ended itself. It may go on. */
enum failure record_write(struct record *r, struct machine *m, const char *path, char *why, size_t why_size);

/* Reads a file; its parameters and limits of simulated time go to *config and *limits. Serial ports print on standard output where
 * they did, else nowhere. Texts belong to the record. */
enum failure record_read(struct record *r, const char *path, struct machine_config *config, struct limits *limits, char *why,
			 size_t why_size);
/* Gives a machine of that config its programs; then, once it is ready to start, its state and what came from outside. */
bool record_load(struct record *r, struct machine *m, char *why, size_t why_size);
bool record_start(struct record *r, struct machine *m, char *why, size_t why_size);
/* Has the run come to the limit that stands for the record's end? Then that end is its own: one that came from the host, at a limit
 * of its time for one. */
bool record_reached_end(const struct record *r, struct machine *m);
/* After the run, likewise. False with a line in `why`: it ended otherwise than the record. */
bool record_finish(const struct record *r, struct machine *m, char *why, size_t why_size);

/* Gives all of it back; may be all zero. */
void record_free(struct record *r);

#endif
