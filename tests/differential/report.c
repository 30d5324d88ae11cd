/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/differential/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/disasm/disasm.h"
#include "tests/differential/deviation.h"

#define XPSR_SFPA (1u << 20)
#define EXC_RETURN_NO_FP 0x10u

static const char *const names[] = {
	"id", "vector", "cfsr", "hfsr", "sfsr", "far", "pc", "r0", "r1", "r2", "r3", "r4", "r5", "r6",
	"r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "xpsr", "fpscr", "vpr",
};

static const char *const specials[] = {
	"excret", "control", "primask", "basepri", "fltmask", "psplim", "msplim", "msp", "ctrl_ns", "prim_ns", "basp_ns",
	"fltm_ns", "pspl_ns", "mspl_ns", "msp_ns", "psp_ns", "psp",
};

static void print_name(u32 word)
{
	if (word < ARRAY_LEN(names))
		printf("    %-7s", names[word]);
	else if (word - ARRAY_LEN(names) < 32)
		printf("    s%-6u", word - (u32)ARRAY_LEN(names));
	else
		printf("    %-7s", specials[word - ARRAY_LEN(names) - 32]);
}

static void print_fields(const struct case_out *before, const struct case_out *ours, const struct case_out *theirs)
{
	const u32 *a = (const u32 *)ours, *b = (const u32 *)theirs, *p = (const u32 *)before;

	printf("    %-7s %-8s %-8s %-8s\n", "", "before", "ours", "QEMU");
	for (u32 i = 1; i < offsetof(struct case_out, changed) / 4; i++) {
		if (a[i] == b[i])
			continue;
		print_name(i);
		printf(" %08x %08x %08x\n", p ? p[i] : 0, a[i], b[i]);
	}
	const u32 *pa = result_pairs(ours), *pb = result_pairs(theirs);
	u32 i = 0, k = 0, lines = 0;
	while ((i < ours->changed || k < theirs->changed) && lines < 10) {
		u32 at_a = i < ours->changed ? pa[2 * i] : ~0u, at_b = k < theirs->changed ? pb[2 * k] : ~0u;
		u32 at = at_a < at_b ? at_a : at_b;
		bool same = at_a == at_b && pa[2 * i + 1] == pb[2 * k + 1];
		if (!same && lines++ < 10)
			printf("    [%08x] ours %08x%s QEMU %08x%s\n", CASE_BLOCK + at * 4,
			       at == at_a ? pa[2 * i + 1] : 0, at == at_a ? "" : " (unchanged)",
			       at == at_b ? pb[2 * k + 1] : 0, at == at_b ? "" : " (unchanged)");
		i += at == at_a;
		k += at == at_b;
	}
}

static void print_before(const struct case_out *p)
{
	printf("   ");
	for (u32 i = 0; i < 15; i++)
		printf(" r%u=%x", i, p->r[i]);
	printf(" xpsr=%x fpscr=%x vpr=%x\n   ", p->xpsr, p->fpscr, p->vpr);
	for (u32 i = 0; i < 32; i++)
		printf(" %s%x", i % 4 ? "" : i ? "| " : "q: ", p->s[i]);
	printf("\n");
}

static void print_env(const struct case_env *e)
{
	printf("    %s, control=%x ccr=%x fpccr=%x psplim=%x basepri=%x hole=%x tick=%u\n", e->nonsecure ? "Non-secure" : "Secure",
	       e->control, e->ccr, e->fpccr, e->psplim, e->basepri, e->hole, e->tick);
}

static void print_code(const struct gen_case *g, u32 from, u32 to)
{
	for (u32 at = from; at < to;) {
		char text[100];
		u32 pc = g->in.pc + at * 2;
		unsigned length = cpu_disassemble(pc, (u32)g->code[at] << 16 | g->code[at + 1], text, sizeof(text));
		if (length == 4)
			printf("    %08x  %04x %04x  %s\n", pc, g->code[at], g->code[at + 1], text);
		else
			printf("    %08x  %04x       %s\n", pc, g->code[at], text);
		at += length / 2;
	}
}

