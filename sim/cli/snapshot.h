/* SPDX-License-Identifier: Apache-2.0 */
/* A run that begins with a saved state, or saves one on its way. */
#ifndef SIM_CLI_SNAPSHOT_H
#define SIM_CLI_SNAPSHOT_H

#include "sim/cli/request.h"

/* Takes the state in c->restore, if one is given. 0, or an exit status after a message. */
int snapshot_restore(struct fvpsim_machine *m, const struct request *c);

/* Runs to the place of c->save_at, if one is given, and saves the state there. 0, or an exit status after a message; the
 * run may have ended before. */
int snapshot_save(struct fvpsim_machine *m, const struct request *c);

#endif
