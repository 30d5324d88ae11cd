/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/network/npu_memory.h"

#include <stdio.h>
#include <string.h>

#include "loader/file.h"
#include "loader/vela_ini.h"

enum { WINDOW = 1000 }; /* cycles; a vela.ini knows a mean bandwidth, no window, so requests pass at any time */

/* The compiler's terms in those of the timing adapter, of which each port of the NPU has one: its cap is that of one port. */
static struct npu_adapter adapter_of(const struct npu_config *config, const struct vela_memory *m, unsigned port)
{
	const u32 cap = m->per_mille * WINDOW / 1000 / (port ? config->ext_ports : config->sram_ports);

	return (struct npu_adapter){
		.read_latency = m->read_latency, .write_latency = m->write_latency, .max_reads = m->max_reads,
		.max_writes = m->max_writes, .window = WINDOW, .open = WINDOW, .cap = cap ? cap : 1,
	};
}

/* Which of our modes has constants and arena behind these ports. */
static bool mode_of(const struct vela_mode *m, enum npu_memory_mode *out)
{
	if (!m->constants && m->arena)
		return false;
	*out = m->arena ? NPU_MEMORY_DEDICATED : m->constants ? NPU_MEMORY_SHARED : NPU_MEMORY_SRAM_ONLY;
	return true;
}

static enum failure read_config(const struct npu_memory_words *w, const struct npu_config *config, struct npu_memory_profile *out,
		       enum npu_memory_mode *mode, bool *mode_given, const char *text, char *why, size_t why_size)
{
	struct vela_memory memory[VELA_PORTS];
	struct vela_mode areas;

	if (!vela_ini_system(text, w->system, memory, why, why_size))
		return FAIL_USAGE;
	for (unsigned i = 0; i < NPU_PORTS; i++)
		out->adapter[i] = adapter_of(config, &memory[i], i);
	if (!w->mode)
		return FAIL_NONE;
	if (!vela_ini_mode(text, w->mode, &areas, why, why_size))
		return FAIL_USAGE;
	*mode_given = true;
	if (mode_of(&areas, mode))
		return FAIL_NONE;
	snprintf(why, why_size, "[Memory_Mode.%.40s]: constants behind port 0 and the arena behind port 1 are not possible", w->mode);
	return FAIL_USAGE;
}

static enum failure from_config(const struct npu_memory_words *w, const struct npu_config *config, struct npu_memory_profile *out,
		       enum npu_memory_mode *mode, bool *mode_given, char *why, size_t why_size)
{
	struct file_bytes file;
	char line[320];
	enum failure failure;

	if (!file_read(w->config, &file, line, sizeof line)) {
		snprintf(why, why_size, "--config: %s", line);
		return FAIL_NO_INPUT;
	}
	failure = read_config(w, config, out, mode, mode_given, (const char *)file.data, line, sizeof line);
	file_free(&file);
	if (failure)
		snprintf(why, why_size, "--config: %.120s: %s", w->config, line);
	return failure;
}

enum failure npu_memory_find(const struct npu_memory_words *w, const struct npu_config *config, struct npu_memory_profile *out,
		    enum npu_memory_mode *mode, bool *mode_given, char *why, size_t why_size)
{
	struct npu_memory_profile base = *npu_memory_profile_default(config);
	char line[320];
	enum failure failure = FAIL_NONE;

	*mode_given = false;
	if (!w->config != !w->system) {
		snprintf(why, why_size, "--config FILE and --system-config NAME go together: the file, and a System_Config of it");
		return FAIL_USAGE;
	}
	if (w->config && w->memory && *w->memory != ',') {
		snprintf(why, why_size, "--memory %.60s and --config are two memory systems; give one, or changes such as "
			 "--memory ,ext.read_latency=250", w->memory);
		return FAIL_USAGE;
	}
	if (w->config)
		failure = from_config(w, config, &base, mode, mode_given, why, why_size);
	else if (w->mode && !(*mode_given = npu_memory_mode_find(w->mode, mode))) {
		snprintf(why, why_size, "--memory-mode: '%.60s' is not possible; give Shared_Sram, Dedicated_Sram or Sram_Only", w->mode);
		return FAIL_USAGE;
	}
	if (!failure && !npu_memory_profile_parse(w->memory ? w->memory : "", &base, out, line, sizeof line)) {
		snprintf(why, why_size, "--memory: %s", line);
		return FAIL_USAGE;
	}
	return failure;
}
