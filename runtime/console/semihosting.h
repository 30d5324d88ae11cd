/* SPDX-License-Identifier: Apache-2.0 */
/* Arm semihosting calls (Semihosting for AArch32 and AArch64, 2021). */
#ifndef RUNTIME_SEMIHOSTING_H
#define RUNTIME_SEMIHOSTING_H

/* One call: BKPT 0xAB with the number in r0 and the parameter in r1. -1 when nobody serves it. */
int semihosting_call(int number, const void *parameter);

/* Ends the run with that status (SYS_EXIT_EXTENDED); without semihosting the console gets the
 * end-of-transmission character instead, and the call returns. */
void semihosting_exit(int status);

#endif
