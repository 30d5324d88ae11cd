/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads of the host large NPU operations may use. */
#ifndef SIM_PARAMS_THREADS_H
#define SIM_PARAMS_THREADS_H

#include <stdbool.h>

/* What a value may be, for messages. */
#define THREADS_WANTED "a number from 1 to 16"

/* The processors that this process may use, at most 8: more help the largest networks only. */
unsigned threads_default(void);

/* False: not THREADS_WANTED. */
bool threads_parse(const char *text, unsigned *out);

#endif
