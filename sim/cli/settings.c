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

int setting_data(void *into, char *value)
{
	struct run_config *c = into;

	if (c->data_count == CONFIG_FILES)
		return too_many("--data");
	return value_data_file(value, false, &c->data[c->data_count++]) ? 0
		: setting_wrong("--data", value, "FILE@ADDR, for example model.tflite@0x90000000");
}

int setting_dump(void *into, char *value)
{
	struct run_config *c = into;

	if (c->dump_count == CONFIG_FILES)
		return too_many("--dump");
	return value_data_file(value, true, &c->dumps[c->dump_count++]) ? 0
		: setting_wrong("--dump", value, "FILE@ADDR,SIZE, for example out.bin@0x93000000,1000");
}

int setting_save_at(void *into, char *value)
{
	struct run_config *c = into;
	const char *equals = strchr(value, '=');

	c->save_at = value;
	return equals && equals > value && equals[1] ? 0 : setting_wrong("--save-at", value, "CYCLE=FILE or FUNCTION=FILE");
}

int setting_gdb_history(void *into, char *value)
{
	struct run_config *c = into;

	return value_u64(value, &c->gdb_history_mib) && c->gdb_history_mib <= 1u << 20
		       ? 0 : setting_wrong("--gdb-history", value, "a number of MiB, 0 for none");
}

int setting_cpu_timing(void *into, char *value)
{
	struct run_config *c = into;

	return config_timing_find(value, &c->machine.cpu.timing)
		       ? 0 : setting_wrong("--cpu-timing", value, "ipc1, m55 or m85");
}
