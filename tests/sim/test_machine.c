/* SPDX-License-Identifier: Apache-2.0 */
/* Whole machines in one process: the demonstration runner, timing adapters, memory parameters. */
#include "sim/machine.h"
#include "sim/run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define ADAPTER0 0x58103000u
enum { RLATENCY = 0x0c, PULSE_ON = 0x14, PULSE_OFF = 0x18, BWCAP = 0x1c };

static struct machine *make(const struct machine_config *config)
{
	char why[256];
	struct machine *m = NULL;

	cr_assert(eq(int, machine_new(&m, config, NULL, why, sizeof why), 0), "%s", why);
	return m;
}

static struct machine_config defaults(void)
{
	struct machine_config config;

	machine_config_init(&config, board_find("corstone-300"));
	config.semihosting.enable = true;
	return config;
}

static void poke(struct machine *m, u32 addr, u32 value)
{
	const struct bus_attr attr = {true, true, BUS_CPU};

	cr_assert(eq(int, bus_write(m->bus, addr, 4, attr, value), BUS_OK));
}

static void run_runner(struct machine *m)
{
	const struct limits limits = {.cycles = 100000000};
	char why[256];

	cr_assert(eq(int, machine_load_image(m, RUNNER, why, sizeof why), 0), "%s", why);
	machine_start(m);
	machine_run(m, &limits, NULL);
	cr_assert(eq(int, m->stop, STOP_EXIT));
	cr_assert(eq(int, m->guest_status, 0));
}

/* Cycles of the network with the SRAM port's adapter as given. */
static u64 npu_cycles(u32 latency, u32 on, u32 off, u32 cap)
{
	struct machine_config config = defaults();
	struct machine *m = make(&config);
	u64 cycles;

	poke(m, ADAPTER0 + RLATENCY, latency);
	poke(m, ADAPTER0 + PULSE_ON, on);
	poke(m, ADAPTER0 + PULSE_OFF, off);
	poke(m, ADAPTER0 + BWCAP, cap);
	run_runner(m);
	cycles = npu_result(m->npu)->total_cycles;
	machine_free(m);
	return cycles;
}

Test(machine, timing_adapters_slow_the_npu_down)
{
	u64 free_running = npu_cycles(0, 0, 0, 0);

	cr_expect(eq(u64, npu_cycles(0, 0, 0, 0), free_running), "the same again");
	cr_expect(gt(u64, npu_cycles(500, 0, 0, 0), free_running));
	cr_expect(gt(u64, npu_cycles(0, 100, 300, 0), free_running));
	cr_expect(gt(u64, npu_cycles(0, 100, 0, 5), free_running));
}

Test(machine, several_live_side_by_side)
{
	struct machine_config config = defaults();
	struct machine *a = make(&config), *b = make(&config);

	run_runner(a);
	run_runner(b);
	cr_expect(eq(u64, machine_cycles(a), machine_cycles(b)));
	cr_expect(eq(u64, cpu_instructions(a->cpu), cpu_instructions(b->cpu)));
	machine_free(a);
	machine_free(b);
}

Test(machine, a_system_reset_restarts_the_program)
{
	struct machine_config config = defaults();
	struct machine *m = make(&config);
	u64 once;

	run_runner(m);
	once = cpu_instructions(m->cpu);
	m->stop = STOP_NONE;
	poke(m, 0x58021108, 0x200); /* SYSCTRL.SWRESET */
	cr_expect(eq(u32, m->reset_causes, 1u << 5));
	machine_run(m, &(struct limits){.cycles = 100000000}, NULL);
	cr_expect(eq(int, m->stop, STOP_EXIT));
	cr_expect(gt(u64, cpu_instructions(m->cpu), once));
	machine_free(m);
}
