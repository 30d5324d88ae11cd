/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface alone, as a user of the library has it: nothing else of the product is included. */
#include "rig.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t reg(struct fvpsim_machine *m, const char *name)
{
	uint64_t value[2];

	cr_assert(eq(int, fvpsim_get_register(m, name, value, NULL), FVPSIM_OK), "%s", name);
	return value[0];
}

Test(api, a_program_runs_to_its_end)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	struct fvpsim_end end = { .size = sizeof end };

	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_assert(eq(int, fvpsim_get_end(m, &end, NULL), FVPSIM_OK));
	cr_expect(eq(str, (char *)end.reason, "EXIT"));
	cr_expect(eq(int, end.status, 0));
	cr_expect(gt(u64, h.bytes, 0), "it prints");
	cr_expect(gt(u32, h.operations, 0), "the NPU works");
	cr_expect(eq(u64, counts_of(m).npu_jobs, 1));
	cr_expect(eq(int, h.refused, FVPSIM_USAGE), "no saving in a callback");
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END), "and stays there");
	fvpsim_machine_free(m);
}

Test(api, runs_stop_where_they_are_told)
{
	struct heard h, other;
	struct fvpsim_machine *m = make("FVP_Corstone_SSE-300_Ethos-U55", &h, RUNNER), *straight = make("corstone-300", &other, RUNNER);
	struct fvpsim_until at = { .size = sizeof at, .instruction = 1000 };
	uint32_t main_address;
	int stop;

	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_INSTRUCTION));
	cr_expect(eq(u64, counts_of(m).instructions, 1000));
	cr_expect(eq(int, fvpsim_step(m, &stop, NULL), FVPSIM_OK));
	cr_expect(eq(u64, counts_of(m).instructions, 1001));
	at = (struct fvpsim_until){ .size = sizeof at, .cycle = 1500 };
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_TIME));
	cr_expect(eq(u64, counts_of(m).cycles, 1500));
	at = (struct fvpsim_until){ .size = sizeof at, .tick = counts_of(m).ticks + counts_of(m).ticks / 1500 };
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_TIME));
	cr_expect(eq(u64, counts_of(m).cycles, 1501));
	cr_expect(eq(int, fvpsim_symbol(straight, "main", &main_address, NULL), FVPSIM_OK));
	at = (struct fvpsim_until){ .size = sizeof at, .symbol = "main" };
	cr_expect(eq(int, run(straight, &at), FVPSIM_STOP_ADDRESS));
	cr_expect(eq(u64, reg(straight, "pc"), main_address));
	at = (struct fvpsim_until){ .size = sizeof at, .text = "e", .stream = FVPSIM_UART0 };
	cr_expect(eq(int, run(straight, &at), FVPSIM_STOP_TEXT));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(int, run(straight, NULL), FVPSIM_STOP_END));
	cr_expect(eq(u64, counts_of(m).cycles, counts_of(straight).cycles), "stopping changes nothing");
	cr_expect(eq(str, h.text, other.text));
	fvpsim_machine_free(m);
	fvpsim_machine_free(straight);
}

Test(api, a_stop_is_answered_once_or_taken_back)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);
	const struct fvpsim_until next = { .size = sizeof next, .instruction = 100 };
	int stop;

	fvpsim_stop(m);
	cr_expect(eq(int, fvpsim_run(m, &next, &stop, NULL), FVPSIM_OK));
	cr_expect(eq(int, stop, FVPSIM_STOP_ASKED));
	cr_expect(eq(u64, counts_of(m).instructions, 0));
	cr_expect(eq(int, fvpsim_run(m, &next, &stop, NULL), FVPSIM_OK));
	cr_expect(eq(int, stop, FVPSIM_STOP_INSTRUCTION), "once");
	fvpsim_stop(m);
	fvpsim_forget_stop(m);
	cr_expect(eq(int, fvpsim_run(m, NULL, &stop, NULL), FVPSIM_OK));
	cr_expect(eq(int, stop, FVPSIM_STOP_END));
	fvpsim_machine_free(m);
}

Test(api, a_callback_may_ask_for_a_stop)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER);

	h.stop = true;
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_ASKED));
	h.stop = false;
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	fvpsim_machine_free(m);
}

