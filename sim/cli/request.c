/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/request.h"
#include "sim/cli/tell.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/params/threads.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A parameter, where a value is given. */
static int set(struct request *r, const char *name, const char *value)
{
	struct fvpsim_error error;

	return value && fvpsim_config_set(r->config, name, value, &error) ? tell_error("", &error) : 0;
}

static int set_flag(struct request *r, const char *name, bool value)
{
	return set(r, name, value ? "on" : "off");
}

static int PRINTF_LIKE(3, 4) set_number(struct request *r, const char *name, const char *format, ...)
{
	char value[400]; /* the longest double is shorter */
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof value, format, args);
	va_end(args);
	return set(r, name, value);
}

/* The record's configuration instead of our own. */
static int open_replay(struct request *r)
{
	struct fvpsim_config_info own = { .size = sizeof own }, recorded = { .size = sizeof recorded };
	struct fvpsim_error error;
	struct fvpsim_config *c = fvpsim_config_replay(r->replay, &error);

	if (!c)
		return tell_error("--replay: ", &error);
	fvpsim_config_get_info(r->config, &own, NULL);
	fvpsim_config_get_info(c, &recorded, NULL);
	fvpsim_config_free(r->config);
	r->config = c;
	if (!r->board_given || !strcmp(own.board, recorded.board))
		return 0;
	message("fvp-sim: --replay: %s was recorded on %s, not on %s\n", r->replay, recorded.board, own.board);
	return EXIT_USAGE;
}

/* What a record does not have: where text goes, how the host works. */
static int set_outputs(struct request *r)
{
	int status = set(r, "uart0", r->uart0 && strcmp(r->uart0, "-") ? r->uart0 : NULL);

	status = status ? status : set(r, "itm", r->itm);
	status = status ? status : set(r, "engine", r->engine && strcmp(r->engine, "tail") ? r->engine : NULL);
	status = status ? status : set(r, "host-simd", r->host_simd);
	status = status ? status : set_number(r, "threads", "%u", r->threads ? r->threads : threads_default());
	status = status ? status : set_flag(r, "standard-streams", true);
	status = status ? status : set_flag(r, "as-fvp", r->fvp);
	status = status ? status : set_flag(r, "report-jobs", r->report && r->report_jobs);
	status = status ? status : set_flag(r, "report-messages", r->report_messages);
	status = status ? status : set_flag(r, "trail", !r->gdb); /* a debugger has a past of its own */
	return status ? status : set(r, "gdb-history", r->gdb_history);
}

static int set_limits(struct request *r)
{
	int status = set_number(r, "timelimit", "%.17g", r->host_seconds);

	status = status ? status : set_number(r, "cpulimit", "%.17g", r->cpu_seconds);
	status = status ? status : set_number(r, "simlimit", "%.17g", r->sim_seconds);
	return status ? status : set_number(r, "cyclelimit", "%llu", (unsigned long long)r->cycles);
}

static int set_machine(struct request *r)
{
	int status = set(r, "memory", r->memory);

	status = status ? status : set(r, "cpu-memory", r->cpu_memory);
	status = status ? status : set(r, "vela-config", r->vela_config);
	status = status ? status : set(r, "system-config", r->system_config);
	status = status ? status : set(r, "scripts", r->scripts);
	if (status || r->fvp) /* which has parameters for the rest */
		return status;
	status = set_flag(r, "eot", r->eot);
	status = status ? status : set_flag(r, "semihosting", r->semihosting);
	status = status ? status : set(r, "semihosting-dir", r->semihosting_dir);
	return status ? status : set(r, "semihosting-cmdline", r->semihosting_cmdline);
}

int request_configure(struct request *r)
{
	int status = r->replay ? open_replay(r) : set_machine(r);

	status = status ? status : set_outputs(r);
	return status ? status : set_limits(r);
}

void request_free(struct request *r)
{
	fvpsim_config_free(r->config);
	r->config = NULL;
}
