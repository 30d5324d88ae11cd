/* SPDX-License-Identifier: Apache-2.0 */
/* Our own command line. */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include "sim/cli/request.h"

/* Result of reading a command line: go on, or end with this exit status. */
enum { OPTIONS_RUN = -1 };

/* Fills c from argv[1..]. Prints help, version or one line about what is wrong. The strings of
 * argv are kept and may be cut in place. */
int options_parse(struct request *c, int argc, char **argv);

/* Can what a command line asks for, ours or an FVP's, be had together? False behind one line on standard error. */
bool options_fit(const struct request *c);

#endif
