/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/report.h"
#include "sim/accuracy.h"
#include "sim/cpu_memories.h"

enum { REPORT_SCHEMA = 1 };

static void report_npu(struct json *j, const struct machine *m, const struct inferences *jobs)
{
	const struct npu_result *r = npu_result(m->npu);

	json_object(j, "npu");
	json_string(j, "accelerator", m->config.npu->name);
	json_string(j, "accuracy", accuracy_of_npu(m->config.npu->product));
	json_u64(j, "jobs", r->jobs);
	json_u64(j, "active_cycles", r->total_cycles);
	json_u64(j, "last_job_cycles", r->cycles);
	json_u64(j, "last_job_operations", r->operations);
	json_string(j, "message", r->message);
	json_object(j, "events");
	for (unsigned e = 0; e < NPU_EVENTS; e++)
		if (r->event[e])
			json_u64(j, npu_event_name(m->config.npu, (enum npu_event)e), r->event[e]);
	json_close(j, '}');
	if (jobs)
		inferences_write(jobs, j);
	json_close(j, '}');
}

static void report_fault(struct json *j, struct machine *m, const char *key, const struct cpu_fault_info *fault)
{
	char where[160];

	if (!fault->valid)
		return;
	machine_describe(m, fault->pc, where, sizeof where);
	json_object(j, key);
	json_string(j, "cause", fault->cause);
	json_u64(j, "pc", fault->pc);
	json_u64(j, "cfsr", fault->cfsr);
	json_u64(j, "hfsr", fault->hfsr);
	json_u64(j, "sfsr", fault->sfsr);
	json_string(j, "place", where);
	json_close(j, '}');
}

static void report_end(struct json *j, struct machine *m, const struct origin *o, int status)
{
	struct cpu_fault_info fault;
	char where[160];
	const u32 pc = cpu_get_reg(m->cpu, REG_PC);

	json_object(j, "end");
	json_string(j, "reason", stop_name(m->stop));
	json_string(j, "text", stop_text(m->stop));
	json_u64(j, "status", (u64)status);
	json_u64(j, "pc", pc);
	machine_describe(m, pc, where, sizeof where);
	json_string(j, "place", where);
	cpu_fault_info(m->cpu, &fault);
	report_fault(j, m, "fault", &fault);
	cpu_first_fault_info(m->cpu, &fault);
	report_fault(j, m, "first_fault", &fault);
	if (o)
		origin_report(o, j);
	json_close(j, '}');
}

static void report_messages(struct json *j, const struct told *t)
{
	json_array(j, "messages");
	for (unsigned i = 0; i < t->count; i++) {
		json_object(j, NULL);
		json_string(j, "kind", told_kind(t->message[i].kind));
		json_string(j, "id", t->message[i].id);
		json_string(j, "text", t->message[i].text);
		json_close(j, '}');
	}
	json_close(j, ']');
	if (t->left_out)
		json_u64(j, "messages_left_out", t->left_out);
}

void report_write(struct json *j, struct machine *m, const struct report *r)
{
	json_u64(j, "schema", REPORT_SCHEMA);
	json_string(j, "board", m->config.board->name);
	report_end(j, m, r->origin, r->status);
	json_object(j, "cpu");
	json_string(j, "timing", config_timing_name(m->config.cpu.timing));
	if (m->config.cpu.timing != CPU_TIMING_IPC1)
		json_string(j, "memory", m->config.cpu_memory ? m->config.cpu_memory : CPU_MEMORY_IDEAL);
	json_string(j, "accuracy", accuracy_of_cpu(m->config.cpu.timing));
	json_u64(j, "clock_hz", m->config.cpu.clock_hz);
	json_u64(j, "cycles", machine_cycles(m));
	json_u64(j, "instructions", cpu_instructions(m->cpu));
	json_fixed(j, "simulated_seconds", machine_cycles(m) * m->period / (SCHED_TICKS_PER_SECOND / 1000000000), 9);
	json_close(j, '}');
	if (m->npu)
		report_npu(j, m, r->jobs);
	if (r->said)
		report_messages(j, r->said);
	json_array(j, "uart_bytes");
	for (unsigned i = 0; i < CONFIG_UARTS; i++)
		json_u64(j, NULL, m->uart[i].sink.bytes);
	json_close(j, ']');
	json_array(j, "dumps");
	for (unsigned i = 0; r->dumps && i < r->dumps->count; i++)
		json_string(j, NULL, r->dumps->name[i]);
	json_close(j, ']');
}
