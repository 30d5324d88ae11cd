/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of the stream as tables (npu/cmd.def; npu/u85/cmd.def for Ethos-U85), the register
 * file they write, and access to fields by name: FIELD(regs, IFM_PRECISION, format), on U85
 * FIELD85(regs, IFM_PRECISION, storage). */
#ifndef NPU_CMD_H
#define NPU_CMD_H

#include "memory/types.h"

#define NPU_CMD1 0x4000u /* control = 1 in the low half of a command word */
#define NPU_CMD_MASK 0xc3ffu /* control and opcode */

/* Low half of the command word, reserved bits cleared. */
enum npu_command {
#define OP(code, name, products, doc) NPU_CMD_##name = code,
#define C0(code, name, products, doc) NPU_CMD_##name = code,
#define C1(code, name, products, doc) NPU_CMD_##name = (code) | NPU_CMD1,
#include "npu/cmd.def"
};

/* The same of Ethos-U85; the operations up to PMU_MASK have equal codes. */
enum npu85_command {
#define OP(code, name, doc) NPU85_CMD_##name = code,
#define C0(code, name, doc) NPU85_CMD_##name = code,
#define C1(code, name, doc) NPU85_CMD_##name = (code) | NPU_CMD1,
#define X(code, name, doc) NPU85_CMD_##name = (code) | NPU_CMD1,
#include "npu/u85/cmd.def"
};

/* Where the fields lie: lowest bit and width. */
enum npu85_field_position {
#define F(name, field, low, width, doc) \
	NPU85_LOW_##name##_##field = low, NPU85_WIDTH_##name##_##field = width,
#include "npu/u85/cmd.def"
};

enum npu_field_position {
#define F(name, field, low, width, doc) \
	NPU_LOW_##name##_##field = low, NPU_WIDTH_##name##_##field = width,
#include "npu/cmd.def"
};

/* All command registers; they keep their values until overwritten, zero after reset. */
struct npu_regs {
	u16 c0[256]; /* cmd0 0x100 + i */
	u64 c1[256]; /* cmd1 0x000 + i: payload | parameter << 32 */
};

/* A register by the code of its command. */
static inline u64 npu_reg(const struct npu_regs *r, unsigned c)
{
	return (c & NPU_CMD1) ? r->c1[c & 0xff] : r->c0[c & 0xff];
}

/* `width` < 64 bits of the value from bit `low` on. */
static inline u64 npu_bits(u64 value, unsigned low, unsigned width)
{
	return (value >> low) & ((UINT64_C(1) << width) - 1);
}

#define FIELD(regs, name, field) \
	npu_bits(npu_reg(regs, NPU_CMD_##name), NPU_LOW_##name##_##field, \
		 NPU_WIDTH_##name##_##field)
/* The same of a parameter at hand. */
#define PARAM(param, name, field) \
	((u32)npu_bits(param, NPU_LOW_##name##_##field, NPU_WIDTH_##name##_##field))

#define FIELD85(regs, name, field) \
	npu_bits(npu_reg(regs, NPU85_CMD_##name), NPU85_LOW_##name##_##field, \
		 NPU85_WIDTH_##name##_##field)
#define PARAM85(value, name, field) \
	((u32)npu_bits(value, NPU85_LOW_##name##_##field, NPU85_WIDTH_##name##_##field))

enum npu_command_kind {
	NPU_KIND_OP,
	NPU_KIND_C0,
	NPU_KIND_C1,
	NPU_KIND_OP1, /* operation with a payload word */
};

struct npu_command_info {
	u16 code;     /* enum npu_command */
	u8 kind;      /* enum npu_command_kind */
	u8 products;  /* OR of enum npu_product */
	const char *name;
	const char *doc;
};

struct npu_field_info {
	u16 code; /* of the command it belongs to */
	u8 products;
	u8 low, width;
	const char *command;
	const char *name;
	const char *doc;
};

extern const struct npu_command_info npu_commands[];
extern const unsigned npu_command_count;
extern const struct npu_field_info npu_fields[];
extern const unsigned npu_field_count;

/* Rows of one product by control and opcode: row number + 1, 0 where there is none. */
struct npu_command_index {
	u16 row[2][1024];
};

void npu_command_index_build(struct npu_command_index *x, u8 product); /* of npu_commands */

/* The row for a command word; NULL when the product has none. */
static inline const struct npu_command_info *npu_command_find(const struct npu_command_index *x,
							      u32 word)
{
	unsigned control = (word >> 14) & 3;
	unsigned row = control < 2 ? x->row[control][word & 0x3ff] : 0;
	return row ? &npu_commands[row - 1] : NULL;
}

/* The row for the word on any product, for messages; NULL when there is none. */
const struct npu_command_info *npu_command_any(u32 word);

/* One command as text: "IFM_PRECISION type=1 precision=0 format=1". `value` is the parameter
 * or, for cmd1, payload | parameter << 32. Always terminates; returns `out`. */
char *npu_command_text(const struct npu_command_info *c, u64 value, char *out, size_t size);

#endif
