/* SPDX-License-Identifier: Apache-2.0 */
/* What a port's cap lets through, in time. Private to npu/timing/.
 *
 * In each window of the adapter so many beats pass; what nobody asks for until its end is lost. Operations are served in the order in which they
 * begin. Whoever comes earlier in the command stream does not notice those behind it: one that has begun before it counts with what the cap
 * still owes it, one that begins later as if it began now. So nothing passes later because something else begins sooner. */
#ifndef NPU_TIMING_CAP_H
#define NPU_TIMING_CAP_H

#include "npu/timing/model.h"

/* An operation begins at `time`, in cycles from the job's start, and asks for these beats: port_capped_cycles() counts from there on. */
void cap_begin(struct port_model *port, const struct npu_beats *account, u64 time, const struct traffic *asked, bool kernel);

/* It ends at `time`, and its beats go into the account. When all that was asked for so far has passed, in cycles from the job's start; 0: no cap. */
u64 cap_end(const struct port_model *port, struct npu_beats *account, u64 time, const struct traffic *asked, bool kernel);

#endif
