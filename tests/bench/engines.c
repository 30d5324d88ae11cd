/* SPDX-License-Identifier: Apache-2.0 */
/* All engines give the same: registers, flags, memory, cycles and instructions, at every point
 * where a run is interrupted, for all timing models.
 *
 *     engines program.elf...
 *
 * Each program runs in slices of changing length; the state after each slice is hashed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machine.h"
#include "sim/run.h"

#define SLICES 400
#define SLICE_CYCLES 4001

static u64 hash(u64 h, const void *data, size_t size)
{
	const u8 *p = data;

	while (size--)
		h = (h ^ *p++) * UINT64_C(0x100000001b3);
	return h;
}

static u64 state(struct machine *m)
{
	u64 h = UINT64_C(0xcbf29ce484222325), counts[2] = { cpu_cycles(m->cpu), cpu_instructions(m->cpu) };

	for (unsigned r = 0; r <= CPU_REG_VPR; r++) {
		u32 value = cpu_get_reg(m->cpu, r);
		h = hash(h, &value, sizeof(value));
	}
	for (unsigned r = CPU_REG_S0; r < CPU_REG_S0 + 32; r++) {
		u32 value = cpu_get_reg(m->cpu, r);
		h = hash(h, &value, sizeof(value));
	}
	return hash(h, counts, sizeof(counts));
}

static u64 memory(struct machine *m)
{
	const u8 *dtcm = bus_span(m->bus, BUS_CPU, 0x20000000, 0x20000);
	return hash(0, dtcm, 0x20000);
}

/* Slices of different engines may differ in nothing but host time. */
static bool run(const char *path, enum cpu_engine engine, enum cpu_timing timing, u64 result[SLICES + 1])
{
	static struct run_config config;
	char why[512];

	machine_config_init(&config.machine, board_find("corstone-300"));
	config.machine.cpu.engine = engine;
	config.machine.cpu.timing = timing;
	struct machine *m = NULL;
	if (machine_new(&m, &config.machine, NULL, why, sizeof(why)) || machine_load_image(m, path, why, sizeof(why))) {
		fprintf(stderr, "%s\n", why);
		return false;
	}
	machine_start(m);
	u64 cycles = 0;
	for (unsigned i = 0; i < SLICES; i++) {
		cycles += SLICE_CYCLES + i * 37 % 211;
		cpu_run(m->cpu, cycles * m->period);
		sched_run(&m->sched, cycles * m->period);
		result[i] = state(m);
	}
	result[SLICES] = memory(m);
	machine_free(m);
	return true;
}

int main(int argc, char **argv)
{
	static const char *const engine_names[] = { "tail", "switch", "step" };
	static u64 first[SLICES + 1], other[SLICES + 1];
	bool ok = argc > 1;

	for (int i = 1; i < argc; i++)
		for (unsigned timing = CPU_TIMING_IPC1; timing <= CPU_TIMING_M85; timing++) {
			if (!run(argv[i], CPU_ENGINE_STEP, timing, first))
				return 1;
			for (unsigned e = CPU_ENGINE_TAIL; e <= CPU_ENGINE_SWITCH; e++) {
				if (!run(argv[i], e, timing, other))
					return 1;
				for (unsigned s = 0; s <= SLICES; s++)
					if (first[s] != other[s]) {
						printf("%s, timing %u: engine %s differs from step in slice %u\n",
						       argv[i], timing, engine_names[e], s);
						ok = false;
						break;
					}
			}
		}
	return ok ? 0 : 1;
}
