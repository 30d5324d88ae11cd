/* SPDX-License-Identifier: Apache-2.0 */
/* Composes cases of units: plain instructions, IT blocks, VPT blocks; branches and loops are in
 * flow.c, calls into the other Security state in env.c. */
#include "tests/differential/gen.h"

#include <stdlib.h>
#include <string.h>

#include "tests/differential/env.h"
#include "tests/differential/flow.h"
#include "tests/differential/plan.h"

/* Cannot run in a random sequence; each is covered elsewhere. */
static const struct { const char *op, *reason; } excluded[] = {
	{"wfi", "sleeps for ever without an interrupt: tests/cpu-sys"},
	{"wfe", "sleeps; QEMU takes it as a hint: tests/cpu-sys"},
	{"bxns", "changes the Security state: tests/cpu-sys"},
	{"blxns", "changes the Security state: tests/cpu-sys"},
};

const char *gen_excluded(const struct insn_row *row)
{
	for (unsigned i = 0; i < ARRAY_LEN(excluded); i++)
		if (!strcmp(op_infos[row->op].name, excluded[i].op))
			return excluded[i].reason;
	return NULL;
}

static bool is_loop_row(const struct insn_row *row)
{
	return row_is(row, "dls") || row_is(row, "wls") || row_is(row, "le");
}

static void sort_row(struct gen *g, u16 number)
{
	const struct insn_row *row = &insn_rows[number];
	int it = insn_pattern_of(g->set, row)->it;

	if (gen_excluded(row) || row->feature == FEAT_PACBTI)
		return;
	if (is_loop_row(row))
		g->loop[g->loop_count++] = number;
	switch (row_kind(row)) {
	case KIND_SKIP:
		return;
	case KIND_BR: case KIND_BRM: case KIND_GO: case KIND_JMP:
		if (!is_loop_row(row))
			g->branch[g->branch_count++] = number;
		return;
	case KIND_MVE: case KIND_MVEMEM:
		g->mve[g->mve_count++] = number;
		return;
	case KIND_SYS:
		g->plain[g->plain_count++] = number;
		return;
	default:
		if (it != 1)
			g->plain[g->plain_count++] = number;
		if (it != 0 && !row_is(row, "vpt") && !is_loop_row(row))
			g->it[g->it_count++] = number;
	}
}

bool gen_init(struct gen *g)
{
	g->set = insn_set_new((1u << FEAT_COUNT) - 1 - (1u << FEAT_PACBTI));
	g->row_count = calloc(insn_row_count, sizeof(*g->row_count));
	g->plain = calloc(insn_row_count, sizeof(u16));
	g->it = calloc(insn_row_count, sizeof(u16));
	g->mve = calloc(insn_row_count, sizeof(u16));
	g->branch = calloc(insn_row_count, sizeof(u16));
	g->loop = calloc(insn_row_count, sizeof(u16));
	if (!g->set || !g->row_count || !g->plain || !g->it || !g->mve || !g->branch || !g->loop)
		return false;
	for (unsigned i = 0; i < insn_row_count; i++)
		sort_row(g, (u16)i);
	return true;
}

void gen_free(struct gen *g)
{
	insn_set_free(g->set);
	free(g->row_count);
	free(g->plain);
	free(g->it);
	free(g->mve);
	free(g->branch);
	free(g->loop);
}

static const struct insn_row *pick(struct emit *e, const u16 *list, u32 count)
{
	return count ? &insn_rows[list[insn_random_below(&e->r, count)]] : NULL;
}

/* A row for a plain place; those that end the case are rare. */
const struct insn_row *gen_pick_plain(struct emit *e)
{
	for (;;) {
		bool vector = e->g->mve_count && insn_random_below(&e->r, 3) == 0;
		const struct insn_row *row = vector ? pick(e, e->g->mve, e->g->mve_count) :
						      pick(e, e->g->plain, e->g->plain_count);
		bool unprivileged = e->out->in.env.control & 1;
		if (!row || row_kind(row) != KIND_SYS || insn_random_below(&e->r, unprivileged ? 8 : 2) == 0)
			return row;
	}
}

bool gen_is_filler(const struct insn_row *row)
{
	return row_kind(row) != KIND_SYS && !strstr(row->syntax, "vpt") && !strstr(row->syntax, "vpst");
}

void gen_plain(struct emit *e, const struct insn_row *row)
{
	struct plan p = {0};

	plan_prepare(&p, e, row);
	if (plan_emit(&p))
		plan_finish(&p);
}

static void unit_it(struct emit *e)
{
	u32 count = 1 + insn_random_below(&e->r, 4);
	u32 cond = insn_random_below(&e->r, 14);
	u32 mask = 1u << (4 - count) | (insn_random_u32(&e->r) & 15 & ~((1u << (5 - count)) - 1));
	struct plan p[4] = {{0}};

	for (u32 i = 0; i < count; i++) {
		const struct insn_row *row = pick(e, e->g->it, e->g->it_count);
		if (e->g->only && insn_random_below(&e->r, 2) && insn_pattern_of(e->g->set, e->g->only)->it != 0)
			for (u32 k = 0; k < e->g->it_count; k++)
				if (&insn_rows[e->g->it[k]] == e->g->only)
					row = e->g->only;
		if (!row)
			return;
		plan_prepare(&p[i], e, row);
	}
	emit_note(e, insn_find(e->g->set, 0xbf00 | cond << 4 | mask, 2, false), e->out->halfwords);
	emit_half(e, (u16)(0xbf00 | cond << 4 | mask));
	for (u32 i = 0; i < count; i++)
		if (!plan_emit(&p[i]))
			emit_half(e, 0xbf00);
	for (u32 i = 0; i < count; i++) {
		if (p[i].moves_sp) {
			plan_finish(&p[i]);
			break;
		}
	}
}

