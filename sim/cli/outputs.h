/* SPDX-License-Identifier: Apache-2.0 */
/* No file that a run writes may be one that it reads or one that it writes as something else, but for serial ports of the FVPs. */
#ifndef SIM_OUTPUTS_H
#define SIM_OUTPUTS_H

#include "sim/cli/request.h"

/* Compares the names of the whole command line, before any file is opened. False after one line on standard error. */
bool outputs_check(const struct request *c);

/* May --dump-layers, or --npu-dump-layers, write `path` into its folder; NULL: it has none. */
bool outputs_is_tensor(const char *path, const char *folder);

/* Can the files be made that are written at the end of a run, or late in it? False after one line, so that a long run does not end in vain. */
bool outputs_possible(const struct request *c);

#endif
