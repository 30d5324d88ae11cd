/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of the FVPs (`-C name=value`): the board's table applied to a configuration. */
#ifndef SIM_PARAMS_H
#define SIM_PARAMS_H

#include "sim/config.h"

#include <stdio.h>

enum params_result {
	PARAMS_SET,
	PARAMS_ABSENT, /* of a part of the real boards that is not modelled: nothing is set */
	PARAMS_WRONG,  /* unknown name (the nearest known one is told), value of the wrong type or out of range */
};

/* Sets one parameter. `value` is kept. One line in `why` unless it is set. */
enum params_result params_set(struct run_config *c, const char *name, char *value, char *why, size_t why_size);

/* In the format of --list-params, which is itself a valid parameter file. */
void params_list(const struct board *board, FILE *out);

#endif
