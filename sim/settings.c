/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/settings.h"
#include "sim/exit.h"
#include "sim/values.h"

#include <stdio.h>

int setting_wrong(const char *option, const char *value, const char *wanted)
{
	fprintf(stderr, "fvp-sim: %s: '%s' is not possible; give %s\n", option, value, wanted);
	return EXIT_USAGE;
}

static int too_many(const char *option)
{
	fprintf(stderr, "fvp-sim: %s: more than %d are given\n", option, CONFIG_FILES);
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

int setting_cpu_timing(struct run_config *c, const char *value)
{
	return config_timing_find(value, &c->machine.cpu.timing)
		       ? 0 : setting_wrong("--cpu-timing", value, "ipc1, m55 or m85");
}
