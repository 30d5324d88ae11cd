/* SPDX-License-Identifier: Apache-2.0 */
/* The memory systems are those of the NPU's estimate (npu/timing/profiles.def): its ports and the processor's reach the same memories, and
 * nobody has published other figures. On-chip memories are as behind port 0, the others as behind port 1. */
#include "sim/cpu_memories.h"

#include <stdio.h>
#include <string.h>

#include "npu/npu.h"
#include "npu/timing/profiles.h"
#include "sim/machine.h"

enum { CPU_BEAT_BYTES = 8 };

/* Cycles between two of the processor's beats, by the bandwidth of the port, rounded up. */
static u32 beat_of(const struct npu_adapter *a, const struct npu_config *npu)
{
	const u64 bytes = (u64)a->cap * npu->axi_bytes;

	return a->window && bytes ? (u32)((a->window * (u64)CPU_BEAT_BYTES + bytes - 1) / bytes) : 1;
}

static enum failure add(struct cpu_config *cpu, const struct npu_adapter *a, const struct npu_config *npu, u32 base, u32 bytes, char *why,
			size_t why_size)
{
	const u32 beat = beat_of(a, npu);

	if (a->read_latency > CPU_LATENCY_MAX || beat > CPU_BEAT_MAX) {
		snprintf(why, why_size, "--cpu-memory: a latency of %u cycles and %u cycles for 8 bytes are not possible; give at most %d and %d",
			 a->read_latency, beat, CPU_LATENCY_MAX, CPU_BEAT_MAX);
		return FAIL_USAGE;
	}
	cpu->memories[cpu->memory_count++] = (struct cpu_memory){ base, bytes, (u16)a->read_latency, (u16)beat };
	return FAIL_NONE;
}

static enum failure add_all(struct machine_config *c, const struct npu_memory_profile *profile, const struct npu_config *npu, char *why,
			    size_t why_size)
{
	enum failure failure = FAIL_NONE;

	for (unsigned i = 0; i < c->board->memory_count && !failure; i++) {
		const struct board_memory *m = &c->board->memories[i];
		const struct npu_adapter *a = &profile->adapter[m->off_chip];

		if (!(m->views & BUS_NPU)) /* a TCM */
			continue;
		failure = add(&c->cpu, a, npu, m->ns_base, c->memory_bytes[i], why, why_size);
		if (!failure && m->alias)
			failure = add(&c->cpu, a, npu, m->s_base, c->memory_bytes[i], why, why_size);
	}
	return failure;
}

enum failure cpu_memories_find(struct machine_config *config, char *why, size_t why_size)
{
	const struct npu_config *npu = config->npu ? config->npu : npu_config_find(config->board->default_npu);
	struct npu_memory_profile profile;
	char line[320];

	config->cpu.memory_count = 0;
	if (!config->cpu_memory || !strcmp(config->cpu_memory, CPU_MEMORY_IDEAL))
		return FAIL_NONE;
	if (config->cpu.timing == CPU_TIMING_IPC1) {
		snprintf(why, why_size, "--cpu-memory %.60s goes with --cpu-timing m55 or m85: ipc1 knows no waits", config->cpu_memory);
		return FAIL_USAGE;
	}
	if (!npu_memory_profile_parse(config->cpu_memory, npu_memory_profile_default(npu), &profile, line, sizeof line)) {
		snprintf(why, why_size, "--cpu-memory: %s, or %s", line, CPU_MEMORY_IDEAL);
		return FAIL_USAGE;
	}
	return add_all(config, &profile, npu, why, why_size);
}

static unsigned port_of(const struct machine_config *c, u32 addr)
{
	for (unsigned i = 0; i < c->board->memory_count; i++) {
		const struct board_memory *m = &c->board->memories[i];
		if (addr - m->ns_base < c->memory_bytes[i] || (m->alias && addr - m->s_base < c->memory_bytes[i]))
			return m->off_chip;
	}
	return 0;
}

/* Bytes of the NPU's operation, spread over its cycles, in the processor's beats. */
u32 cpu_memories_taken(void *machine, u32 addr)
{
	const struct machine *m = machine;
	const struct cpu_config *cpu = &m->config.cpu;
	u64 cycles = 0, beat = 0;

	if (!m->npu || !(npu_port_bytes(m->npu, 0, &cycles), cycles)) /* most often nothing is under way */
		return 0;
	const u64 bytes = npu_port_bytes(m->npu, port_of(&m->config, addr), &cycles);

	for (unsigned i = 0; i < cpu->memory_count && !beat; i++)
		if (addr - cpu->memories[i].base < cpu->memories[i].bytes)
			beat = cpu->memories[i].beat;
	const u64 share = cycles ? bytes * beat * 256 / (CPU_BEAT_BYTES * cycles) : 0;
	return share < 256 ? (u32)share : 256;
}
