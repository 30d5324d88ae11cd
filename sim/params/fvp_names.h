/* SPDX-License-Identifier: Apache-2.0 */
/* The FVPs by their names; sim/params/fvp_names.def is the table. */
#ifndef SIM_FVP_NAMES_H
#define SIM_FVP_NAMES_H

#include "sim/config.h"

/* Name i; NULL behind the last. */
const char *fvp_name(unsigned i);

/* The defaults of an FVP, by its name; a path before it and an ending (".exe") do not count. False: the name is none. */
bool fvp_machine_config(struct machine_config *c, const char *program);

#endif
