/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/apps/session.h"
#include "runtime/apps/board_memory.h"
#include "runtime/apps/log.h"
#include "runtime/apps/report.h"
#include "runtime/console/console.h"
#include "runtime/core/format.h"
#include "runtime/start/cortex_m.h"

#ifndef RUNNER_ATOL
#define RUNNER_ATOL 0.01
#endif
#ifndef RUNNER_RTOL
#define RUNNER_RTOL 0.01
#endif
#ifndef RUNNER_METHOD
#define RUNNER_METHOD NULL
#endif
#ifndef RUNNER_TEMP_BYTES
#define RUNNER_TEMP_BYTES (16u << 20)
#endif
#define TEMP_ALIGNMENT 32
enum { DUMP_EVENTS = 8192, DUMP_TENSOR_BYTES = 8 << 20, DUMP_BYTES = 2 << 20, DUMP_ALIGNMENT = 64 };

/* A program at an address of its own keeps what lies from there on. */
#ifdef MODEL_AT
#define MEMORY_END ((uint8_t *)MODEL_AT)
#else
#define MEMORY_END __ddr_end
#endif

bool session_start(struct session *s, bool use_semihosting)
{
	*s = (struct session){ .memory = BOARD_MEMORY(__ddr_free, MEMORY_END, "DDR") };
	console_init(use_semihosting);
	cortex_m_cycles_start();
	return runner_init();
}

static bool load_method(struct session *s)
{
	uint8_t *temp = memory_take(&s->memory, RUNNER_TEMP_BYTES, TEMP_ALIGNMENT);
	struct method *m = &s->method;

	s->environment = (struct method_environment){
		.tables = &s->memory, .planned = &s->memory, .temp = temp, .temp_bytes = temp ? RUNNER_TEMP_BYTES : 0,
		.kernels = kernel_table, .kernel_count = kernel_count, .backends = runner_backends,
	};
	runner_prepare(&s->memory);
	if (s->is_traced)
		s->environment.tracer = &s->dump.tracer;

	const uint64_t start = cortex_m_cycles();

	if (!method_load(m, &s->program, RUNNER_METHOD, &s->environment)) {
		format_text(s->why, sizeof s->why, "%s", m->why);
		return false;
	}
	etdump_add(&s->dump, "Method::init", start, cortex_m_cycles());
	etdump_add(&s->dump, "Program::load_method", start, cortex_m_cycles());
	etdump_loaded(&s->dump);
	LOG('I', "Method '%s' loaded: %u values, %u instructions.", m->name, (unsigned)m->value_count,
	    (unsigned)m->instruction_count);
	return true;
}

static bool open_data(struct session *s, struct span data)
{
	if (!data.data)
		return true;
	s->program.data = &s->data;
	return data_file_open(&s->data, data.data, data.bytes, s->why, sizeof s->why);
}

static bool set_test(struct session *s)
{
	const uint32_t tests = bundle_tests(&s->bundle, s->method.name);

	if (tests > 1)
		LOG('I', "The bundle has %u tests: the first is run.", (unsigned)tests);
	return bundle_set_inputs(&s->bundle, &s->method, 0, s->why, sizeof s->why);
}

bool session_load(struct session *s, struct span file, struct span data)
{
	s->is_bundle = bundle_is(file.data, file.bytes);
	if (s->is_bundle && !bundle_open(&s->bundle, file.data, file.bytes, &file, s->why, sizeof s->why))
		return false;
	LOG('I', "PTE Model data loaded. Size: %zu bytes.", file.bytes);
	return program_open(&s->program, file.data, file.bytes, s->why, sizeof s->why) && open_data(s, data) && load_method(s) &&
	       (!s->is_bundle || set_test(s));
}

void session_trace(struct session *s)
{
	struct etdump_event *events = memory_table(&s->memory, DUMP_EVENTS, sizeof *events);
	uint8_t *tensors = memory_take(&s->memory, DUMP_TENSOR_BYTES, DUMP_ALIGNMENT);

	etdump_start(&s->dump, events, events ? DUMP_EVENTS : 0, tensors, tensors ? DUMP_TENSOR_BYTES : 0, cortex_m_cycles);
	s->is_traced = true;
}

struct span session_dump(struct session *s, struct span *tensors)
{
	uint8_t *to = memory_take(&s->memory, DUMP_BYTES, DUMP_ALIGNMENT);
	const size_t bytes = to ? etdump_encode(&s->dump, to, DUMP_BYTES) : 0;

	if (s->dump.lost)
		LOG('I', "ETDump: %u events or tensors found no room", (unsigned)s->dump.lost);
	*tensors = (struct span){ s->dump.tensors, s->dump.tensor_bytes };
	return (struct span){ bytes ? to : NULL, bytes };
}

bool session_run(struct session *s)
{
	uint64_t start;

	runner_clear();
	start = cortex_m_cycles();
	if (!method_run(&s->method)) {
		format_text(s->why, sizeof s->why, "%s", s->method.why);
		return false;
	}
	runner_report(&s->method, cortex_m_cycles() - start);
	return true;
}

bool session_check(struct session *s)
{
	struct bundle_errors e;

	if (!s->is_bundle)
		return true;
	if (!bundle_compare(&s->bundle, &s->method, RUNNER_ATOL, RUNNER_RTOL, &e, s->why, sizeof s->why)) {
		LOG('E', "%s", s->why);
		LOG('F', "assert failed: the outputs' types, sizes and strides are those expected");
		return false;
	}
	LOG('I', "=== Error stats for testset 0 ===");
	LOG('I', " mean_absolute_error: %f", e.mean_absolute);
	LOG('I', " max_absolute_error:  %f", e.max_absolute);
	LOG('I', " mean_relative_error: %f", e.mean_relative);
	LOG('I', " max_relative_error:  %f", e.max_relative);
	if (!e.outside) {
		LOG('I', "TEST: BundleIO index[0] Test_result: PASS");
		return true;
	}
	LOG('E', "TEST: BundleIO index[0] Test_result: FAIL (%zu elements outside of the tolerance)", e.outside);
	LOG('F', "assert failed: the outputs are those expected");
	return false;
}