/* What was saved before the program's start is a machine that has its start before it, wherever it is restored. */
Test(api, a_state_before_the_start_starts)
{
	struct heard h, other;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER), *n = make("corstone-300", &other, RUNNER);
	uint64_t cycles;
	void *state;
	size_t size;

	cr_assert(eq(int, fvpsim_save(m, &state, &size, NULL), FVPSIM_OK));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cycles = counts_of(m).cycles;
	cr_assert(eq(int, fvpsim_restore(m, state, size, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_restore(n, state, size, NULL), FVPSIM_OK));
	cr_expect(eq(int, run(m, NULL), FVPSIM_STOP_END));
	cr_expect(eq(u64, counts_of(m).cycles, cycles));
	cr_expect(eq(int, run(n, NULL), FVPSIM_STOP_END));
	cr_expect(eq(u64, counts_of(n).cycles, cycles));
	fvpsim_free(state);
	fvpsim_machine_free(m);
	fvpsim_machine_free(n);
}

Test(api, a_state_goes_from_machine_to_machine)
{
	struct heard h, other;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER), *n = make("corstone-300", &other, RUNNER);
	const struct fvpsim_until at = { .size = sizeof at, .cycle = 6000 };
	char path[] = "/tmp/state-XXXXXX";
	uint64_t cycles;
	void *state;
	size_t size;

	close(mkstemp(path));
	cr_expect(eq(int, run(m, &at), FVPSIM_STOP_TIME));
	cr_assert(eq(int, fvpsim_save(m, &state, &size, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_save_file(m, path, NULL), FVPSIM_OK));
	run(m, NULL);
	cycles = counts_of(m).cycles;
	cr_assert(eq(int, fvpsim_restore(n, state, size, NULL), FVPSIM_OK));
	cr_expect(eq(u64, counts_of(n).cycles, 6000));
	run(n, NULL);
	cr_expect(eq(u64, counts_of(n).cycles, cycles));
	cr_assert(eq(int, fvpsim_restore_file(n, path, NULL), FVPSIM_OK));
	run(n, NULL);
	cr_expect(eq(u64, counts_of(n).cycles, cycles));
	fvpsim_free(state);
	fvpsim_machine_free(m);
	fvpsim_machine_free(n);
	unlink(path);
}

static void write_file(const char *path, const void *bytes, size_t count)
{
	FILE *f = fopen(path, "wb");

	cr_assert(ne(ptr, f, NULL));
	cr_assert(eq(u64, fwrite(bytes, 1, count, f), count));
	cr_assert(eq(int, fclose(f), 0));
}

static void swap_words(char *a, char *b)
{
	char word[8];

	memcpy(word, a, sizeof word);
	memcpy(a, b, sizeof word);
	memcpy(b, word, sizeof word);
}

