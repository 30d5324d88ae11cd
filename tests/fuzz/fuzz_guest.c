/* SPDX-License-Identifier: Apache-2.0 */
/* Whole machines running arbitrary code: whatever a program does, the host neither crashes nor
 * hangs, and every engine ends in the same state. The input is code for ITCM; registers point at
 * memories, devices, the NPU and nothing. Semihosting is on, its folder one in which nothing can
 * be written. */
#include "sim/machine.h"
#include "sim/run.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITCM = OUTCOME_ITCM, CODE = ITCM + 0x200, STACK = 0x30008000, CYCLES = 20000 };

static const u32 pointers[] = {
	0x10000400, 0x30001000, 0x31000000, 0x59303000, /* UART0 */
	0x58102000,                                      /* NPU */
	0xe000e000, 0xe000ed00, 0x58000000, 0x50080000, 0x70000000, 0x5fff0000, 0xe0001000,
};

static struct machine *new_machine(enum cpu_engine engine)
{
	static const struct diag quiet;
	struct machine_config config;
	struct machine *m;
	char why[256];

	machine_config_init(&config, board_find("corstone-300"));
	config.cpu.engine = engine;
	config.semihosting = (struct semihosting_config){ .enable = true, .directory = "/proc/self/fdinfo" };
	if (machine_new(&m, &config, &quiet, why, sizeof why)) {
		fprintf(stderr, "%s\n", why);
		abort();
	}
	return m;
}

static void load(struct machine *m, const u8 *data, size_t size)
{
	u32 table[16] = { STACK, CODE | 1 };
	char why[256];

	for (unsigned i = 2; i < ARRAY_LEN(table); i++)
		table[i] = (CODE + 16 * i) | 1; /* handlers: somewhere in the same code */
	machine_load_data(m, "table", ITCM, table, sizeof table, why, sizeof why);
	machine_load_data(m, "code", CODE, data, size, why, sizeof why);
	outcome_without_it(bus_span_to_write(m->bus, BUS_CPU, CODE, (u32)size), size);
}

/* The guest's console is nobody's. */
static void silence(void)
{
	static bool done;

	if (!done && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "r", stdin)))
		abort();
	done = true;
}

static void run(const u8 *data, size_t size, enum cpu_engine engine, struct outcome *o)
{
	const struct limits limits = { .cycles = CYCLES };
	struct machine *m = new_machine(engine);

	load(m, data, size);
	machine_start(m);
	for (unsigned i = 0; i < ARRAY_LEN(pointers); i++)
		cpu_set_reg(m->cpu, i, pointers[i]);
	machine_run(m, &limits, NULL);
	outcome_take(m, o);
	machine_free(m);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct outcome first, other;

	silence();
	if (size > 0x10000)
		size = 0x10000;
	run(data, size, CPU_ENGINE_TAIL, &first);
	if (first.cycles > CYCLES + 10000) {
		fprintf(stderr, "ran %llu cycles\n", (unsigned long long)first.cycles);
		abort();
	}
	for (unsigned e = CPU_ENGINE_SWITCH; e <= CPU_ENGINE_STEP; e++) {
		run(data, size, (enum cpu_engine)e, &other);
		outcome_compare(&first, &other, e);
	}
	return 0;
}

/* Seed 0 is noise; 1 is made of common instructions that reach memory, devices and the host. */
size_t fuzz_seed(unsigned index, u8 out[FUZZ_MAX_BYTES])
{
	static const u16 code[] = {
		0x6008, 0x6848, 0x5088, 0xb503, 0xbeab, 0xdf00, 0xe891, 0x0300, 0xe92d, 0x4ff0, 0xe8bd, 0x8ff0, 0xe9d1,
		0x0202, 0xe851, 0x0f01, 0xe841, 0x2000, 0xf8d1, 0x0fff, 0xed91, 0x0a00, 0xee30, 0x0a81, 0xf3bf, 0x8f4f,
		0xf3ef, 0x8010, 0xf380, 0x8814, 0xbf20, 0xbf30, 0xbf40, 0xb662, 0xb672, 0x4770, 0x4718, 0x6018, 0x6020,
		0x6070, 0x6128, 0x61ab, 0xf040, 0xc003, 0xf00f, 0xc001, 0xec91, 0x1b04, 0xed2d, 0x0a01, 0xef00, 0x0840,
		0xee31, 0x0f40, 0xe7f0, 0xd0f0, 0xe97f, 0xe97f, 0x2018, 0x2104, 0xbf08, 0x3001,
	};
	u32 x = 12345;

	if (index > 1)
		return 0;
	for (unsigned i = 0; index == 0 && i < 512; i++)
		out[i] = (u8)((x = x * 1664525 + 1013904223) >> 24);
	for (unsigned i = 0; index == 1 && i < 4 * ARRAY_LEN(code); i++)
		memcpy(out + 2 * i, &code[i % ARRAY_LEN(code)], 2);
	return index ? 8 * ARRAY_LEN(code) : 512;
}
