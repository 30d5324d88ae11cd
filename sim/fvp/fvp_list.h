/* SPDX-License-Identifier: Apache-2.0 */
/* What an FVP's command line can list: parts, memories, parameters. All on standard output. */
#ifndef SIM_FVP_LIST_H
#define SIM_FVP_LIST_H

#include "include/fvpsim.h"

/* --list-instances: one a line. */
void fvp_print_instances(const struct fvpsim_config *c);

/* --list-memory: name, addresses and size of each, with the sizes that parameters have set. */
void fvp_print_memory(const struct fvpsim_config *c);

/* --list-params, into `file` if one is given (--output). 0, or an exit status behind a line on standard error. */
int fvp_print_params(const struct fvpsim_config *c, const char *file);

#endif
