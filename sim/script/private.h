/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of sim/script/ share. */
#ifndef SIM_SCRIPT_PRIVATE_H
#define SIM_SCRIPT_PRIVATE_H

#include "devices/script.h"
#include "memory/state.h"
#include "sim/script/child.h"
#include "sim/script/scripts.h"

enum { SCRIPT_PATH = 1024 };

struct script {
	struct machine *machine;
	const char *device, *module; /* "VSI0", "arm_vsi0" */
	char path[SCRIPT_PATH];
	u32 number;              /* in the order of config.script_hooks */
	struct script_host host; /* for the device; no hooks: there is no such script */
	struct child child;
	u64 calls;               /* since it was started, init apart */
	bool failed;             /* has been told */
	bool slow;               /* likewise */
	struct state_buffer data; /* bytes of the latest answer */
};

struct scripts {
	const char *folder; /* NULL: what they answered is in a record */
	struct script script[CONFIG_SCRIPTS];
};

/* For struct script_host; ctx: struct script. */
void script_call(void *ctx, struct script_call *c);
/* Does a script that begins answer in time? */
bool script_begins(const struct script *s);
/* Calls one and takes its answer. False with a line in `why`, empty: there is no time. */
bool script_do(struct script *s, struct script_call *c, char *why, size_t why_size);

#endif
