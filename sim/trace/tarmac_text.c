/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/trace/tarmac_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 1 << 14, TEXT = 64 };

/* Texts of instructions are kept: disassembling takes longer than the rest of a line. */
struct text { u32 pc, encoding; bool known; char text[TEXT]; };

struct tarmac_text { struct text text[TEXTS]; };

static const char *text_of(struct tarmac_text *k, const struct cpu_record *r)
{
	struct text *t = &k->text[r->pc >> 1 & (TEXTS - 1)];

	if (t->known && t->pc == r->pc && t->encoding == r->encoding)
		return t->text;
	*t = (struct text){ .pc = r->pc, .encoding = r->encoding, .known = true };
	cpu_disassemble(r->pc, r->length == 4 ? r->encoding : r->encoding << 16, t->text, sizeof t->text);
	for (char *c = t->text; *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	return t->text;
}

static char *put_hex(char *p, u32 value, unsigned digits)
{
	static const char hex[] = "0123456789abcdef";

	while (digits--)
		*p++ = hex[value >> 4 * digits & 15];
	return p;
}

static char *put_decimal(char *p, u64 value)
{
	char digits[20];
	unsigned n = 0;

	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n)
		*p++ = digits[--n];
	return p;
}

static char *put_text(char *p, const char *text)
{
	const size_t n = strlen(text);

	memcpy(p, text, n);
	return p + n;
}

static char *put_register(char *p, const struct cpu_value *v)
{
	static const char *const names[] = {
		[CPU_REG_XPSR] = "cpsr", [CPU_REG_MSP] = "MSP", [CPU_REG_PSP] = "PSP", [CPU_REG_PRIMASK] = "PRIMASK",
		[CPU_REG_BASEPRI] = "BASEPRI", [CPU_REG_FAULTMASK] = "FAULTMASK", [CPU_REG_CONTROL] = "CONTROL",
		[CPU_REG_MSPLIM] = "MSPLIM", [CPU_REG_PSPLIM] = "PSPLIM", [CPU_REG_MSP_S] = "MSP_S", [CPU_REG_PSP_S] = "PSP_S",
		[CPU_REG_MSP_NS] = "MSP_NS", [CPU_REG_PSP_NS] = "PSP_NS", [CPU_REG_FPSCR] = "fpscr", [CPU_REG_VPR] = "VPR",
	};

	p = put_text(p, " R ");
	if (v->reg < 16 || v->reg >= CPU_REG_S0) {
		*p++ = v->reg < 16 ? 'r' : 's';
		p = put_decimal(p, v->reg < 16 ? v->reg : v->reg - CPU_REG_S0);
	} else {
		p = put_text(p, v->reg < ARRAY_LEN(names) && names[v->reg] ? names[v->reg] : "unknown");
	}
	*p++ = ' ';
	return put_hex(p, v->value, 8);
}

static char *put_access(char *p, const struct cpu_access *a)
{
	p = put_text(p, a->write ? " MW" : " MR");
	*p++ = (char)('0' + a->bytes);
	*p++ = ' ';
	p = put_hex(p, a->addr, 8);
	*p++ = ' ';
	return put_hex(p, a->value, 2u * a->bytes);
}

struct tarmac_text *tarmac_text_new(void)
{
	return calloc(1, sizeof(struct tarmac_text));
}

void tarmac_text_free(struct tarmac_text *k)
{
	free(k);
}

void tarmac_text_instruction(struct tarmac_text *k, const struct cpu_record *r, FILE *f)
{
	char line[(CPU_RECORD_WRITES + CPU_RECORD_ACCESSES) * 64 + 256], stamp[32], *p = line;
	const size_t stamped = (size_t)(put_text(put_decimal(stamp, r->cycle), " clk") - stamp);

	memcpy(p, stamp, stamped);
	p = put_text(p + stamped, r->executed ? " IT (" : " IS (");
	p = put_decimal(p, r->number);
	p = put_text(p, ") ");
	p = put_hex(p, r->pc, 8);
	*p++ = ' ';
	p = put_hex(p, r->encoding, r->length * 2u);
	p = put_text(p, r->handler ? " T handler_" : " T thread_");
	p = put_text(p, r->secure ? "s : " : "ns : ");
	p = put_text(p, text_of(k, r));
	*p++ = '\n';
	for (unsigned i = 0; i < r->writes; i++) {
		memcpy(p, stamp, stamped);
		p = put_register(p + stamped, &r->write[i]);
		*p++ = '\n';
	}
	for (unsigned i = 0; i < r->accesses; i++) {
		memcpy(p, stamp, stamped);
		p = put_access(p + stamped, &r->access[i]);
		*p++ = '\n';
	}
	fwrite(line, 1, (size_t)(p - line), f);
}

void tarmac_text_exception(const struct trace_exception *e, FILE *f)
{
	fprintf(f, "%" PRIu64 " clk E %08x %08x CoreEvent_exception_%u\n", e->cycle, e->to, e->number, e->number);
}
