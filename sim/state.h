/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a whole machine, saved and taken back. A restored machine goes on as the saved one did: the same
 * instructions, cycles, output and messages, in any engine. What is printed to files and consoles stays there. */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "memory/state.h"
#include "sim/failure.h"
#include "sim/machine.h"

/* Where machine m keeps its state; belongs to m, made once. NULL: out of host memory. */
const struct state_list *machine_state(struct machine *m);

/* Appends the machine's state to `out`, with a checksum. A failure comes with a line in `why`: while it runs, or out of host memory. */
enum failure machine_save(struct machine *m, struct state_buffer *out, char *why, size_t why_size);

/* Takes it back: into the same machine, or one with the same board, accelerator, parameters and programs. A failure comes with
 * a line in `why`, and nothing has changed then: FAIL_BAD_INPUT: damaged, or something else; FAIL_MISFIT: not of such a machine. */
enum failure machine_restore(struct machine *m, const u8 *from, u64 bytes, char *why, size_t why_size);

#endif
