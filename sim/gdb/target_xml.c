/* SPDX-License-Identifier: Apache-2.0 */
/* The target description: which registers the machine's core has, and their numbers (gdb's manual, "Target
 * Description Format"), and their values by these numbers. */
#include "sim/gdb/session.h"

#include <string.h>

enum feature { CORE, FP, MVE, STACKS, SECURITY, SYSTEM, BANKED, FEATURES };

static const char *const feature_names[FEATURES] = {
	[CORE] = "org.gnu.gdb.arm.m-profile", [FP] = "org.gnu.gdb.arm.vfp", [MVE] = "org.gnu.gdb.arm.m-profile-mve",
	[STACKS] = "org.gnu.gdb.arm.m-system", [SECURITY] = "org.gnu.gdb.arm.secext",
	[SYSTEM] = "org.fvp-sim.system", [BANKED] = "org.fvp-sim.banked",
};

static const struct row { u8 feature, bits; u16 reg; const char *name, *type, *group; } rows[] = {
#define G(feature, name, bits, type, reg, group) { feature, bits, reg, name, type, group },
#include "sim/gdb/registers.def"
#undef G
};

static bool has(const struct machine *m, enum feature f)
{
	const struct cpu_config *c = &m->config.cpu;

	switch (f) {
	case FP: return c->fpu || c->mve_int;
	case MVE: return c->mve_int;
	case SECURITY: case BANKED: return c->security;
	default: return true;
	}
}

/* Numbers are places in the table, also where a core leaves some out; those of the NPU follow. */
void target_xml(const struct machine *m, struct text *out)
{
	int open = -1;
	u32 offset;

	text_add(out, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
		      "<architecture>arm</architecture>");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];

		if (!has(m, r->feature))
			continue;
		if (open != r->feature)
			text_add(out, "%s<feature name=\"%s\">", open < 0 ? "" : "</feature>", feature_names[r->feature]);
		open = r->feature;
		text_add(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%zu\" group=\"%s\"%s/>", r->name, r->bits, r->type, i,
			 r->group, r->feature > MVE ? " save-restore=\"no\"" : "");
	}
	text_add(out, "</feature>");
	if (m->npu) {
		text_add(out, "<feature name=\"org.fvp-sim.ethos-u\">");
		for (unsigned i = 0; i < npu_register_count(); i++)
			if (npu_register_at(m->npu, i, &offset))
				text_add(out, "<reg name=\"npu_%s\" bitsize=\"32\" type=\"int\" regnum=\"%zu\" group=\"npu\" save-restore=\"no\"/>",
					 npu_register_at(m->npu, i, &offset), ARRAY_LEN(rows) + i);
		text_add(out, "</feature>");
	}
	text_add(out, "</target>");
}

bool register_get(const struct machine *m, unsigned i, u64 *value, unsigned *bytes)
{
	u32 offset;

	if (i >= ARRAY_LEN(rows)) {
		if (!m->npu || i - ARRAY_LEN(rows) >= npu_register_count())
			return false;
		*bytes = npu_register_at(m->npu, i - ARRAY_LEN(rows), &offset) ? 4 : 0;
		*value = *bytes ? npu_peek(m->npu, offset) : 0;
		return true;
	}
	*bytes = has(m, rows[i].feature) ? rows[i].bits / 8 : 0;
	*value = *bytes ? cpu_get_reg(m->cpu, rows[i].reg) : 0;
	if (*bytes == 8)
		*value |= (u64)cpu_get_reg(m->cpu, rows[i].reg + 1u) << 32;
	return true;
}

bool register_set(struct machine *m, unsigned i, u64 value)
{
	u32 offset;

	if (i >= ARRAY_LEN(rows)) {
		if (!m->npu || i - ARRAY_LEN(rows) >= npu_register_count() || !npu_register_at(m->npu, i - ARRAY_LEN(rows), &offset))
			return false;
		npu_write(m->npu, offset, (u32)value);
		return true;
	}
	if (!has(m, rows[i].feature))
		return false;
	cpu_set_reg(m->cpu, rows[i].reg, (u32)value);
	if (rows[i].bits == 64)
		cpu_set_reg(m->cpu, rows[i].reg + 1u, (u32)(value >> 32));
	return true;
}
