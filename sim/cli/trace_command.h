/* SPDX-License-Identifier: Apache-2.0 */
/* `fvp-sim trace convert FILE KIND=OUT[,FILTER...]`: other kinds of trace from a compact binary one. */
#ifndef SIM_CLI_TRACE_COMMAND_H
#define SIM_CLI_TRACE_COMMAND_H

/* argv[0] is "trace" (ignored). Returns the exit status of the process: 0, or one of sim/exit.h's. */
int trace_command(int argc, char **argv);

#endif
