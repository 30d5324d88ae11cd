/* SPDX-License-Identifier: Apache-2.0 */
/* What a program that writes to devices makes of a machine: timing adapters, a reset of the system. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define ADAPTER0 0x58103000u
enum { RLATENCY = 0x0c, PULSE_ON = 0x14, PULSE_OFF = 0x18, BWCAP = 0x1c };
#define SYSCTRL 0x58021000u
enum { RESET_SYNDROME = 0x100, SWRESET = 0x108 };

static void poke(struct fvpsim_machine *m, uint32_t address, uint32_t value)
{
	struct fvpsim_error error;

	cr_assert(eq(int, fvpsim_write(m, FVPSIM_SECURE, address, &value, sizeof value, &error), FVPSIM_OK), "%s", error.text);
}

static void ends_well(struct fvpsim_machine *m)
{
	const struct fvpsim_until limit = { .size = sizeof limit, .cycle = 100000000 };
	struct fvpsim_end end = { .size = sizeof end };

	cr_assert(eq(int, run(m, &limit), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_get_end(m, &end, NULL), FVPSIM_OK));
	cr_assert(eq(str, (char *)end.reason, "EXIT"));
	cr_assert(eq(int, end.status, 0));
}

/* Cycles of the network with the SRAM port's adapter as given. */
static uint64_t npu_cycles(uint32_t latency, uint32_t on, uint32_t off, uint32_t cap)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	uint64_t cycles;

	poke(m, ADAPTER0 + RLATENCY, latency);
	poke(m, ADAPTER0 + PULSE_ON, on);
	poke(m, ADAPTER0 + PULSE_OFF, off);
	poke(m, ADAPTER0 + BWCAP, cap);
	ends_well(m);
	cycles = counts_of(m).npu_cycles;
	fvpsim_machine_free(m);
	return cycles;
}

Test(machine, timing_adapters_slow_the_npu_down)
{
	const uint64_t free_running = npu_cycles(0, 0, 0, 0);

	cr_expect(eq(u64, npu_cycles(0, 0, 0, 0), free_running), "the same again");
	cr_expect(gt(u64, npu_cycles(500, 0, 0, 0), free_running));
	cr_expect(gt(u64, npu_cycles(0, 100, 300, 0), free_running));
	cr_expect(gt(u64, npu_cycles(0, 100, 0, 5), free_running));
}

Test(machine, a_system_reset_restarts_the_program)
{
	const struct fvpsim_until soon = { .size = sizeof soon, .cycle = 20000 };
	struct heard once, h;
	struct fvpsim_machine *straight = make("corstone-300", &once, RUNNER), *m = make("corstone-300", &h, RUNNER);
	uint32_t causes = 0;

	ends_well(straight);
	cr_assert(eq(int, run(m, &soon), FVPSIM_STOP_TIME));
	poke(m, SYSCTRL + SWRESET, 0x200);
	ends_well(m);
	cr_expect(eq(int, fvpsim_read(m, FVPSIM_SECURE, SYSCTRL + RESET_SYNDROME, &causes, sizeof causes, NULL), FVPSIM_OK));
	cr_expect(eq(u32, causes, 1u << 5 | 1), "by software, and the power that came before");
	cr_expect(gt(u64, counts_of(m).instructions, counts_of(straight).instructions));
	fvpsim_machine_free(straight);
	fvpsim_machine_free(m);
}
