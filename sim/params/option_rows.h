/* SPDX-License-Identifier: Apache-2.0 */
/* What rows of sim/params/options.def are made of; for the files that include that table only. */
#ifndef SIM_OPTION_ROWS_H
#define SIM_OPTION_ROWS_H

#include "sim/params/host_simd.h"
#include "sim/params/option.h"
#include "sim/params/threads.h"

/* OPTIONS_OF: the structure of the members, the includer's. */
#define IGNORED OPTION_IGNORED, 0, NULL, NULL
#define FLAG(m) OPTION_FLAG, offsetof(OPTIONS_OF, m), NULL, NULL
#define SWITCH(m) OPTION_SWITCH, offsetof(OPTIONS_OF, m), "on or off", NULL
#define TEXT(m) OPTION_TEXT, offsetof(OPTIONS_OF, m), NULL, NULL
#define NAME(m, wanted) OPTION_NAME, offsetof(OPTIONS_OF, m), wanted, NULL
#define SECONDS(m) OPTION_SECONDS, offsetof(OPTIONS_OF, m), "a number of seconds", NULL
#define NUMBER(m, wanted) OPTION_NUMBER, offsetof(OPTIONS_OF, m), wanted, NULL
#define THREADS(m) OPTION_THREADS, offsetof(OPTIONS_OF, m), THREADS_WANTED, NULL
#define SETTER(set) OPTION_SETTER, 0, NULL, set

#endif
