/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/settings.h"
#include "sim/trace/trace.h"
#include "sim/exit.h"
#include "sim/params/message.h"
#include "sim/params/values.h"

#include <stdio.h>
#include <string.h>

int setting_wrong(const char *option, const char *value, const char *wanted)
{
	message("fvp-sim: %s: '%s' is not possible; give %s\n", option, value, wanted);
	return EXIT_USAGE;
}

static int too_many(const char *option)
{
	message("fvp-sim: %s: more than %d are given\n", option, CONFIG_FILES);
	return EXIT_USAGE;
}

int setting_image(struct run_config *c, const char *option, char *value)
{
	if (c->image_count == CONFIG_FILES)
		return too_many(option);
	c->images[c->image_count++] = value;
	return 0;
}

int setting_data(struct run_config *c, char *value)
{
	if (c->data_count == CONFIG_FILES)
		return too_many("--data");
	return value_data_file(value, false, &c->data[c->data_count++]) ? 0
		: setting_wrong("--data", value, "FILE@ADDR, for example model.tflite@0x90000000");
}

int setting_dump(struct run_config *c, char *value)
{
	if (c->dump_count == CONFIG_FILES)
		return too_many("--dump");
	return value_data_file(value, true, &c->dumps[c->dump_count++]) ? 0
		: setting_wrong("--dump", value, "FILE@ADDR,SIZE, for example out.bin@0x93000000,1000");
}

int setting_seconds(const char *option, const char *value, double *to)
{
	return value_seconds(value, to) ? 0 : setting_wrong(option, value, "a number of seconds");
}

int setting_cycle_limit(struct run_config *c, const char *value)
{
	return value_u64(value, &c->limits.cycles) ? 0 : setting_wrong("--cyclelimit", value, "a number of cycles");
}

int setting_report(struct run_config *c, const char *value)
{
	c->report = value;
	return *value ? 0 : setting_wrong("--report", value, "a file, or - for standard output");
}

int setting_date(struct run_config *c, const char *value)
{
	return value_date(value, &c->machine.start_date)
		       ? 0 : setting_wrong("--date", value, "a date (UTC) like 2026-12-31 or 2026-12-31T23:59:59, or seconds since 1970");
}

int setting_gdb(struct run_config *c, const char *value)
{
	c->gdb = value;
	return *value ? 0 : setting_wrong("--gdb", value, "a port, HOST:PORT, a path with a slash for a socket, or -");
}

int setting_restore(struct run_config *c, const char *value)
{
	c->restore = value;
	return *value ? 0 : setting_wrong("--restore", value, "a file that --save-at has written");
}

int setting_record(struct run_config *c, const char *value)
{
	c->record = value;
	return *value ? 0 : setting_wrong("--record", value, "a file");
}

int setting_save_at(struct run_config *c, const char *value)
{
	const char *equals = strchr(value, '=');

	c->save_at = value;
	return equals && equals > value && equals[1] ? 0 : setting_wrong("--save-at", value, "CYCLE=FILE or FUNCTION=FILE");
}

int setting_gdb_history(struct run_config *c, const char *value)
{
	return value_u64(value, &c->gdb_history_mib) && c->gdb_history_mib <= 1u << 20
		       ? 0 : setting_wrong("--gdb-history", value, "a number of MiB, 0 for none");
}

int setting_cpu_timing(struct run_config *c, const char *value)
{
	return config_timing_find(value, &c->machine.cpu.timing)
		       ? 0 : setting_wrong("--cpu-timing", value, "ipc1, m55 or m85");
}

int setting_trace(struct run_config *c, const char *option, const char *value)
{
	char why[256];

	if (c->trace.trace_count == TRACES_MAX)
		return setting_wrong(option, value, "fewer of them");
	if (!trace_option_check(value, why, sizeof why)) {
		message("fvp-sim: %s: %s\n", option, why);
		return EXIT_USAGE;
	}
	c->trace.traces[c->trace.trace_count++] = value;
	return 0;
}
