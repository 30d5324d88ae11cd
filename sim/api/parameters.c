/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters that are our own; those of the FVPs: sim/params/. */
#include "sim/api/private.h"
#include "sim/params/threads.h"
#include "sim/params/values.h"

#include <string.h>

/* ---- each gives what is possible, NULL when it has been set ---- */

static const char *set_npu(struct run_config *c, const char *value)
{
	const struct npu_config *npu = npu_config_find(value);

	if (!npu && strcmp(value, "none"))
		return "the name of an accelerator, or none";
	c->machine.npu = npu;
	return NULL;
}

static const char *set_timing(struct run_config *c, const char *value)
{
	return config_timing_find(value, &c->machine.cpu.timing) ? NULL : "ipc1, m55 or m85";
}

static const char *set_cpu_memory(struct run_config *c, const char *value)
{
	c->machine.cpu_memory = value;
	return NULL;
}

static const char *set_engine(struct run_config *c, const char *value)
{
	return config_engine_find(value, &c->machine.cpu.engine) ? NULL : "tail, switch or step";
}

static const char *set_host_simd(struct run_config *c, const char *value)
{
	c->machine.host_simd = value; /* looked at when a machine is made */
	return NULL;
}

static const char *set_threads(struct run_config *c, const char *value)
{
	return threads_parse(value, &c->machine.threads) ? NULL : THREADS_WANTED;
}

static const char *set_switch(bool *on, const char *value)
{
	return value_bool(value, on) ? NULL : "on or off";
}

static const char *set_semihosting(struct run_config *c, const char *value)
{
	return set_switch(&c->machine.semihosting.enable, value);
}

static const char *set_directory(struct run_config *c, const char *value)
{
	c->machine.semihosting.directory = value;
	return NULL;
}

static const char *set_command_line(struct run_config *c, const char *value)
{
	c->machine.semihosting.command_line = value;
	return NULL;
}

static const char *set_scripts(struct run_config *c, const char *value)
{
	c->machine.script_folder = value;
	return NULL;
}

static const char *set_eot(struct run_config *c, const char *value)
{
	return set_switch(&c->machine.uart[0].shutdown_on_eot, value);
}

static const char *set_itm(struct run_config *c, const char *value)
{
	c->machine.itm_file = value;
	return NULL;
}

static const char *set_report_messages(struct run_config *c, const char *value)
{
	return set_switch(&c->report_messages, value);
}

static const char *set_report_jobs(struct run_config *c, const char *value)
{
	return set_switch(&c->report_jobs, value);
}

static const char *set_cycle_limit(struct run_config *c, const char *value)
{
	return value_u64(value, &c->limits.cycles) ? NULL : "a number of cycles";
}

static const char *set_seconds(double *limit, const char *value)
{
	return value_seconds(value, limit) ? NULL : "a number of seconds";
}

static const char *set_sim_limit(struct run_config *c, const char *value)
{
	return set_seconds(&c->limits.sim_seconds, value);
}

/* Of the host's time, which the caller looks after, as that of its processor. */
static const char *set_time_limit(struct run_config *c, const char *value)
{
	return set_seconds(&c->limits.host_seconds, value);
}

static const char *set_cpu_limit(struct run_config *c, const char *value)
{
	return set_seconds(&c->limits.cpu_seconds, value);
}

static const char *set_date(struct run_config *c, const char *value)
{
	return value_date(value, &c->machine.start_date) ? NULL : "a date (UTC) like 2026-12-31 or 2026-12-31T23:59:59, or seconds since 1970";
}

static const char *set_start(struct run_config *c, const char *value)
{
	c->start_given = value_u32(value, &c->start_address);
	return c->start_given ? NULL : "an address";
}

static const char *set_memory(struct run_config *c, const char *value)
{
	c->memory = value;
	return NULL;
}

static const char *set_vela_config(struct run_config *c, const char *value)
{
	c->vela_config = value;
	return NULL;
}

static const char *set_system_config(struct run_config *c, const char *value)
{
	c->system_config = value;
	return NULL;
}

static const char *set_gdb_history(struct run_config *c, const char *value)
{
	u64 mib;

	if (!value_u64(value, &mib) || mib > API_HISTORY_MOST)
		return "a number of MiB, 0 for none";
	c->gdb_history_mib = mib;
	return NULL;
}

static const char *set_standard_streams(struct run_config *c, const char *value)
{
	return set_switch(&c->standard_streams, value);
}

static const char *set_as_fvp(struct run_config *c, const char *value)
{
	if (!value_bool(value, &c->fvp))
		return "on or off";
	c->limits.await = c->fvp;
	return NULL;
}

static const char *set_trail(struct run_config *c, const char *value)
{
	return set_switch(&c->trail, value);
}

static const struct { const char *name; const char *(*set)(struct run_config *c, const char *value); } own[] = {
	{ "npu", set_npu }, { "cpu-timing", set_timing }, { "cpu-memory", set_cpu_memory },
	{ "engine", set_engine }, { "host-simd", set_host_simd },
	{ "threads", set_threads },
	{ "semihosting", set_semihosting }, { "semihosting-dir", set_directory }, { "semihosting-cmdline", set_command_line },
	{ "scripts", set_scripts },
	{ "eot", set_eot }, { "itm", set_itm }, { "report-jobs", set_report_jobs },
	{ "report-messages", set_report_messages }, { "trail", set_trail }, { "cyclelimit", set_cycle_limit }, { "simlimit", set_sim_limit },
	{ "timelimit", set_time_limit }, { "cpulimit", set_cpu_limit }, { "date", set_date }, { "start", set_start }, { "memory", set_memory },
	{ "vela-config", set_vela_config }, { "system-config", set_system_config }, { "gdb-history", set_gdb_history },
	{ "standard-streams", set_standard_streams }, { "as-fvp", set_as_fvp },
};

static bool is_uart(const char *name)
{
	return !strncmp(name, "uart", 4) && name[4] >= '0' && name[4] < '0' + CONFIG_UARTS && !name[5];
}

bool api_parameter_own(struct run_config *c, const char *name, const char *value, const char **possible)
{
	*possible = NULL;
	for (unsigned i = 0; i < ARRAY_LEN(own); i++)
		if (!strcmp(own[i].name, name)) {
			*possible = own[i].set(c, value);
			return true;
		}
	if (is_uart(name))
		c->machine.uart[name[4] - '0'].out_file = value;
	return is_uart(name);
}
