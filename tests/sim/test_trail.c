/* SPDX-License-Identifier: Apache-2.0 */
/* Finding out where an end came from: it leaves the machine as it was, also when it is told to stop on the way. */
#include "sim/history/trail.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <sys/time.h>

enum { CODE = 0x10000000, COUNTER = 0x30000000, CYCLES = 40000000 };

static struct machine *machine;
static struct trail trail;
static const struct limits limits = { .cycles = CYCLES };

static u32 peek(u32 addr)
{
	u32 value = 0;

	cr_assert(eq(int, bus_read(machine->bus, addr, 4, (struct bus_attr){ true, true, BUS_CPU }, &value), BUS_OK));
	return value;
}

static void poke(u32 addr, u32 value)
{
	cr_assert(eq(int, bus_write(machine->bus, addr, 4, (struct bus_attr){ true, true, BUS_CPU }, value), BUS_OK));
}

/* Adds one to a word of memory for ever, up to the limit. */
static void run_to_the_limit(void)
{
	static const u32 code[] = { 0x30080000, CODE | 9, 0x1c496801 /* ldr r1, [r0]; adds r1, r1, #1 */, 0xe7fb6001 /* str r1, [r0]; b */ };
	struct machine_config config;
	char why[256];

	machine_config_init(&config, board_find("corstone-300"));
	cr_assert(eq(int, machine_new(&machine, &config, NULL, why, sizeof why), 0), "%s", why);
	for (u32 i = 0; i < ARRAY_LEN(code); i++)
		poke(CODE + 4 * i, code[i]);
	machine_start(machine);
	cpu_set_start(machine->cpu, CODE | 9, 0x30080000);
	cpu_set_reg(machine->cpu, 0, COUNTER);
	trail_begin(&trail, machine, &limits);
	trail_run(&trail, NULL);
	cr_assert(eq(int, machine->stop, STOP_CYCLE_LIMIT));
	cr_assert(trail.kept && peek(COUNTER) > CYCLES / 8);
}

static void finish(void)
{
	trail_stop(&trail);
	trail_end(&trail);
	machine_free(machine);
}

static void ask(int number)
{
	(void)number;
	machine_ask_stop(machine, STOP_INTERRUPTED);
}

/* What the branches are, and whether the machine is where it was. */
static bool branches(struct trail_branches *b)
{
	const u64 cycles = machine_cycles(machine), instructions = cpu_instructions(machine->cpu);
	const u32 count = peek(COUNTER), pc = cpu_get_reg(machine->cpu, REG_PC), r1 = cpu_get_reg(machine->cpu, 1);
	const bool found = trail_last_branches(&trail.history, b);

	cr_expect(eq(u64, machine_cycles(machine), cycles));
	cr_expect(eq(u64, cpu_instructions(machine->cpu), instructions));
	cr_expect(eq(u32, peek(COUNTER), count));
	cr_expect(eq(u32, cpu_get_reg(machine->cpu, REG_PC), pc));
	cr_expect(eq(u32, cpu_get_reg(machine->cpu, 1), r1));
	cr_expect(eq(int, machine->stop, STOP_CYCLE_LIMIT));
	return found;
}

Test(trail, the_last_branches_are_found)
{
	struct trail_branches b;

	run_to_the_limit();
	cr_assert(branches(&b));
	cr_expect(eq(u32, trail_branch(&b, 0)->to, CODE | 8));
	finish();
}

Test(trail, asked_on_the_way_it_returns_at_once)
{
	const struct itimerval soon = { .it_value.tv_usec = 10000 };
	struct trail_branches b;

	run_to_the_limit();
	signal(SIGALRM, ask);
	setitimer(ITIMER_REAL, &soon, NULL);
	cr_expect(eq(int, branches(&b), false));
	cr_expect(eq(u64, b.count, 0));
	cr_expect(machine_stop_asked(machine), "who asks for an end is not forgotten");
	finish();
}

Test(trail, asked_before_it_does_not_begin)
{
	struct trail_branches b;

	run_to_the_limit();
	machine_ask_stop(machine, STOP_INTERRUPTED);
	cr_expect(eq(int, branches(&b), false));
	finish();
}
