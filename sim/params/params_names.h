/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the FVPs' parameters. Private to sim/params*.c. */
#ifndef SIM_PARAMS_NAMES_H
#define SIM_PARAMS_NAMES_H

#include "sim/config.h"

/* The parameter that is meant, NULL: none. Other tools' names may begin with the whole system, or with instances we do
 * not have: those components are left out. *digit: the serial port's number where the name has '#'. */
const struct board_param *params_find(const struct board *board, const char *name, unsigned *digit);

/* Parameters of plug-ins exist only with the plug-in. */
bool params_of_plugin(const char *name);

/* True for a parameter of a part of the real board that is not modelled, as far as its name shows it. */
bool params_of_absent_part(const struct board *board, const char *name);

/* A line that there is no such parameter, with the nearest one. */
void params_explain_unknown(const struct board *board, const char *name, char *why, size_t why_size);

#endif
