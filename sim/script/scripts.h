/* SPDX-License-Identifier: Apache-2.0 */
/* The scripts behind a board's virtual interfaces: arm_vsi0.py to arm_vsi7.py and arm_vio.py of one folder.
 *
 * Each runs in a python3 of its own from the machine's making on. What it answers comes from outside: it goes to the
 * journal, and a machine that has gone back or repeats a record gets it from there. What a script holds is not state: a machine
 * is not saved once a script has been called, and a restored one begins with fresh scripts. */
#ifndef SIM_SCRIPT_SCRIPTS_H
#define SIM_SCRIPT_SCRIPTS_H

#include "sim/config.h"
#include "sim/failure.h"

#include <stddef.h>

struct machine;
struct scripts;

/* Starts those that are there; *out NULL: none are asked for. A failure comes with a line in `why`. */
enum failure scripts_new(struct scripts **out, struct machine *m, char *why, size_t why_size);
void scripts_free(struct scripts *s);

/* Which functions each script has, for a record: such a machine can be made without them. */
void scripts_note_hooks(const struct scripts *s, u32 hooks[CONFIG_SCRIPTS]);

/* May the machine be saved? False with a line in `why`. NULL `s`: yes. */
bool scripts_untouched(const struct scripts *s, char *why, size_t why_size);
/* Ends those that have been called and starts them anew. False with a line in `why`. */
bool scripts_begin_again(struct scripts *s, char *why, size_t why_size);

#endif
