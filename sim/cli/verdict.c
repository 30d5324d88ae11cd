/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/verdict.h"
#include "sim/accuracy.h"
#include "sim/network/npu_names.h"
#include "sim/params/message.h"
#include "traces/json.h"

#include <stdio.h>
#include <string.h>

enum { REPORT_SCHEMA = 1, PRINTED_REGISTERS = 16, PRINTED_BRANCHES = 8 };

static void print_place(struct machine *m, const char *what, u32 addr)
{
	char where[160];

	machine_describe(m, addr, where, sizeof where);
	message("fvp-sim:   %s 0x%08x%s%s\n", what, addr, *where ? " in " : "", where);
}

static void print_fault(struct machine *m, const char *which, const struct cpu_fault_info *fault)
{
	message("fvp-sim:   %s: %s\n", which, fault->cause);
	print_place(m, "raised at", fault->pc);
}

static void print_registers(const struct machine *m)
{
	static const char *const names[PRINTED_REGISTERS] = { "r0", "r1", "r2",	 "r3",	"r4", "r5", "r6", "r7",
							      "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc" };

	for (unsigned i = 0; i < PRINTED_REGISTERS; i++) {
		message("%s%4s %08x", i % 4 ? "" : "fvp-sim:  ", names[i], cpu_get_reg(m->cpu, i));
		if (i % 4 == 3)
			message("\n");
	}
	message("fvp-sim:   xpsr %08x  msp %08x  psp %08x  control %x  %s\n", cpu_get_reg(m->cpu, CPU_REG_XPSR),
		cpu_get_reg(m->cpu, CPU_REG_MSP), cpu_get_reg(m->cpu, CPU_REG_PSP),
		cpu_get_reg(m->cpu, CPU_REG_CONTROL), cpu_get_reg(m->cpu, CPU_REG_SECURE) ? "Secure" : "Non-secure");
}

static bool is_own_end(const struct machine *m)
{
	return m->stop == STOP_EXIT || m->stop == STOP_EOT || m->stop == STOP_TAG;
}

bool verdict_is_bad(const struct machine *m)
{
	struct cpu_fault_info fault;

	cpu_fault_info(m->cpu, &fault);
	return !is_own_end(m) || (fault.valid && m->guest_status);
}

/* Behind a fault the way to it matters; elsewhere a few branches show where the program was. */
static unsigned printed_branches(const struct machine *m)
{
	return is_own_end(m) || m->stop == STOP_FAULT || m->stop == STOP_LOCKUP ? TRAIL_BRANCHES : PRINTED_BRANCHES;
}

static void print_failed_job(const struct machine *m, const struct npu_result *r)
{
	const char *name = npu_names_find(m->npu_names, r->offset);

	message("fvp-sim:   the last NPU job failed: %s%s%s%s\n", name ? "in " : "", name ? name : "", name ? ", " : "", r->message);
}

void verdict_print(struct machine *m, const struct origin *o)
{
	struct cpu_fault_info fault, first;
	const bool own_end = is_own_end(m);

	if (!o)
		return;
	cpu_fault_info(m->cpu, &fault);
	cpu_first_fault_info(m->cpu, &first);
	if (own_end)
		message("fvp-sim: %s with status %d after a fault\n", stop_text(m->stop), m->guest_status);
	else
		message("fvp-sim: %s\n", stop_text(m->stop));
	if (first.valid)
		print_fault(m, "first fault", &first);
	if (fault.valid) {
		print_fault(m, "last fault", &fault);
		message("fvp-sim:   status: CFSR 0x%08x HFSR 0x%08x SFSR 0x%08x\n", fault.cfsr, fault.hfsr, fault.sfsr);
	}
	if (!own_end) {
		print_place(m, "stopped at", cpu_get_reg(m->cpu, REG_PC));
		print_registers(m);
	}
	origin_print(o, printed_branches(m));
	if (own_end)
		return;
	if (m->npu && *npu_result(m->npu)->message)
		print_failed_job(m, npu_result(m->npu));
	const char *advice = exit_advice(stop_status(m->stop, false, m->guest_status));

	if (advice)
		message("fvp-sim:   what to do: %s\n", advice);
}

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

bool verdict_report(struct machine *m, const struct run_config *config, const struct origin *o, const struct inferences *jobs,
		    int status, char *why, size_t why_size)
{
	struct json j;

	if (!json_begin(&j, config->report, why, why_size))
		return false;
	json_u64(&j, "schema", REPORT_SCHEMA);
	json_string(&j, "board", m->config.board->name);
	report_end(&j, m, o, status);
	json_object(&j, "cpu");
	json_string(&j, "timing", config_timing_name(m->config.cpu.timing));
	json_string(&j, "accuracy", accuracy_of_cpu(m->config.cpu.timing));
	json_u64(&j, "clock_hz", m->config.cpu.clock_hz);
	json_u64(&j, "cycles", machine_cycles(m));
	json_u64(&j, "instructions", cpu_instructions(m->cpu));
	json_fixed(&j, "simulated_seconds", machine_cycles(m) * m->period / (SCHED_TICKS_PER_SECOND / 1000000000), 9);
	json_close(&j, '}');
	if (m->npu)
		report_npu(&j, m, jobs);
	json_array(&j, "uart_bytes");
	for (unsigned i = 0; i < CONFIG_UARTS; i++)
		json_u64(&j, NULL, m->uart[i].sink.bytes);
	json_close(&j, ']');
	json_array(&j, "dumps");
	for (unsigned i = 0; i < config->dump_count; i++)
		json_string(&j, NULL, config->dumps[i].path);
	json_close(&j, ']');
	return json_end(&j, why, why_size);
}
