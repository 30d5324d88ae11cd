/* SPDX-License-Identifier: Apache-2.0 */
/* --record and --replay. */
#ifndef SIM_CLI_REPLAY_H
#define SIM_CLI_REPLAY_H

#include "sim/cli/request.h"

/* Is it an option of the machine, which a record has? */
bool replay_has(const char *option);

/* Can the options be had together? False behind one line on standard error. */
bool replay_check_options(const struct request *c);

/* Begins to record, where that is asked for. 0, or an exit status behind one line on standard error; so has the next one. */
int replay_start(struct fvpsim_machine *m, const struct request *c);
/* After the run: compares with the record, or writes it. */
int replay_finish(struct fvpsim_machine *m, const struct request *c);

#endif
