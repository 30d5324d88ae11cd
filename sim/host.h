/* SPDX-License-Identifier: Apache-2.0 */
/* The world around a machine, as the user of the library gives it: where text goes and input comes from. A machine
 * without one uses the standard streams of the process. */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include "memory/types.h"

/* Serial ports are 0, 1, ...; the rest follow as in include/fvpsim.h. */
enum machine_stream { STREAM_ITM = 6, STREAM_OUTPUT, STREAM_ERROR, STREAM_INPUT };

struct machine_host {
	void *ctx;
	void (*output)(void *ctx, int stream, const void *bytes, size_t count);
	size_t (*input)(void *ctx, int stream, void *bytes, size_t count); /* 0: there is no more; NULL: serial ports have none from here */
};

#endif
