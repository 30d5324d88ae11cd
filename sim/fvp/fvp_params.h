/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters on an FVP's command line (`-C`) and in its files (`-f`). */
#ifndef SIM_FVP_PARAMS_H
#define SIM_FVP_PARAMS_H

#include "sim/cli/request.h"

/* "INSTANCE.PARAMETER=VALUE"; the text may be cut. An exit status, with a message unless it is 0. */
int fvp_set_parameter(struct request *c, char *text);

/* One parameter a line, with comments. An exit status, with a message unless it is 0. */
int fvp_parameter_file(struct request *c, const char *path);

#endif
