/* SPDX-License-Identifier: Apache-2.0 */
/* Disassembler made from the syntax column of the instruction table. Private to cpu/ (the public
 * face is cpu_disassemble). Text is that of arm-none-eabi-objdump 2.40, without its comments
 * and symbols. Grammar of the column: docs/design/how-to-add-an-instruction.md. */
#ifndef CPU_DISASM_DISASM_H
#define CPU_DISASM_DISASM_H

#include "cpu/insn/insn.h"

/* An instruction being printed, and the text so far. */
struct disasm {
	const struct insn_row *row;
	const struct insn_pattern *pattern;
	struct fields fields;
	u32 pc, encoding;
	const char *cond; /* "" outside IT blocks, else "eq"... */
	const char *vpt;  /* "" outside VPT blocks, else "t" or "e" */
	char *text;
	size_t size, at;
};

void disasm_put(struct disasm *d, const char *fmt, ...) PRINTF_LIKE(2, 3); /* appends; what does not fit is cut off */

/* A named formatter such as {list}: writes the operand. */
struct disasm_format { const char *name; void (*print)(struct disasm *d); };
extern const struct disasm_format disasm_formats[];
extern const unsigned disasm_format_count;

/* Operands as the row's form makes them. */
struct slot disasm_slot(const struct disasm *d);
/* format_int.c; the table in format.c says what each is for. */
void disasm_shift32(struct disasm *d);
void disasm_lsl(struct disasm *d);
void disasm_rotate(struct disasm *d);
void disasm_signed_i(struct disasm *d);
void disasm_signed_i4(struct disasm *d);
void disasm_imm16(struct disasm *d);
void disasm_lo(struct disasm *d);
void disasm_hi(struct disasm *d);
void disasm_xy(struct disasm *d);
void disasm_size(struct disasm *d);
void disasm_cps(struct disasm *d);
void disasm_clear_list(struct disasm *d);
void disasm_tt(struct disasm *d);
void disasm_rzn(struct disasm *d);
void disasm_csinc(struct disasm *d);
void disasm_csinv(struct disasm *d);
void disasm_csneg(struct disasm *d);
void disasm_dsb(struct disasm *d);
void disasm_barrier(struct disasm *d);
void disasm_hint(struct disasm *d);
void disasm_bfpoint(struct disasm *d);
void disasm_wide(struct disasm *d);
void disasm_hex4(struct disasm *d);
void disasm_exchange(struct disasm *d);
void disasm_round(struct disasm *d);
void disasm_half(struct disasm *d);
void disasm_bf(struct disasm *d);
void disasm_bfl(struct disasm *d);
void disasm_bfcsel(struct disasm *d);

extern const char *const disasm_conditions[16];
extern const char *const disasm_core_registers[16];

/* Prints an encoding of 2 or 4 bytes as it reads inside an IT block of condition `cond` (NULL: not
 * in one) and with the VPT suffix `vpt` ("" none). False: not an instruction of that set. */
bool disasm_text(const struct insn_set *set, u32 pc, u32 encoding, unsigned length,
		 const char *cond, const char *vpt, char *text, size_t size);

#endif
