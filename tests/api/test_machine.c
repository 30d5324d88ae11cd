/* SPDX-License-Identifier: Apache-2.0 */
/* What a program that writes to devices makes of a machine: timing adapters, a reset of the system; and parameters of the board. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define ADAPTER0 0x58103000u
enum { RLATENCY = 0x0c, PULSE_ON = 0x14, PULSE_OFF = 0x18, BWCAP = 0x1c };
#define SYSCTRL 0x58021000u
enum { RESET_SYNDROME = 0x100, SWRESET = 0x108, INITSVTOR0 = 0x110, CPUWAIT = 0x120 };

static void poke(struct fvpsim_machine *m, uint32_t address, uint32_t value)
{
	struct fvpsim_error error;

	cr_assert(eq(int, fvpsim_write(m, FVPSIM_SECURE, address, &value, sizeof value, &error), FVPSIM_OK), "%s", error.text);
}

static uint32_t peek(struct fvpsim_machine *m, uint32_t address)
{
	struct fvpsim_error error;
	uint32_t value = 0;

	cr_assert(eq(int, fvpsim_read(m, FVPSIM_SECURE, address, &value, sizeof value, &error), FVPSIM_OK), "%s", error.text);
	return value;
}

/* Pairs of names and values of parameters, an end. */
static struct fvpsim_machine *make_with(const char *board, const char *const *parameters)
{
	struct fvpsim_error error;
	struct fvpsim_config *c = fvpsim_config_new(board, &error);
	struct fvpsim_machine *m;

	cr_assert(ne(ptr, c, NULL), "%s", error.text);
	for (; *parameters; parameters += 2)
		cr_assert(eq(int, fvpsim_config_parameter(c, parameters[0], parameters[1], NULL, &error), FVPSIM_OK), "%s", error.text);
	m = fvpsim_machine_new(c, &error);
	cr_assert(ne(ptr, m, NULL), "%s", error.text);
	fvpsim_config_free(c);
	return m;
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

/* Nothing is executed while the core is held, and the program that is there when it is released begins, at the vector base of then. */
Test(machine, cpuwait_holds_the_core)
{
	const char *const waits[] = { "mps3_board.sse300.iotss3_systemcontrol.cpu0wait", "1", NULL };
	const uint32_t program[] = { 0x11001000, 0x11000101 }, loop[] = { 0xe7fe2007 }; /* MOVS r0, #7; B . */
	const struct fvpsim_until soon = { .size = sizeof soon, .cycle = 1000 }, later = { .size = sizeof later, .cycle = 5000 };
	struct fvpsim_machine *m = make_with("corstone-300", waits);
	uint64_t instructions;

	cr_assert(eq(int, run(m, &soon), FVPSIM_STOP_TIME));
	cr_expect(zero(u64, counts_of(m).instructions));
	cr_expect(eq(u32, peek(m, SYSCTRL + CPUWAIT), 1));
	cr_assert(eq(int, fvpsim_write(m, FVPSIM_SECURE, 0x11000000, program, sizeof program, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_write(m, FVPSIM_SECURE, 0x11000100, loop, sizeof loop, NULL), FVPSIM_OK));
	poke(m, SYSCTRL + INITSVTOR0, 0x11000000);
	poke(m, SYSCTRL + CPUWAIT, 0);
	cr_assert(eq(int, run(m, &later), FVPSIM_STOP_TIME));
	instructions = counts_of(m).instructions;
	cr_expect(gt(u64, instructions, 100));

	poke(m, SYSCTRL + CPUWAIT, 1);
	cr_expect(eq(u64, counts_of(m).instructions, instructions));
	poke(m, SYSCTRL + CPUWAIT, 0);
	poke(m, SYSCTRL + SWRESET, 0x200); /* a cold reset: as the parameter has it */
	{
		const struct fvpsim_until then = { .size = sizeof then, .cycle = 9000 };

		cr_assert(eq(int, run(m, &then), FVPSIM_STOP_TIME));
	}
	cr_expect(eq(u32, peek(m, SYSCTRL + CPUWAIT), 1));
	cr_expect(eq(u64, counts_of(m).instructions, instructions));
	fvpsim_machine_free(m);
}

/* BLK_MAX and BLK_CFG of the controllers of SRAM and both banks of ISRAM. */
Test(machine, protection_controllers_cover_their_memories)
{
	static const struct { const char *parameters[5]; uint32_t sram, isram; } sizes[] = {
		{ { NULL }, 3, 1 },
		{ { "mps3_board.FPGA_SRAM_SIZE", "4", NULL }, 7, 1 },
		{ { "mps3_board.sse300.VM_BANK_SIZE", "8192", "mps3_board.FPGA_SRAM_SIZE", "1", NULL }, 1, 7 },
		{ { "mps3_board.sse300.VM_BANK_SIZE", "16", NULL }, 3, 0 },
		{ { "mps3_board.sse300.NUMVMBANK", "1", "mps3_board.sse300.VM_BANK_SIZE", "4096", NULL }, 3, 3 },
	};

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct fvpsim_machine *m = make_with("corstone-300", sizes[i].parameters);

		cr_expect(eq(u32, peek(m, 0x57000010), sizes[i].sram), "%zu", i);
		cr_expect(eq(u32, peek(m, 0x50083010), sizes[i].isram), "%zu", i);
		cr_expect(eq(u32, peek(m, 0x50084010), sizes[i].isram), "%zu", i);
		cr_expect(eq(u32, peek(m, 0x50083014), 10), "%zu", i);
		fvpsim_machine_free(m);
	}
}

/* Beyond what the memories have by default, and in the second bank. */
Test(machine, protection_controllers_check_all_of_their_memories)
{
	const char *const large[] = { "mps3_board.FPGA_SRAM_SIZE", "4", "mps3_board.sse300.VM_BANK_SIZE", "4096", "mps3_board.DISABLE_GATING", "0", NULL };
	static const struct { uint32_t mpc, ns_address; } memories[] = { { 0x57000000, 0x01300000 }, { 0x50083000, 0x21300000 }, { 0x50084000, 0x21700000 } };
	struct fvpsim_machine *m = make_with("corstone-300", large);
	uint32_t value;

	for (size_t i = 0; i < sizeof memories / sizeof *memories; i++) {
		poke(m, memories[i].mpc, 0x10); /* bus errors */
		cr_expect(ne(int, fvpsim_read(m, FVPSIM_NONSECURE, memories[i].ns_address, &value, sizeof value, NULL), FVPSIM_OK), "%zu", i);
		for (uint32_t word = 0; word <= peek(m, memories[i].mpc + 0x10); word++) {
			poke(m, memories[i].mpc + 0x18, word);
			poke(m, memories[i].mpc + 0x1c, 0xffffffff);
		}
		cr_expect(eq(int, fvpsim_read(m, FVPSIM_NONSECURE, memories[i].ns_address, &value, sizeof value, NULL), FVPSIM_OK), "%zu", i);
	}
	fvpsim_machine_free(m);
}
