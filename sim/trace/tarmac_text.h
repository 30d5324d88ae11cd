/* SPDX-License-Identifier: Apache-2.0 */
/* Tarmac text as Arm's tarmac-trace-utilities read it, in the form of the Fast Models: a line an instruction
 * (IT, or IS when its condition failed), the registers that it wrote, its accesses. Time is in processor cycles. */
#ifndef SIM_TRACE_TARMAC_TEXT_H
#define SIM_TRACE_TARMAC_TEXT_H

#include "cpu/observe.h"

#include <stdio.h>

/* An exception that is taken: when, its handler, its number, the state in which the handler runs. */
struct trace_exception { u64 cycle; u32 to; u16 number; bool secure; };

/* Disassembled instructions, kept. */
struct tarmac_text;

/* NULL: host memory is short. */
struct tarmac_text *tarmac_text_new(void);
void tarmac_text_free(struct tarmac_text *k);

/* Writes the lines of one instruction, of one exception. Errors stay in the stream. */
void tarmac_text_instruction(struct tarmac_text *k, const struct cpu_record *r, FILE *f);
void tarmac_text_exception(const struct trace_exception *e, FILE *f);

#endif
