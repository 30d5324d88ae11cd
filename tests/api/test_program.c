/* SPDX-License-Identifier: Apache-2.0 */
/* What a program around the library needs that is as large as fvp-sim: what there is to choose, the machine's files, ends of FVPs. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct fvpsim_config *config_of(const char *board)
{
	struct fvpsim_error error;
	struct fvpsim_config *c = fvpsim_config_new(board, &error);

	cr_assert(ne(ptr, c, NULL), "%s", error.text);
	return c;
}

static void set(struct fvpsim_config *c, const char *name, const char *value)
{
	struct fvpsim_error error;

	cr_assert(eq(int, fvpsim_config_set(c, name, value, &error), FVPSIM_OK), "%s", error.text);
}

/* With a guest of the tests of the command line; the configuration goes. */
static struct fvpsim_machine *machine_of(struct fvpsim_config *c, const char *guest)
{
	struct fvpsim_error error;
	struct fvpsim_machine *m = fvpsim_machine_new(c, &error);
	char path[256];

	cr_assert(ne(ptr, m, NULL), "%s", error.text);
	fvpsim_config_free(c);
	snprintf(path, sizeof path, "%s/%s.elf", GUESTS, guest);
	cr_assert(eq(int, fvpsim_load(m, path, &error), FVPSIM_OK), "%s", error.text);
	return m;
}

static struct fvpsim_end end_of(struct fvpsim_machine *m)
{
	struct fvpsim_end end = { .size = sizeof end };

	cr_assert(eq(int, fvpsim_get_end(m, &end, NULL), FVPSIM_OK));
	return end;
}

