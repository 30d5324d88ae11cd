/* SPDX-License-Identifier: Apache-2.0 */
/* Expands the syntax of a row: the text outside braces as it is (first blank: a tab), registers,
 * numbers and choices here, named operands in format.c. */
#include "cpu/disasm/disasm.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "cpu/cpu.h"

const char *const disasm_conditions[16] = {
	"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "", "",
};
const char *const disasm_core_registers[16] = {
	"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "sl", "fp", "ip", "sp", "lr", "pc",
};

void disasm_put(struct disasm *d, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int n = vsnprintf(d->text + d->at, d->size - d->at, fmt, args);
	va_end(args);
	d->at += n > 0 ? (size_t)n : 0;
	if (d->at >= d->size)
		d->at = d->size - 1;
}

static u32 field(const struct disasm *d, char letter)
{
	return d->fields.v[(unsigned char)letter];
}

/* Is the field's highest bit the lowest of the register number (D:Vd, M:Vm; but Vn:N)? */
static bool low_bit_first(const struct disasm *d, char letter)
{
	for (unsigned i = 0; i < d->pattern->field_count; i++) {
		u32 mask = d->pattern->field[i].mask;
		if (d->pattern->field[i].letter == letter)
			return __builtin_popcount(mask) == 5 && (mask >> __builtin_ctz(mask) & 15) == 15;
	}
	return false;
}

/* {rn} {sd} {dm} {qd}. Of an S register's five bits the lowest one stands first, except in field n. */
static void put_register(struct disasm *d, char kind, char letter)
{
	u32 v = field(d, letter);

	if (kind == 'r') {
		disasm_put(d, "%s", disasm_core_registers[v & 15]);
		return;
	}
	if (kind == 's' && low_bit_first(d, letter))
		v = insn_sreg(v);
	disasm_put(d, "%c%u", kind, v);
}

/* i, i*4, i+1, 32-i, also combined from left to right: i*4+4. */
static void put_number(struct disasm *d, const char *p, size_t n)
{
	const char *end = p + n;
	char operation = '+';
	long value = 0;

	while (p < end) {
		long term;
		if (isdigit((unsigned char)*p)) {
			char *after;
			term = strtol(p, &after, 10);
			p = after;
		} else {
			term = (long)field(d, *p++);
		}
		value = operation == '+' ? value + term : operation == '-' ? value - term : value * term;
		operation = p < end ? *p++ : 0;
	}
	disasm_put(d, "%ld", value);
}

static void expand(struct disasm *d, const char *p, const char *end);

/* {z|i8|i16|i32}: the alternative of the field's value; alternatives may hold braces. */
static void put_choice(struct disasm *d, const char *p, const char *end)
{
	u32 want = field(d, *p);
	u32 at = 0;
	int depth = 0;
	const char *start = p + 2;

	for (const char *q = start; q <= end; q++) {
		if (q == end || (*q == '|' && depth == 0)) {
			if (at++ == want) {
				expand(d, start, q);
				return;
			}
			start = q + 1;
		} else {
			depth += (*q == '{') - (*q == '}');
		}
	}
}

static bool put_named(struct disasm *d, const char *p, size_t n)
{
	for (unsigned i = 0; i < disasm_format_count; i++) {
		if (strlen(disasm_formats[i].name) == n && !memcmp(disasm_formats[i].name, p, n)) {
			disasm_formats[i].print(d);
			return true;
		}
	}
	return false;
}

static void put_operand(struct disasm *d, const char *p, const char *end)
{
	size_t n = (size_t)(end - p);

	if (n == 1 && *p == 'c')
		disasm_put(d, "%s", d->cond);
	else if (n > 1 && p[1] == '|')
		put_choice(d, p, end);
	else if (put_named(d, p, n))
		return;
	else if (n == 2 && strchr("rsdq", p[0]) && isalpha((unsigned char)p[1]))
		put_register(d, p[0], p[1]);
	else
		put_number(d, p, n);
}

static void expand(struct disasm *d, const char *p, const char *end)
{
	for (; p < end; p++) {
		if (*p != '{') {
			disasm_put(d, "%c", *p);
			continue;
		}
		int depth = 1;
		const char *close = p + 1;
		for (; close < end && depth; close++)
			depth += (*close == '{') - (*close == '}');
		put_operand(d, p + 1, close - 1);
		p = close - 1;
	}
}

/* "[r1, #0]" and "[r1, #-0]": 32-bit core loads and stores are printed as "[r1]". */
static void drop_zero_offset(char *text)
{
	static const char *const zeros[] = {", #0]", ", #-0]"};
	bool pair = !strncmp(text, "ldrd", 4) || !strncmp(text, "strd", 4);

	for (unsigned i = 0; i < ARRAY_LEN(zeros); i++) {
		char *at = strstr(text, zeros[i]);
		size_t n = strlen(zeros[i]) - 1;
		if (at && (!strstr(text, "[pc") || !strncmp(text, "pl", 2) || pair) && !(pair && i == 1))
			memmove(at, at + n, strlen(at + n) + 1);
	}
}

bool disasm_text(const struct insn_set *set, u32 pc, u32 encoding, unsigned length,
		 const char *cond, const char *vpt, char *text, size_t size)
{
	const struct insn_row *row = insn_find(set, encoding, length, cond != NULL);

	text[0] = 0;
	if (!row)
		return false;
	struct disasm d = {
		.row = row, .pattern = insn_pattern_of(set, row), .pc = pc, .encoding = encoding,
		.cond = cond ? cond : "", .vpt = vpt, .text = text, .size = size,
	};
	insn_fields(d.pattern, encoding, &d.fields);
	const char *space = strchr(row->syntax, ' ');
	const char *end = row->syntax + strlen(row->syntax);
	expand(&d, row->syntax, space ? space : end);
	if (space) {
		disasm_put(&d, "\t");
		expand(&d, space + 1, end);
	}
	if (length == 4 && row->feature == FEAT_BASE)
		drop_zero_offset(text);
	char *post = strstr(text, "], #-0");
	if (post && row->feature == FEAT_BASE && !strstr(text, "rd\t"))
		strcpy(post, "], #0");
	return true;
}

/* The table parsed for all features: constant once made, hence shared by all cores. */
static struct insn_set *whole_set;
static once_flag whole_set_once = ONCE_FLAG_INIT;

static void make_whole_set(void)
{
	whole_set = insn_set_new((1u << FEAT_COUNT) - 1);
	if (whole_set)
		insn_set_complete(whole_set);
}

unsigned cpu_disassemble(u32 pc, u32 encoding, char *text, size_t size)
{
	bool wide = insn_is_wide((u16)(encoding >> 16));
	u32 bits = wide ? encoding : encoding >> 16;

	call_once(&whole_set_once, make_whole_set);
	if (!whole_set || !disasm_text(whole_set, pc, bits, wide ? 4 : 2, NULL, "", text, size))
		snprintf(text, size, wide ? ".inst.w 0x%08x" : ".inst.n 0x%04x", bits);
	return wide ? 4 : 2;
}
