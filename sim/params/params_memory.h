/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters that say how large memories are and how they begin. Each: false when the value is not possible. */
#ifndef SIM_PARAMS_MEMORY_H
#define SIM_PARAMS_MEMORY_H

#include "sim/config.h"

/* The size of the memories whose size_param is `name`. */
bool memory_set_size(struct machine_config *c, const char *name, u64 value);

/* More or fewer banks of the same size. */
bool memory_set_banks(struct machine_config *c, u64 banks);

/* The word, first or second by the last character of `name`, of the pattern that memories begin with: both
 * TCMs ("...tcm_fill_pattern_1"), or those of an instance ("...sram.fill1"), of which there may be none. */
bool memory_set_fill(struct machine_config *c, const char *name, u64 word);

#endif
