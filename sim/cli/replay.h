/* SPDX-License-Identifier: Apache-2.0 */
/* --record and --replay. */
#ifndef SIM_CLI_REPLAY_H
#define SIM_CLI_REPLAY_H

#include "sim/config.h"
#include "sim/record.h"

/* Can the options be had together? False behind one line on standard error. */
bool replay_check_options(const struct run_config *c);

/* Reads c->replay, which becomes the configuration of the run; what the command line says of outputs stays. 0, or an exit
 * status behind one line on standard error; so have the next two. */
int replay_open(struct record *r, struct run_config *c);
/* The machine's state at the start, for a replay, or the begin of a record. */
int replay_start(struct record *r, struct machine *m, const struct run_config *c);
/* After the run: compares with the record, or writes it. */
int replay_finish(struct record *r, struct machine *m, const struct run_config *c);

#endif
