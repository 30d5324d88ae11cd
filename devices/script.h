/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of VIO and VSI: a script, whose functions have the names and arguments of Arm's interface for the FVPs
 * (AVH, "VSI Python interface", "VIO Python interface"). */
#ifndef DEVICES_SCRIPT_H
#define DEVICES_SCRIPT_H

#include "devices/device.h"

/* What a function gives. */
enum script_gives {
	SCRIPT_NOTHING,   /* or whatever: it is ignored */
	SCRIPT_NUMBER,
	SCRIPT_NUMBER_OR, /* a number; None: what it was called with */
	SCRIPT_BYTES,     /* as many as it was asked for */
};

/* H(name, numbers it is called with, what it gives); bytes come before the numbers. */
#define SCRIPT_HOOKS(H)              \
	H(init, 0, NOTHING)          \
	H(rdIRQ, 0, NUMBER)          \
	H(wrIRQ, 1, NUMBER_OR)       \
	H(wrTimer, 2, NUMBER_OR)     \
	H(timerEvent, 0, NOTHING)    \
	H(wrDMA, 2, NUMBER_OR)       \
	H(rdDataDMA, 1, BYTES)       \
	H(wrDataDMA, 1, NOTHING)     \
	H(rdRegs, 1, NUMBER)         \
	H(wrRegs, 2, NUMBER_OR)      \
	H(rdSignal, 1, NUMBER)       \
	H(wrSignal, 2, NOTHING)      \
	H(rdValue, 1, NUMBER)        \
	H(wrValue, 2, NOTHING)

enum script_hook {
#define H(name, numbers, gives) HOOK_##name,
	SCRIPT_HOOKS(H)
#undef H
	HOOKS
};

struct script_call {
	enum script_hook hook;
	u32 number[2];
	const u8 *data; /* wrDataDMA: what the memory has; rdDataDMA: what came, NULL: nothing; until the next call */
	u32 bytes;
	u32 answer;     /* the number that came; before: what holds where none comes */
};

/* Kept by the caller for the device's life. */
struct script_host {
	void (*call)(void *ctx, struct script_call *c);
	void *ctx;
	u32 hooks;       /* bit n: the script has the function with that number */
	struct bus *bus; /* of the DMA */
};

/* VIO or VSI. */
void script_connect(struct device *d, struct script_host *host);

/* Does the device's script have this function? */
static inline bool script_has(const struct device *d, enum script_hook hook)
{
	const struct script_host *host = d->host;

	return host && host->hooks >> hook & 1;
}

/* Calls it, where it is there; `otherwise`: the answer where it is not. */
u32 script_ask(struct device *d, enum script_hook hook, u32 first, u32 second, u32 otherwise);

#endif