Test(program, lists_name_what_can_be_asked_for)
{
	struct fvpsim_error error;
	const char *name, *text;
	unsigned i;

	for (i = 0; (name = fvpsim_fvp(i)); i++)
		fvpsim_config_free(config_of(name));
	cr_expect(gt(uint, i, 5));
	for (i = 0; (name = fvpsim_trace_kind(i, &text)); i++)
		cr_expect(eq(int, fvpsim_trace(NULL, name, &error), FVPSIM_OK), "%s: %s", name, text);
	cr_expect(eq(uint, i, 6));
	for (i = 0; (name = fvpsim_profile_kind(i, &text)); i++)
		cr_expect(eq(int, fvpsim_profile(NULL, name, &error), FVPSIM_OK), "%s: %s", name, text);
	cr_expect(eq(uint, i, 6));
	cr_expect(eq(int, fvpsim_trace(NULL, "tarmac=x,range=1", &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_profile(NULL, "tarmac", &error), FVPSIM_USAGE));
	cr_expect(ne(ptr, (void *)fvpsim_processor(), NULL));
}

Test(program, a_configuration_tells_what_it_stands_for)
{
	struct fvpsim_config *c = config_of("FVP_Corstone_SSE-300_Ethos-U65");
	struct fvpsim_config_info info = { .size = sizeof info };
	struct fvpsim_memory memory = { .size = sizeof memory };
	bool written, sram = false;
	unsigned i;

	cr_assert(eq(int, fvpsim_config_get_info(c, &info, NULL), FVPSIM_OK));
	cr_expect(eq(str, (char *)info.board, "corstone-300"));
	cr_expect(eq(str, (char *)info.accelerator, "ethos-u65-256"));
	cr_expect(eq(u64, info.clock_hz, 25000000));
	set(c, "npu", "none");
	set(c, "mps3_board.FPGA_SRAM_SIZE", "4");
	cr_assert(eq(int, fvpsim_config_get_info(c, &info, NULL), FVPSIM_OK));
	cr_expect(eq(ptr, (void *)info.accelerator, NULL));
	cr_expect(eq(ptr, (void *)info.npu_accuracy, NULL));
	for (i = 0; !fvpsim_config_memory(c, i, &memory, NULL); i++)
		sram |= memory.address == 0x01000000 && memory.secure_address == 0x11000000 && memory.bytes == 4 << 20;
	cr_expect(sram);
	cr_expect(ne(ptr, (void *)fvpsim_config_device(c, 0), NULL));
	cr_expect(eq(ptr, (void *)fvpsim_config_device(c, 1000), NULL));
	set(c, "uart1", "out");
	set(c, "mps3_board.uart0.in_file", "in");
	cr_expect(eq(str, (char *)fvpsim_config_file(c, 0, &written), "in"));
	cr_expect(not(written));
	cr_expect(eq(str, (char *)fvpsim_config_file(c, 1, &written), "out"));
	cr_expect(written);
	cr_expect(eq(ptr, (void *)fvpsim_config_file(c, 2, &written), NULL));
	fvpsim_config_free(c);
}

Test(program, parameters_of_fvps_are_apart)
{
	struct fvpsim_config *c = config_of("FVP_Corstone_SSE-300");
	struct fvpsim_error error;
	bool modelled;

	cr_expect(eq(int, fvpsim_config_parameter(c, "mps3_board.uart0.shutdown_on_eot", "1", &modelled, &error), FVPSIM_OK));
	cr_expect(modelled);
	cr_expect(eq(int, fvpsim_config_parameter(c, "mps3_board.stub_timing_adapter.enable", "1", &modelled, &error), FVPSIM_OK));
	cr_expect(not(modelled));
	cr_expect(ne(ptr, strstr(error.text, "not modelled"), NULL));
	cr_expect(eq(int, fvpsim_config_parameter(c, "eot", "on", NULL, &error), FVPSIM_USAGE), "is a name of ours");
	cr_expect(eq(int, fvpsim_config_set(c, "date", "tomorrow", &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_config_set(c, "gdb-history", "9999999", &error), FVPSIM_USAGE));
	set(c, "memory", "u55-nothing");
	cr_expect(eq(ptr, fvpsim_machine_new(c, &error), NULL));
	cr_expect(eq(int, error.kind, FVPSIM_USAGE));
	fvpsim_config_free(c);
}

Test(program, ends_as_an_fvp_does)
{
	for (unsigned fvp = 0; fvp < 2; fvp++) {
		struct fvpsim_config *c = config_of("corstone-300");
		struct fvpsim_machine *m;

		set(c, "timelimit", "10");
		set(c, "as-fvp", fvp ? "on" : "off");
		m = machine_of(c, "sleep");
		cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
		cr_expect(eq(str, (char *)end_of(m).reason, fvp ? "TIME_LIMIT" : "SLEEP"));
		cr_expect(eq(int, end_of(m).status, fvp ? 0 : 82));
		fvpsim_machine_free(m);
	}
}

Test(program, a_stop_at_the_limit_comes_before_the_end)
{
	struct fvpsim_config *c = config_of("corstone-300");
	const struct fvpsim_until there = { .size = sizeof there, .cycle = 1000 };
	struct fvpsim_machine *m;

	set(c, "cyclelimit", "1000");
	m = machine_of(c, "count");
	cr_expect(eq(int, run(m, &there), FVPSIM_STOP_TIME));
	cr_expect(eq(str, (char *)end_of(m).reason, "NONE"));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(str, (char *)end_of(m).reason, "CYCLE_LIMIT"));
	fvpsim_machine_free(m);
}

static void enter_folder(char *folder)
{
	cr_assert(ne(ptr, mkdtemp(folder), NULL));
	cr_assert(eq(int, chdir(folder), 0));
}

static void leave_folder(const char *folder)
{
	char command[64];

	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(eq(int, chdir("/"), 0));
	cr_expect(eq(int, system(command), 0));
}

static void read_text(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "r");

	cr_assert(ne(ptr, f, NULL));
	text[fread(text, 1, size - 1, f)] = 0;
	fclose(f);
}