/* The row to blame: the one at which either side faulted, else the last one of the unit. */
static const struct insn_row *blame(const struct gen_case *g, u32 unit, const struct case_out *ours,
				    const struct case_out *theirs)
{
	u32 from = unit ? g->unit_end[unit - 1] : 0, to = g->unit_end[unit];
	const struct insn_row *row = NULL;
	u32 pc = ours->pc < theirs->pc ? ours->pc : theirs->pc;
	u32 last = (pc - g->in.pc) / 2, best = 0;

	if (last < from || last > to)
		last = to;
	for (u32 i = 0; i < g->insns; i++) {
		u32 at = g->insn[i].at;
		if (at >= from && at < to && at <= last && at >= best) {
			best = g->insn[i].at;
			row = &insn_rows[g->insn[i].row];
		}
	}
	return row;
}

/* An FP instruction before halfword `end` has an IT in reach before it. */
static bool fp_under_condition(const struct gen_case *g, u32 end)
{
	for (u32 i = 0; i < g->insns; i++) {
		unsigned kind = op_infos[insn_rows[g->insn[i].row].op].kind;
		u32 at = g->insn[i].at;
		if ((kind != KIND_FP && kind != KIND_FPMEM) || at >= end)
			continue;
		for (u32 back = 1; back <= 8 && back <= at; back++)
			if (g->code[at - back] >> 8 == 0xbf && g->code[at - back] & 15)
				return true;
	}
	return false;
}

/* An active FP context, as far as a result tells. */
static bool has_context(const struct gen_case *g, const struct case_out *r)
{
	return !(r->exc_return & EXC_RETURN_NO_FP) && (g->in.env.nonsecure || r->xpsr & XPSR_SFPA);
}

/* The two halfwords at `cut`, which the end mark replaces, are a literal of an instruction before them. */
static bool literal_was_cut(const struct compare *c, const struct gen_case *g, u32 cut)
{
	bool found = false;

	for (u32 i = 0; i < g->insns; i++) {
		const struct insn_row *row = &insn_rows[g->insn[i].row];
		const struct insn_pattern *p = insn_pattern_of(c->g->set, row);
		u32 at = g->insn[i].at, encoding = g->code[at];
		struct insn_at where = {.pc = g->in.pc + at * 2, .length = p->length};
		struct slot s = {0};
		struct fields f;
		if (at >= cut || !strstr(row->syntax, "[pc"))
			continue;
		insn_fields(p, p->length == 4 ? encoding << 16 | g->code[at + 1] : encoding, &f);
		row->form(&s, &f, &where);
		found |= s.imm - (g->in.pc + cut * 2) + 7 < 7 + 4; /* up to eight bytes from s.imm on */
	}
	return found;
}

/* A known reason at any row of the unit. */
static const char *known_reason(const struct compare *c, const struct gen_case *g, u32 unit, const struct case_out *before,
				const struct case_out *ours, const struct case_out *theirs)
{
	/* Cut short, a sequence that had not reached its end has other code behind it. */
	bool misled = before && (before->cfsr != 0x10000 || (unit && literal_was_cut(c, g, g->unit_end[unit - 1])));
	u32 from = unit && !misled ? g->unit_end[unit - 1] : 0;
	const char *reason = NULL;

	/* gen_update_fp_context() takes the context for created in the rest of the block, executed or not: what should
	 * begin it does not (VPT, DLSTP), and what is behind that in another block does. */
	bool begins = before && !has_context(g, before) && has_context(g, ours);
	bool lost = begins || (ours->vpr && !theirs->vpr) || (ours->xpsr & ~theirs->xpsr) == XPSR_SFPA;
	if (g->in.env.fpccr && lost && fp_under_condition(g, g->unit_end[unit]))
		reason = "an FP instruction that its condition skips counts as the beginning of the FP context";
	for (u32 i = 0; i < g->insns && !reason; i++)
		if (g->insn[i].at >= from && g->insn[i].at < g->unit_end[unit])
			reason = deviation_reason(&insn_rows[g->insn[i].row], ours, theirs, before, &g->in);
	return reason;
}

/* Reasons are literals; one that two rules give counts as one. */
static void count_reason(struct compare *c, const char *reason)
{
	struct deviation_count *r = c->reasons;

	while (r < c->reasons + MAX_REASONS - 1 && r->reason && strcmp(r->reason, reason))
		r++;
	r->reason = reason;
	r->cases++;
	c->deviations++;
}

