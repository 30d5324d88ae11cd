/* SPDX-License-Identifier: Apache-2.0 */
/* Why something cannot be done, as a value: the program makes exit statuses of it (sim/exit.h), the library kinds of errors
 * (include/fvpsim.h). The sentence that goes with it stands in the `why` of the function that failed. */
#ifndef SIM_FAILURE_H
#define SIM_FAILURE_H

enum failure {
	FAIL_NONE,
	FAIL_USAGE,       /* a name, a value or a combination */
	FAIL_BAD_INPUT,   /* a file is damaged or of the wrong kind */
	FAIL_NO_INPUT,    /* a file cannot be read */
	FAIL_NO_MEMORY,   /* something lies outside the board's memory */
	FAIL_ACCELERATOR, /* a network was compiled for another accelerator */
	FAIL_INTERNAL,    /* the simulator failed, or the host has no memory */
	FAIL_NO_OUTPUT,   /* a file cannot be written */
	FAIL_MISFIT,      /* a state or record of another board, parameters, programs or version */
	FAIL_DIFFERS,     /* a tensor differs from the folder to compare with */
};

#endif
