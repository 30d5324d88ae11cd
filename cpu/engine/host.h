/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the host (x86-64), as bytes. Private to engine/. */
#ifndef CPU_ENGINE_HOST_H
#define CPU_ENGINE_HOST_H

#include "memory/types.h"

#include <assert.h>
#include <string.h>

#define HOST_BYTES 1024u

/* Registers by the host's numbers. */
enum host_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, HOST_REGISTERS };
#define NO_INDEX RSP /* as the host's encoding has it */

struct host_code { u8 byte[HOST_BYTES]; unsigned n; };

/* An operand: a register, or memory at base + index * scale + distance. */
struct host_operand { bool memory; u8 base, index, shift; i32 distance; };
static inline struct host_operand in_register(unsigned r)
{
	return (struct host_operand){ .base = (u8)r };
}
static inline struct host_operand in_memory(unsigned base, unsigned index, unsigned shift, i32 distance)
{
	return (struct host_operand){ true, (u8)base, (u8)index, (u8)shift, distance };
}

/* What distinguishes an instruction besides its opcode byte. */
enum host_form { FORM_0F = 1, FORM_WIDE = 2, FORM_HALF = 4, FORM_BYTE = 8 };

static inline void put(struct host_code *k, unsigned byte)
{
	assert(k->n < HOST_BYTES && "an instruction has fewer");
	k->byte[k->n++] = (u8)byte;
}
static inline void put_word(struct host_code *k, u32 word)
{
	assert(k->n + 4 <= HOST_BYTES && "an instruction has fewer");
	memcpy(k->byte + k->n, &word, 4);
	k->n += 4;
}
static inline bool is_short(u32 x) { return (u32)(i32)(i8)x == x; }

/* An opcode with register (or opcode extension) `reg` and operand x. FORM_BYTE: of registers the low byte. */
static inline void put_op(struct host_code *k, unsigned form, unsigned opcode, unsigned reg, struct host_operand x)
{
	const bool indexed = x.memory && x.index != NO_INDEX;
	const unsigned rex = (form & FORM_WIDE ? 8u : 0) | (reg >> 3) << 2 | (indexed ? (x.index >> 3u) << 1 : 0) | x.base >> 3u;

	if (form & FORM_HALF)
		put(k, 0x66);
	if (rex || form & FORM_BYTE)
		put(k, 0x40 | rex);
	if (form & FORM_0F)
		put(k, 0x0f);
	put(k, opcode);
	if (!x.memory) {
		put(k, 0xc0 | (reg & 7) << 3 | (x.base & 7));
		return;
	}
	const bool sib = indexed || (x.base & 7) == RSP;
	const unsigned mode = !x.distance && (x.base & 7) != RBP ? 0 : is_short((u32)x.distance) ? 1 : 2;
	put(k, mode << 6 | (reg & 7) << 3 | (sib ? RSP : x.base & 7u));
	if (sib)
		put(k, (unsigned)x.shift << 6 | (x.index & 7u) << 3 | (x.base & 7u));
	if (mode == 1)
		put(k, (u8)x.distance);
	else if (mode == 2)
		put_word(k, (u32)x.distance);
}

/* The eight of the first column, by the host's numbers. */
enum host_alu { ALU_ADD, ALU_OR, ALU_ADC, ALU_SBB, ALU_AND, ALU_SUB, ALU_XOR, ALU_CMP };
enum host_shift { SHIFT_ROR = 1, SHIFT_SHL = 4, SHIFT_SHR = 5, SHIFT_SAR = 7 };
enum host_condition { IF_O, IF_NO, IF_B, IF_AE, IF_E, IF_NE, IF_BE, IF_A, IF_S, IF_NS, IF_L = 12, IF_GE, IF_LE, IF_G };

static inline void put_alu(struct host_code *k, enum host_alu op, unsigned to, unsigned from)
{
	put_op(k, 0, op << 3 | 1u, from, in_register(to));
}
static inline void put_alu_imm(struct host_code *k, enum host_alu op, unsigned to, u32 imm)
{
	put_op(k, 0, is_short(imm) ? 0x83 : 0x81, op, in_register(to));
	if (is_short(imm))
		put(k, (u8)imm);
	else
		put_word(k, imm);
}
static inline void put_mov(struct host_code *k, unsigned to, unsigned from)
{
	if (to != from)
		put_op(k, 0, 0x89, from, in_register(to));
}
static inline void put_mov_imm(struct host_code *k, unsigned to, u32 imm)
{
	if (to >> 3)
		put(k, 0x41);
	put(k, 0xb8 | (to & 7));
	put_word(k, imm);
}
static inline void put_lea(struct host_code *k, unsigned to, struct host_operand x)
{
	put_op(k, 0, 0x8d, to, x);
}
static inline void put_shift(struct host_code *k, unsigned form, enum host_shift op, unsigned to, unsigned by)
{
	put_op(k, form, 0xc1, op, in_register(to));
	put(k, by);
}
static inline void put_not(struct host_code *k, unsigned to) { put_op(k, 0, 0xf7, 2, in_register(to)); }
static inline void put_imul(struct host_code *k, unsigned form, unsigned to, unsigned from)
{
	put_op(k, form | FORM_0F, 0xaf, to, in_register(from));
}
/* Sign extension to 64 bits. */
static inline void put_movslq(struct host_code *k, unsigned to, unsigned from)
{
	put_op(k, FORM_WIDE, 0x63, to, in_register(from));
}
/* movzx or movsx from a byte or halfword. */
static inline void put_extend(struct host_code *k, bool is_signed, bool half, unsigned to, struct host_operand from)
{
	put_op(k, FORM_0F | (half || from.memory ? 0 : FORM_BYTE), (is_signed ? 0xbeu : 0xb6u) | half, to, from);
}
static inline void put_set(struct host_code *k, enum host_condition condition, unsigned to)
{
	put_op(k, FORM_0F | FORM_BYTE, 0x90u | condition, 0, in_register(to));
}
static inline void put_test(struct host_code *k, unsigned a, unsigned b) { put_op(k, 0, 0x85, b, in_register(a)); }
static inline void put_test_byte(struct host_code *k, struct host_operand x, unsigned imm)
{
	put_op(k, x.memory ? 0 : FORM_BYTE, 0xf6, 0, x);
	put(k, imm);
}

#endif
