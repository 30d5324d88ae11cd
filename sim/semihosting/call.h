/* SPDX-License-Identifier: Apache-2.0 */
/* A semihosting call under way. Private to sim/semihosting/. */
#ifndef SIM_SEMIHOSTING_CALL_H
#define SIM_SEMIHOSTING_CALL_H

#include "sim/history/journal.h"
#include "sim/machine.h"
#include "sim/semihosting/semihosting_files.h"

enum { MAX_WORDS = 4 };

/* Operations are numbered up to 0xff; what is above counts as one. */
enum { NUMBERS = 0x101 };

enum message { UNKNOWN, UNREACHABLE, CUT, OUTSIDE, MESSAGES };

struct semihosting {
	struct machine *machine;
	const struct semihosting_config *config;
	const char *command_line; /* NULL: that of the configuration */
	struct semihosting_files files;
	bool told[MESSAGES][NUMBERS]; /* each message once per operation */
};

struct call {
	struct semihosting *s;
	struct cpu *cpu;
	u32 parameter;        /* r1 */
	u32 word[MAX_WORDS];  /* of the block it points to */
	u32 number;           /* of the operation, r0 */
	int printed;          /* on the console: enum machine_stream; 0: nothing */
	struct state_buffer answer; /* for the journal: what was written to memory; freed when the call is over */
};

/* Operations that print: once more, for a record. */
int sys_writec(struct call *c);
/* The same for a text. */
int sys_write0(struct call *c);

/* Data of files and of the console. */
int sys_write(struct call *c);
int sys_read(struct call *c);

/* The program gave what is not its memory: tells so once, and gives false and EFAULT. */
bool call_unreachable(const struct call *c, u32 addr, u32 bytes);
/* Writes to the program's memory; false: it is not. */
bool call_poke(struct call *c, u32 addr, const void *in, u32 bytes);

/* What a reason of SYS_EXIT says that is not the application's own exit. */
const char *call_reason_text(u32 reason);

/* The call has put bytes into the program's memory. */
void call_note_written(struct call *c, u32 addr, const void *bytes, u32 count);
/* Keeps the call's answer for a machine that comes by again; gives `result` back. */
u32 call_keep(struct call *c, u32 result);
/* Does once more what the host did when the machine was here before; returns the result. What was printed is printed again
 * only by a machine that has not been here itself. */
u32 call_repeat(struct call *c);

#endif
