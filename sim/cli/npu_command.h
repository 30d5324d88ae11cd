/* SPDX-License-Identifier: Apache-2.0 */
/* `fvp-sim npu`: a compiled network on the NPU alone. */
#ifndef SIM_NPU_COMMAND_H
#define SIM_NPU_COMMAND_H

/* argv[0] is "npu" (ignored), options follow. Returns the exit status of the process:
 * 0, or one of sim/exit.h's. */
int npu_command(int argc, char **argv);

#endif
