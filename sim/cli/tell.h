/* SPDX-License-Identifier: Apache-2.0 */
/* Failures of the library, told as the program tells its own. */
#ifndef SIM_CLI_TELL_H
#define SIM_CLI_TELL_H

#include "include/fvpsim.h"

int tell_status(const struct fvpsim_error *error); /* the exit status for it */
/* One line on standard error, `where` ("--data: ", or "") first; its exit status. */
int tell_error(const char *where, const struct fvpsim_error *error);

#endif