/* Each is refused with a sentence, and the machine is as before. */
Test(api, states_that_do_not_fit_are_refused)
{
	struct heard h, other;
	struct fvpsim_machine *m = make("corstone-300", &h, RUNNER), *n = make("corstone-310", &other, NULL);
	const struct fvpsim_until at = { .size = sizeof at, .cycle = 6000 };
	char path[] = "/tmp/state-XXXXXX", bytes[1 << 20];
	struct fvpsim_error error;
	void *state, *after;
	size_t size, after_size, file_size;
	FILE *file;

	close(mkstemp(path));
	run(m, &at);
	cr_assert(eq(int, fvpsim_save(m, &state, &size, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_save_file(m, path, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_restore(n, state, size, &error), FVPSIM_MISFIT));
	cr_expect(ne(ptr, strstr(error.text, "board"), NULL), "%s", error.text);
	for (size_t cut = 0; cut < size; cut += 1 + size / 97)
		cr_expect(eq(int, fvpsim_restore(m, state, cut, &error), FVPSIM_BAD_INPUT), "%zu", cut);
	for (size_t at_byte = 0; at_byte < size; at_byte += 1 + size / 331) {
		((unsigned char *)state)[at_byte] ^= 0x10;
		cr_expect(eq(int, fvpsim_restore(m, state, size, &error), FVPSIM_BAD_INPUT), "%zu: %s", at_byte, error.text);
		((unsigned char *)state)[at_byte] ^= 0x10;
	}
	cr_expect(eq(int, fvpsim_restore(m, NULL, 0, &error), FVPSIM_BAD_INPUT));
	file = fopen(path, "rb");
	file_size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	cr_assert(lt(u64, file_size, sizeof bytes));
	for (size_t cut = 0; cut < file_size; cut += 1 + file_size / 41) {
		write_file(path, bytes, cut);
		cr_expect(eq(int, fvpsim_restore_file(m, path, &error), FVPSIM_BAD_INPUT), "%zu: %s", cut, error.text);
	}
	for (size_t at_byte = 0; at_byte < file_size; at_byte += 1 + file_size / 61) {
		bytes[at_byte] ^= 0x10;
		write_file(path, bytes, file_size);
		cr_expect(ne(int, fvpsim_restore_file(m, path, &error), FVPSIM_OK), "%zu", at_byte);
		bytes[at_byte] ^= 0x10;
	}
	for (size_t word = 64; word + 40 <= file_size; word += 8 * (1 + file_size / 500)) {
		if (!memcmp(bytes + word, bytes + word + 32, 8))
			continue;
		swap_words(bytes + word, bytes + word + 32);
		write_file(path, bytes, file_size);
		cr_expect(ne(int, fvpsim_restore_file(m, path, NULL), FVPSIM_OK), "words at %zu are exchanged", word);
		swap_words(bytes + word, bytes + word + 32);
	}
	cr_expect(eq(int, fvpsim_restore_file(m, "/no/such/file", &error), FVPSIM_NO_INPUT));
	cr_assert(eq(int, fvpsim_save(m, &after, &after_size, NULL), FVPSIM_OK));
	cr_assert(eq(u64, after_size, size));
	cr_expect(eq(int, memcmp(state, after, size), 0), "nothing has changed");
	fvpsim_free(state);
	fvpsim_free(after);
	fvpsim_machine_free(m);
	fvpsim_machine_free(n);
	unlink(path);
}

Test(api, registers_and_memory)
{
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, NULL);
	uint64_t value[2] = { 0x1122334455667788, 0x99aabbccddeeff00 }, got[2];
	uint32_t word = 0x12345678, back = 0;
	struct fvpsim_error error;

	cr_expect(eq(int, fvpsim_set_register(m, "q3", value, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_get_register(m, "q3", got, NULL), FVPSIM_OK));
	cr_expect(eq(int, memcmp(value, got, sizeof value), 0));
	cr_expect(eq(u64, reg(m, "s13"), 0x11223344));
	cr_expect(eq(u64, reg(m, "d7"), value[1]));
	cr_expect(eq(int, fvpsim_get_register(m, "r16", got, &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_write(m, FVPSIM_RAM, 0x30000000, &word, 4, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_read(m, FVPSIM_SECURE, 0x20000000, &back, 4, NULL), FVPSIM_OK));
	cr_expect(eq(u32, back, word), "one memory, two addresses");
	cr_expect(eq(int, fvpsim_read(m, FVPSIM_NPU_VIEW, 0x30000000, &back, 4, &error), FVPSIM_NO_MEMORY), "a TCM");
	cr_expect(eq(int, fvpsim_read(m, FVPSIM_RAM, 0x49303000, &back, 4, &error), FVPSIM_NO_MEMORY), "a device");
	cr_expect(eq(int, fvpsim_read(m, FVPSIM_NONSECURE, 0x49303fe0, &back, 4, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(u32, back, 0x21), "identification of a serial port");
	fvpsim_machine_free(m);
}

/* str r0, [r1]; ldr r2, [r1]; b . */
Test(api, a_watchpoint_stops_behind_the_access)
{
	static const uint32_t vectors[] = { 0x30001000, 0x10000101 };
	static const uint16_t program[] = { 0x6008, 0x680a, 0xe7fe };
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, NULL);
	const uint32_t at = 0x30000100;
	struct fvpsim_error error;
	int stop;

	cr_assert(eq(int, fvpsim_write(m, FVPSIM_RAM, 0x10000000, vectors, sizeof vectors, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_write(m, FVPSIM_RAM, 0x10000100, program, sizeof program, NULL), FVPSIM_OK));
	cr_assert(eq(int, fvpsim_start(m, NULL), FVPSIM_OK));
	fvpsim_set_register(m, "r1", (const uint64_t[2]){ at, 0 }, NULL);
	cr_expect(eq(int, fvpsim_add_watchpoint(m, 0x20000102, 1, FVPSIM_WRITES, &error), FVPSIM_OK), "%s", error.text);
	cr_expect(eq(int, fvpsim_run(m, NULL, &stop, NULL), FVPSIM_OK));
	cr_expect(eq(int, stop, FVPSIM_STOP_WATCH), "under the other address");
	cr_expect(eq(u32, fvpsim_watched(m), 0x20000102));
	cr_expect(eq(u64, reg(m, "pc"), 0x10000102));
	cr_expect(eq(int, fvpsim_remove_watchpoint(m, 0x20000102, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_remove_watchpoint(m, 0x20000102, &error), FVPSIM_USAGE), "it is gone");
	cr_expect(eq(str, error.text, (char *)"no watchpoint begins at 0x20000102"));
	cr_expect(eq(int, fvpsim_remove_breakpoint(m, 0x10000100, &error), FVPSIM_USAGE), "there never was one");
	cr_expect(eq(str, error.text, (char *)"no breakpoint at 0x10000100"));
	cr_expect(eq(int, fvpsim_add_watchpoint(m, at, 4, FVPSIM_READS, NULL), FVPSIM_OK));
	cr_expect(eq(int, fvpsim_run(m, NULL, &stop, NULL), FVPSIM_OK));
	cr_expect(eq(u64, reg(m, "pc"), 0x10000104));
	cr_expect(eq(int, fvpsim_run(m, NULL, &stop, NULL), FVPSIM_OK));
	cr_expect(eq(int, stop, FVPSIM_STOP_END), "the loop at the end");
	cr_expect(eq(int, fvpsim_add_watchpoint(m, 0x40000000, 4, FVPSIM_READS, &error), FVPSIM_NO_MEMORY));
	fvpsim_machine_free(m);
}

/* Each line of the list is a parameter that can be set as it says. */
Test(api, parameters_are_listed)
{
	struct fvpsim_config *c = fvpsim_config_new("corstone-310", NULL);
	char *list = fvpsim_config_list(c, NULL), *line, *rest = list;
	struct fvpsim_error error;
	unsigned count = 0;

	cr_assert(ne(ptr, list, NULL));
	while ((line = strsep(&rest, "\n"))) {
		char *value = strchr(line, '=');

		if (!value || line[0] == '#')
			continue;
		*value++ = '\0';
		value[strcspn(value, " \t#")] = '\0';
		if (*value == '\'' || !*value)
			continue; /* texts: files that would be opened */
		cr_expect(eq(int, fvpsim_config_set(c, line, value, &error), FVPSIM_OK), "%s: %s", line, error.text);
		count++;
	}
	cr_expect(gt(u32, count, 50), "%u parameters", count);
	fvpsim_free(list);
	fvpsim_config_free(c);
}

Test(api, errors_are_values)
{
	struct fvpsim_error error;
	struct fvpsim_config *c;
	struct heard h;
	struct fvpsim_machine *m = make("corstone-300", &h, NULL);
	struct fvpsim_until wrong = { .size = 0 };
	int stop;

	cr_expect(eq(ptr, fvpsim_config_new("corstone-400", &error), NULL));
	cr_expect(eq(int, error.kind, FVPSIM_USAGE));
	cr_expect(ne(ptr, strstr(error.text, "corstone-320"), NULL), "names what there is");
	c = fvpsim_config_new("corstone-320", NULL);
	cr_expect(eq(int, fvpsim_config_set(c, "npu", "ethos-u99", &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_config_set(c, "mps4_board.uart0.out_fil", "x", &error), FVPSIM_USAGE));
	cr_expect(ne(ptr, strstr(error.text, "mps4_board.uart0.out_file"), NULL), "%s", error.text);
	cr_expect(eq(int, fvpsim_config_set(c, "mps4_board.uart0.shutdown_on_eot", "1", &error), FVPSIM_OK));
	fvpsim_config_free(c);
	cr_expect(eq(int, fvpsim_load(m, "/no/such/file", &error), FVPSIM_NO_INPUT));
	cr_expect(eq(int, fvpsim_run(m, &wrong, &stop, &error), FVPSIM_USAGE));
	cr_expect(eq(int, fvpsim_symbol(m, "main", &(uint32_t){ 0 }, &error), FVPSIM_USAGE));
	cr_expect(eq(str, (char *)fvpsim_kind_name(FVPSIM_MISFIT), "misfit"));
	fvpsim_machine_free(m);
}
