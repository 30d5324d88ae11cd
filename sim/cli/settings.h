/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that our own command line and the FVPs' have in common. `option`: its name with dashes, for messages.
 * Every function gives 0, or EXIT_USAGE behind one line on standard error. Strings are kept. */
#ifndef SIM_SETTINGS_H
#define SIM_SETTINGS_H

#include "sim/config.h"

/* Says that an option cannot have that value and what to give. */
int setting_wrong(const char *option, const char *value, const char *wanted);

/* One more program, file to load or range to dump; CONFIG_FILES of each at most. The last two cut `value`, and the
 * new one is the last of c->data or c->dumps. */
int setting_image(struct run_config *c, const char *option, char *value);
int setting_data(struct run_config *c, char *value);
int setting_dump(struct run_config *c, char *value);

/* A limit of time, a limit of processor cycles, the file of the report, the date of the clocks, the processor's timing. */
int setting_seconds(const char *option, const char *value, double *to);
int setting_cycle_limit(struct run_config *c, const char *value);
/* Where debuggers are served. */
int setting_gdb(struct run_config *c, const char *value);
int setting_gdb_history(struct run_config *c, const char *value);
/* A state to begin with, and where one is saved. */
int setting_restore(struct run_config *c, const char *value);
int setting_save_at(struct run_config *c, const char *value);
int setting_record(struct run_config *c, const char *value);
int setting_report(struct run_config *c, const char *value);
int setting_date(struct run_config *c, const char *value);
int setting_cpu_timing(struct run_config *c, const char *value);

/* One more trace, KIND[=FILE][,FILTER...]. */
int setting_trace(struct run_config *c, const char *option, const char *value);

#endif
