/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program on a board until it ends, and prints what it printed.
 *
 *   cc run.c $(pkg-config --cflags --libs fvpsim) -o run
 *   ./run corstone-300 program.elf */
#include <fvpsim.h>
#include <stdio.h>

static void output(void *ctx, int stream, const void *bytes, size_t count)
{
	(void)ctx;
	(void)stream;
	fwrite(bytes, 1, count, stdout);
}

int main(int argc, char **argv)
{
	struct fvpsim_callbacks callbacks = { .size = sizeof callbacks, .output = output };
	struct fvpsim_counts counts = { .size = sizeof counts };
	struct fvpsim_end end = { .size = sizeof end };
	struct fvpsim_error error = { .kind = FVPSIM_OK };
	struct fvpsim_machine *machine = NULL;
	struct fvpsim_config *config;
	int stop, failed = 1;

	if (argc != 3) {
		fprintf(stderr, "usage: run BOARD PROGRAM\n");
		return 64;
	}
	config = fvpsim_config_new(argv[1], &error);
	if (config)
		machine = fvpsim_machine_new(config, &error);
	if (machine) {
		fvpsim_set_callbacks(machine, &callbacks, NULL);
		failed = fvpsim_load(machine, argv[2], &error) || fvpsim_run(machine, NULL, &stop, &error);
	}
	if (failed) {
		fprintf(stderr, "run: %s\n", error.text);
	} else {
		fvpsim_get_end(machine, &end, NULL);
		fvpsim_get_counts(machine, &counts, NULL);
		printf("%s, status %d, after %llu cycles\n", end.text, end.status, (unsigned long long)counts.cycles);
	}
	fvpsim_machine_free(machine);
	fvpsim_config_free(config);
	return failed ? 1 : end.status;
}
