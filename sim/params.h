/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of the FVPs (`-C name=value`): the board's table applied to a configuration. */
#ifndef SIM_PARAMS_H
#define SIM_PARAMS_H

#include "sim/config.h"

#include <stdio.h>

/* Sets one parameter. `value` is kept. False with one line in `why`: unknown name (with the
 * nearest known one), value of the wrong type or out of range. */
bool params_set(struct run_config *c, const char *name, char *value, char *why, size_t why_size);

/* In the format of --list-params, which is itself a valid parameter file. */
void params_list(const struct board *board, FILE *out);

#endif
