/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/settings.h"
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
	message("fvp-sim: %s: more than %d are given\n", option, REQUEST_FILES);
	return EXIT_USAGE;
}

int setting_image(struct request *c, const char *option, char *value)
{
	if (c->image_count == REQUEST_FILES)
		return too_many(option);
	c->images[c->image_count++] = value;
	return 0;
}

int setting_data(void *into, char *value)
{
	struct request *c = into;

	if (c->data_count == REQUEST_FILES)
		return too_many("--data");
	return value_data_file(value, false, &c->data[c->data_count++]) ? 0
		: setting_wrong("--data", value, "FILE@ADDR, for example model.tflite@0x90000000");
}

int setting_dump(void *into, char *value)
{
	struct request *c = into;

	if (c->dump_count == REQUEST_FILES)
		return too_many("--dump");
	return value_data_file(value, true, &c->dumps[c->dump_count++]) ? 0
		: setting_wrong("--dump", value, "FILE@ADDR,SIZE, for example out.bin@0x93000000,1000");
}

int setting_save_at(void *into, char *value)
{
	struct request *c = into;
	const char *equals = strchr(value, '=');

	c->save_at = value;
	return equals && equals > value && equals[1] ? 0 : setting_wrong("--save-at", value, "CYCLE=FILE or FUNCTION=FILE");
}

/* A parameter of the configuration; `wanted`: what to give instead of a wrong value. */
static int set(void *into, const char *name, const char *value, const char *wanted)
{
	char option[32];

	snprintf(option, sizeof option, "--%s", name);
	return fvpsim_config_set(((const struct request *)into)->config, name, value, NULL) ? setting_wrong(option, value, wanted) : 0;
}

int setting_gdb_history(void *into, char *value)
{
	((struct request *)into)->gdb_history = value;
	return set(into, "gdb-history", value, "a number of MiB, 0 for none");
}

int setting_cpu_timing(void *into, char *value)
{
	return set(into, "cpu-timing", value, "ipc1, m55 or m85");
}

int setting_date(void *into, char *value)
{
	return set(into, "date", value, "a date (UTC) like 2026-12-31 or 2026-12-31T23:59:59, or seconds since 1970");
}

int setting_engine(void *into, char *value)
{
	((struct request *)into)->engine = value;
	return set(into, "engine", value, "tail, switch or step");
}