/* A VPT or VPST row and its block. */
static void unit_vpt(struct emit *e, const struct insn_row *head)
{
	struct plan p[4] = {{0}}, h = {.fixed_letter = 'm', .fixed_value = 1 + insn_random_below(&e->r, 15)};
	u32 count = 4 - (u32)__builtin_ctz(h.fixed_value);

	for (u32 i = 0; i < count; i++) {
		const struct insn_row *row;
		do
			row = pick(e, e->g->mve, e->g->mve_count);
		while (!strstr(row->syntax, "{vp}"));
		if (e->g->only && strstr(e->g->only->syntax, "{vp}") && insn_random_below(&e->r, 2))
			row = e->g->only;
		plan_prepare(&p[i], e, row);
	}
	plan_prepare(&h, e, head);
	if (!plan_emit(&h))
		return;
	for (u32 i = 0; i < count; i++)
		if (!plan_emit(&p[i]))
			emit_wide(e, 0xef040156); /* vand q0, q2, q3 */
}

static bool opens_vpt(const struct insn_row *row)
{
	return !strncmp(row->syntax, "vpt", 3) || !strncmp(row->syntax, "vpst", 4);
}

static void one_unit(struct emit *e)
{
	const struct insn_row *only = e->g->only;
	const struct insn_row *row = gen_pick_plain(e);
	u32 kind = insn_random_below(&e->r, 16);

	if (e->out->in.env.fpccr && insn_random_below(&e->r, 12) == 0)
		env_interrupt(e);
	if (insn_random_below(&e->r, 32) == 0)
		env_call(e);
	if (only && insn_random_below(&e->r, 3)) {
		unsigned k = row_kind(only);
		if (k == KIND_BR || k == KIND_BRM || k == KIND_GO || k == KIND_JMP) {
			flow_unit(e, only);
			return;
		}
		if (k != KIND_SKIP && insn_pattern_of(e->g->set, only)->it != 1) {
			row = only;
			kind = strstr(only->syntax, "{vp}") ? insn_random_below(&e->r, 16) : 15;
		} else {
			kind = 0;
		}
	}
	if (kind < 2) {
		unit_it(e);
	} else if (kind == 2 && e->g->branch_count) {
		flow_unit(e, pick(e, e->g->branch, e->g->branch_count));
	} else if (kind == 3) {
		flow_loop(e);
	} else if (kind < 6 && e->g->mve_count) {
		for (unsigned i = 0; i < e->g->mve_count * 4 && !opens_vpt(row); i++)
			row = pick(e, e->g->mve, e->g->mve_count);
		if (opens_vpt(row))
			unit_vpt(e, row);
	} else if (row && opens_vpt(row)) {
		unit_vpt(e, row);
	} else if (row) {
		gen_plain(e, row);
	}
}

static void initial_state(struct emit *e)
{
	struct case_in *in = &e->out->in;

	in->pc = CASE_CODE + 2 * insn_random_below(&e->r, 512);
	in->pool_offset = insn_random_below(&e->r, CASE_POOL_WORDS - CASE_BLOCK_WORDS);
	for (unsigned i = 0; i < 15; i++)
		in->r[i] = value_word(&e->r, insn_random_below(&e->r, 2) ? FLAVOUR_ANY : e->flavour, i & 1);
	for (unsigned i = 0; i < 32; i++)
		in->s[i] = value_word(&e->r, e->flavour, i & 1);
	in->r[13] = CASE_STACK + 4 * insn_random_below(&e->r, 16);
	in->xpsr = insn_random_u32(&e->r) & 0xf80f0000;
	in->fpscr = value_fpscr(&e->r);
	in->vpr = value_vpr(&e->r);
	if ((in->fpscr >> 16 & 7) != 4)
		in->r[14] = insn_random_below(&e->r, 20);
	env_choose(e);
	if (e->beats)
		env_beats(e);
}

/* A stream of its own for each case. The generator's state is a sum: were it started with a sum of multiples,
 * the streams of neighbouring seeds would be the same one, shifted, and their cases would have ends in common. */
static struct insn_random stream(u64 seed, u32 id)
{
	struct insn_random r = {seed ^ (u64)id << 32};
	u64 high = insn_random_u32(&r), low = insn_random_u32(&r);

	return (struct insn_random){high << 32 | low};
}

void gen_make(struct gen *g, u64 seed, u32 id, struct gen_case *out)
{
	struct emit e = {.g = g, .out = out, .r = stream(seed, id)};

	memset(out, 0, sizeof(*out));
	e.flavour = insn_random_below(&e.r, FLAVOUR_COUNT);
	out->in.id = id;
	initial_state(&e);
	for (unsigned i = 0; i < g->units && i < GEN_MAX_UNITS && out->halfwords < GEN_MAX_HALFWORDS - 120; i++) {
		one_unit(&e);
		out->unit_end[out->units++] = (u16)out->halfwords;
	}
	/* Behind the end: ends too, for anything that goes astray. */
	for (unsigned i = 0; i < 8; i++)
		out->code[out->halfwords + i] = CASE_END;
}

void gen_count(struct gen *g, const struct gen_case *c)
{
	for (u32 i = 0; i < c->insns; i++)
		g->row_count[c->insn[i].row]++;
}

void gen_pool(u64 seed, u32 *pool)
{
	struct insn_random r = {seed};

	for (unsigned i = 0; i < CASE_POOL_WORDS; i++)
		pool[i] = value_word(&r, (i >> 5) % FLAVOUR_COUNT, i & 1);
}
