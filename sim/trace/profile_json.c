/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with their cycles by cause, for programs (docs/reference/formats.md). */
#include "sim/accuracy.h"
#include "sim/config.h"
#include "sim/trace/profile_functions.h"
#include "sim/trace/symbols.h"
#include "traces/json.h"

static void write_causes(struct json *j, const struct profile_function *f)
{
	static const char *const names[CPU_WORKS] = {
#define WORK(id, name, first, last) [CPU_WORK_##id] = name,
#include "cpu/work.def"
#undef WORK
	};
	const struct { const char *name; u64 cycles; } more[] = {
		{ "entries, taken branches, waits", f->rest }, { "asleep, NPU works", f->self.npu }, { "asleep", f->self.idle },
	};

	json_object(j, "causes");
	for (unsigned i = 0; i < CPU_WORKS; i++)
		if (f->work[i])
			json_u64(j, names[i], f->work[i]);
	for (unsigned i = 0; i < ARRAY_LEN(more); i++)
		if (more[i].cycles)
			json_u64(j, more[i].name, more[i].cycles);
	json_close(j, '}');
}

static void write_function(struct json *j, const struct machine *m, const struct profile_function *f)
{
	char text[16];

	json_object(j, NULL);
	json_string(j, "name", symbols_name(m, f->function, text, sizeof text));
	json_u64(j, "address", f->function);
	json_u64(j, "calls", f->calls);
	json_u64(j, "cycles", profile_cost_all(&f->self));
	json_u64(j, "cycles_with_callees", f->all);
	json_u64(j, "instructions", f->self.instructions);
	json_u64(j, "branches", f->self.branches);
	json_u64(j, "stalls", f->self.stalls);
	write_causes(j, f);
	json_close(j, '}');
}

bool profile_write_json(const struct profile *p, FILE *f, char *why, size_t why_size)
{
	struct machine *m = profile_machine(p);
	struct profile_functions functions;
	struct json j;

	if (!profile_functions_of(p, &functions, why, why_size))
		return false;
	json_into(&j, f);
	json_string(&j, "schema", "fvp-sim-profile");
	json_u64(&j, "version", 1);
	json_string(&j, "timing", config_timing_name(m->config.cpu.timing));
	json_string(&j, "accuracy", accuracy_of_cpu(m->config.cpu.timing));
	json_u64(&j, "cycles", profile_cost_all(&functions.sum));
	json_array(&j, "functions");
	for (u32 i = 0; i < functions.count; i++)
		write_function(&j, m, &functions.list[i]);
	json_close(&j, ']');
	json_into_end(&j);
	profile_functions_free(&functions);
	return true;
}