static void explain(struct compare *c, const struct gen_case *g, u32 unit, const struct case_out *before,
		    const struct case_out *ours, const struct case_out *theirs)
{
	const struct insn_row *row = blame(g, unit, ours, theirs);
	const char *reason = known_reason(c, g, unit, before, ours, theirs);

	if (reason) {
		count_reason(c, reason);
		return;
	}
	c->bad++;
	printf("--- case %u of seed %llu, unit %u: %s\n", g->in.id, (unsigned long long)c->seed, unit,
	       row ? row->id : "?");
	/* One in full per row. */
	u64 *bad = row ? &c->row_bad[row - insn_rows] : NULL;
	if ((bad && (*bad)++ > 0) || c->reports++ >= c->max_reports)
		return;
	print_env(&g->in.env);
	bool misled = before && before->cfsr != 0x10000;
	print_code(g, unit && !misled ? g->unit_end[unit - 1] : 0, g->unit_end[unit]);
	if (before)
		print_before(before);
	printf("    ours after it:\n");
	print_before(ours);
	print_fields(before, ours, theirs);
}

/* A case being cut: equal after `low` units, different after `high`. */
struct search {
	const struct difference *whole;
	struct gen_case g;
	u32 low, high;
	bool found;
	struct case_out *before, *ours, *theirs;
};

static void keep(struct case_out **at, const struct case_out *result)
{
	size_t bytes = sizeof(*result) + (size_t)result->changed * 8;

	*at = realloc(*at, bytes);
	memcpy(*at, result, bytes);
}

/* The results of one case's prefixes of `low`, `low + step`... units, and of `high` of them. */
static void take_prefixes(struct search *s, u32 step, const struct board_result *ours, u64 *at_ours,
			  const struct buffer *theirs, u64 *at_theirs)
{
	u32 k = s->low, high = s->high;

	s->found = false;
	for (bool more = true; more; k = k + step < high ? k + step : high) {
		const struct case_out *a = result_next(ours->data, ours->bytes, at_ours);
		const struct case_out *b = result_next(theirs->data, theirs->bytes, at_theirs);
		more = k < high;
		if (!a || !b)
			return;
		if (!s->found && result_equal(a, b)) {
			s->low = k;
			keep(&s->before, a);
		} else if (!s->found) {
			s->found = true;
			s->high = k;
			keep(&s->ours, a);
			keep(&s->theirs, b);
		}
	}
}

static void add_prefixes(struct buffer *batch, const struct search *s, u32 step)
{
	for (u32 k = s->low; k < s->high; k += step)
		batch_add(batch, &s->g, k);
	batch_add(batch, &s->g, s->high);
}

static bool narrow(struct compare *c, struct search *cases, u32 count, u32 step)
{
	struct buffer batch = {0}, theirs = {0};
	struct board_result ours;
	u64 at_ours = 0, at_theirs = 0;

	batch_begin(&batch, c->seed);
	for (u32 i = 0; i < count; i++)
		add_prefixes(&batch, &cases[i], step);
	struct qemu *q = qemu_start(c->elf, &batch);
	board_run(c->image, c->image_bytes, batch.data, batch.bytes, &c->options, &ours);
	bool done = q && qemu_finish(q, &theirs) && !ours.problem;
	for (u32 i = 0; i < count; i++)
		take_prefixes(&cases[i], step, &ours, &at_ours, &theirs, &at_theirs);
	free(ours.data);
	buffer_free(&batch);
	buffer_free(&theirs);
	return done;
}

static void tell(struct compare *c, const struct search *s)
{
	u32 id = s->g.in.id;

	if (s->found && s->high) {
		explain(c, &s->g, s->high - 1, s->before, s->ours, s->theirs);
		return;
	}
	c->bad++;
	printf("--- case %u of seed %llu: %s\n", id, (unsigned long long)c->seed,
	       s->found ? "differs before its first unit" : "depends on the cases before it");
	print_env(&s->g.in.env);
	print_fields(NULL, s->found ? s->ours : s->whole->ours, s->found ? s->theirs : s->whole->theirs);
}

void report_differences(struct compare *c, const struct difference *cases, u32 count)
{
	struct search *searches = calloc(count, sizeof(*searches));

	for (u32 i = 0; i < count; i++) {
		searches[i].whole = &cases[i];
		gen_make(c->g, c->seed, cases[i].ours->id, &searches[i].g);
		searches[i].high = searches[i].g.units;
	}
	if (!narrow(c, searches, count, 5) || !narrow(c, searches, count, 1))
		printf("shrinking failed\n");
	for (u32 i = 0; i < count; i++) {
		tell(c, &searches[i]);
		free(searches[i].before);
		free(searches[i].ours);
		free(searches[i].theirs);
	}
	free(searches);
}
