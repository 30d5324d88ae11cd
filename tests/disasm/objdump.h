/* SPDX-License-Identifier: Apache-2.0 */
/* What arm-none-eabi-objdump makes of encodings: they are assembled with .inst directives into an
 * object file, which is then disassembled. */
#ifndef TESTS_DISASM_OBJDUMP_H
#define TESTS_DISASM_OBJDUMP_H

#include "memory/types.h"

enum sample_context {
	SAMPLE_PLAIN,
	SAMPLE_IN_IT,  /* an "it eq" is put before it */
	SAMPLE_IN_VPT, /* a "vpst" is put before it */
	SAMPLE_OPENS,  /* is an IT or VPT itself: instructions that it may rule follow */
};

struct sample {
	u32 encoding; /* first halfword in the high half when length is 4 */
	u8 length, context;
	u32 pc;        /* result: address in the object file */
	char text[96]; /* result: objdump's text, without comments and symbols */
};

/* Fills pc and text of all samples; "OBJDUMP STOPS" where it fails on one. False: no tool chain. */
bool objdump_samples(struct sample *samples, unsigned count);

/* Says why a test is skipped; its exit status. */
int objdump_missing(void);

#endif
