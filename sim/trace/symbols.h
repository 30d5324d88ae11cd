/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions for traces and profiles, from the images of a machine. */
#ifndef SIM_TRACE_SYMBOLS_H
#define SIM_TRACE_SYMBOLS_H

#include "sim/machine.h"

/* First address of the function that contains addr; addr itself where no image has a function. */
u32 symbols_function(const struct machine *m, u32 addr);
/* Its name, or "0x...." written into `text`. */
const char *symbols_name(const struct machine *m, u32 addr, char *text, size_t size);
/* Source line of addr; false when no image knows. */
bool symbols_line(struct machine *m, u32 addr, const char **file, int *line);

#endif