Test(program, files_of_a_run)
{
	char folder[] = "/tmp/api-XXXXXX", text[4096], *report;
	struct fvpsim_sent sent = { .size = sizeof sent };
	struct fvpsim_config *c = config_of("corstone-300");
	struct fvpsim_error error;
	struct fvpsim_machine *m;

	enter_folder(folder);
	set(c, "uart0", "printed");
	set(c, "eot", "on");
	m = machine_of(c, "eot");
	cr_expect(eq(int, fvpsim_has_memory(m, "o", 0x20000000, 16, &error), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_has_memory(m, "o", 0x48000000, 16, &error), FVPSIM_NO_MEMORY));
	cr_expect(eq(int, strncmp(error.text, "o: no memory at 0x48000000", 26), 0), "%s", error.text);
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_get_sent(m, FVPSIM_UART0, &sent, &error), FVPSIM_OK));
	cr_expect(eq(str, (char *)sent.file, "printed"));
	read_text("printed", text, sizeof text);
	cr_expect(eq(u64, sent.bytes, strlen(text)));
	cr_assert(eq(int, fvpsim_get_sent(m, FVPSIM_UART1, &sent, &error), FVPSIM_OK));
	cr_expect(eq(ptr, (void *)sent.file, NULL));
	cr_expect(eq(int, fvpsim_get_sent(m, FVPSIM_OUTPUT, &sent, &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_dump(m, "bytes", 0x20000000, 64, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_dump(m, "bytes", 0x48000000, 64, &error), FVPSIM_NO_MEMORY));
	cr_expect(eq(int, fvpsim_dump(m, "-", 0x20000000, 64, &error), FVPSIM_USAGE), "nobody gave it the standard streams");
	cr_expect(eq(int, fvpsim_report_file(m, "-", &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_report_file(m, "none/report", &error), FVPSIM_NO_OUTPUT));
	cr_assert(eq(int, fvpsim_report_file(m, "report", &error), FVPSIM_OK), "%s", error.text);
	cr_assert(eq(int, fvpsim_report(m, &report, &error), FVPSIM_OK));
	read_text("report", text, sizeof text);
	cr_expect(eq(str, text, report));
	cr_expect(ne(ptr, strstr(report, "\"bytes\""), NULL), "dumps are listed");
	fvpsim_free(report);
	fvpsim_machine_free(m);
	leave_folder(folder);
}

static void count_looks(void *ctx)
{
	++*(unsigned *)ctx;
}

Test(program, looks_come_now_and_then)
{
	unsigned looks = 0;
	const struct fvpsim_callbacks callbacks = { .size = sizeof callbacks, .ctx = &looks, .look = count_looks };
	struct fvpsim_config *c = config_of("corstone-300");
	struct fvpsim_machine *m;

	set(c, "cyclelimit", "100000000");
	m = machine_of(c, "count");
	cr_assert(eq(int, fvpsim_set_callbacks(m, &callbacks, NULL), FVPSIM_OK));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(gt(uint, looks, 0));
	cr_expect(lt(uint, looks, 100));
	fvpsim_machine_free(m);
}

Test(program, begins_where_it_is_told)
{
	struct fvpsim_config *c = config_of("corstone-300"), *again;
	struct fvpsim_machine *m = machine_of(c, "exit"), *other;
	uint64_t pc[2];
	uint32_t print_at;
	char value[16];

	cr_assert(eq(int, fvpsim_symbol(m, "print", &print_at, NULL), FVPSIM_OK));
	again = config_of("corstone-300");
	snprintf(value, sizeof value, "0x%x", print_at);
	set(again, "start", value);
	other = machine_of(again, "exit");
	cr_assert(eq(int, fvpsim_start(other, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_get_register(other, "pc", pc, NULL), FVPSIM_OK));
	cr_expect(eq(u64, pc[0], print_at & ~1u));
	fvpsim_machine_free(m);
	fvpsim_machine_free(other);
}
