/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the FVPs. */
#ifndef SIM_FVP_H
#define SIM_FVP_H

#include "sim/cli/request.h"

/* Name of the whole in statistics and lists. Some FVPs print their own name, which begins with F: tools
 * take lines that begin with E or F for errors. */
#define FVP_TOP_INSTANCE "cpu_core"

/* True when the program was started under the name of an FVP (its last path component). */
bool fvp_is_name(const char *program);

/* As options_parse, for an FVP's name in argv[0]. */
int fvp_parse(struct request *c, int argc, char **argv);

/* The texts an FVP prints at the end on standard output; host times only with --stat. */
void fvp_print_end(const struct request *c, struct fvpsim_machine *m, double wall_seconds);

#endif
