/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that our own command line and the FVPs' have in common and that are more than one value. `option`: its name with
 * dashes, for messages. Every function gives 0, or EXIT_USAGE behind one line on standard error. Strings are kept. */
#ifndef SIM_SETTINGS_H
#define SIM_SETTINGS_H

#include "sim/cli/request.h"

/* Says that an option cannot have that value and what to give. */
int setting_wrong(const char *option, const char *value, const char *wanted);

/* One more program; REQUEST_FILES at most. */
int setting_image(struct request *c, const char *option, char *value);

/* Setters of options (option_setter) into a struct request. */

/* One more file to load or range to dump; REQUEST_FILES of each at most. They cut `value`, and the new one is the last of
 * c->data or c->dumps. */
int setting_data(void *into, char *value);
int setting_dump(void *into, char *value);
int setting_gdb_history(void *into, char *value); /* memory for the way back */
int setting_save_at(void *into, char *value);     /* where the state is saved */
int setting_engine(void *into, char *value);
int setting_cpu_timing(void *into, char *value);
int setting_date(void *into, char *value);        /* of the program's clocks */

#endif
