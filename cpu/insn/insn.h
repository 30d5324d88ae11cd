/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction table: one row per encoding, the source of decoder, disassembler and random
 * encoder. Private to cpu/. Row format: docs/design/how-to-add-an-instruction.md. */
#ifndef CPU_INSN_INSN_H
#define CPU_INSN_INSN_H

#include "cpu/engine/slot.h"
#include "cpu/exec/ops.h"
#include "memory/types.h"

/* What the core must have for a row to be decoded. */
enum feature {
	FEAT_BASE, /* Armv8.1-M Mainline with LOB */
	FEAT_DSP,
	FEAT_SEC,
	FEAT_FPMEM, /* FP or MVE: loads, stores and moves of the FP register file */
	FEAT_FP,   /* half and single precision */
	FEAT_FP64,
	FEAT_MVE,
	FEAT_MVEF,
	FEAT_PACBTI,
	FEAT_COUNT
};

/* Values of the pattern's fields, indexed by their letter; absent ones are 0. */
struct fields { u32 v[128]; };

/* Where an instruction stands, for operands that depend on it. */
struct insn_at { u32 pc; u8 length; bool in_it; };

/* Turns fields into slot operands. A branch leaves its byte offset from pc + 4 in imm. */
typedef void insn_form(struct slot *s, const struct fields *f, const struct insn_at *at);

struct insn_row {
	const char *id;      /* unique name of the encoding, as the Arm ARM's with a suffix */
	const char *pattern; /* bits and constraints */
	const char *syntax;  /* as arm-none-eabi-objdump prints it */
	insn_form *form;
	u16 op;              /* enum op */
	u8 feature;          /* enum feature */
};

extern const struct insn_row insn_rows[];
extern const unsigned insn_row_count;

/* Number of an S register from a field gathered DVVVV (fields d and m; n is gathered VVVVN). */
static inline u8 insn_sreg(u32 v) { return (u8)((v << 1 & 0x1e) | v >> 4); }

/* A pattern as parsed. */
#define INSN_MAX_FIELDS 14
#define INSN_MAX_CONSTRAINTS 12
enum constraint_kind {
	CONSTRAINT_NE, CONSTRAINT_EQ, CONSTRAINT_LT, CONSTRAINT_LE, CONSTRAINT_GT,
	CONSTRAINT_IN,  /* n@l: bit n of list l is set */
	CONSTRAINT_OUT, /* n~l: bit n of list l is clear */
	CONSTRAINT_BITS, /* l#1: more than one bit of l is set */
	CONSTRAINT_SUM, /* i+w<32 */
	CONSTRAINT_LIST, /* d:i<33: the same, d gathered DVVVV taken as the number of an S register */
};

struct insn_pattern {
	u32 mask, value;  /* fixed bits; a 16-bit encoding occupies bits 15:0 */
	u32 should_be_one; /* ignored bits that an encoder sets */
	u8 length;        /* 2 or 4 */
	u8 field_count, constraint_count;
	i8 it;            /* 1: only inside an IT block, 0: only outside, -1: both */
	struct { char letter; u32 mask; } field[INSN_MAX_FIELDS];
	struct { char letter; u8 kind; u16 value; char other; } constraint[INSN_MAX_CONSTRAINTS];
};

/* The table for one core; owned by whoever made it. A row is parsed when it is first asked for, so one thread may use a set until
 * insn_set_complete() has parsed all of them. */
struct insn_set;
struct insn_set *insn_set_new(u32 features); /* bit per enum feature; NULL: out of memory */
void insn_set_free(struct insn_set *set);
void insn_set_complete(const struct insn_set *set);

/* True when a 32-bit encoding starts with this halfword. */
static inline bool insn_is_wide(u16 first) { return first >= 0xe800; }

/* Row of an encoding (first halfword in bits 31:16 when length is 4) or NULL. */
const struct insn_row *insn_find(const struct insn_set *set, u32 encoding, unsigned length, bool in_it);

/* Parses row->pattern; asserts on a malformed one (the table is ours). */
void insn_parse(const struct insn_row *row, struct insn_pattern *out);
/* Takes fields out of an encoding. */
void insn_fields(const struct insn_pattern *p, u32 encoding, struct fields *out);
/* True when the fixed bits and all constraints (except IT) hold. */
bool insn_matches(const struct insn_pattern *p, u32 encoding);
/* The pattern of a row. */
const struct insn_pattern *insn_pattern_of(const struct insn_set *set, const struct insn_row *row);

#endif
