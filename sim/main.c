/* SPDX-License-Identifier: Apache-2.0 */
/* The program: reads a command line, makes a machine, runs it, tells how it ended. */
#include "loader/file.h"
#include "sim/fvp.h"
#include "sim/npu_command.h"
#include "sim/options.h"
#include "sim/run.h"
#include "sim/verdict.h"
#include "traces/output.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void emit(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	static const char *const kinds[] = { [DIAG_USER] = "", [DIAG_GUEST] = "guest: ",
					     [DIAG_NOT_MODELLED] = "not modelled: ", [DIAG_NOTE] = "note: " };
	const struct run_config *c = ctx;

	if (!c->quiet || kind != DIAG_NOTE)
		fprintf(stderr, "fvp-sim: %s%s [%s]\n", kinds[kind], text, id);
}

static int fail(int status, const char *why)
{
	fprintf(stderr, "fvp-sim: %s\n", why);
	return status;
}

static int load_data(struct machine *m, const struct data_file *d)
{
	struct file_bytes file;
	char why[512];
	bool ok;

	if (!file_read(d->path, &file, why, sizeof why)) {
		fprintf(stderr, "fvp-sim: --data: %s\n", why);
		return EXIT_NO_INPUT;
	}
	ok = machine_load_data(m, d->path, d->addr, file.data, file.size, why, sizeof why);
	file_free(&file);
	if (!ok)
		fprintf(stderr, "fvp-sim: --data: %s\n", why);
	return ok ? 0 : EXIT_NO_MEMORY;
}

static int load(struct machine *m, const struct run_config *c)
{
	char why[512];
	int status = 0;

	for (unsigned i = 0; i < c->image_count && !status; i++) {
		status = machine_load_image(m, c->images[i], why, sizeof why);
		if (status)
			fail(status, why);
	}
	for (unsigned i = 0; i < c->data_count && !status; i++)
		status = load_data(m, &c->data[i]);
	for (unsigned i = 0; i < c->dump_count && !status; i++)
		if (!machine_has_memory(m, c->dumps[i].path, c->dumps[i].addr, c->dumps[i].size, why, sizeof why)) {
			fprintf(stderr, "fvp-sim: --dump: %s\n", why);
			status = EXIT_NO_MEMORY;
		}
	return status;
}

static int dump(struct machine *m, const struct data_file *d)
{
	char why[512];

	return output_write(d->path, bus_span(m->bus, BUS_CPU, d->addr, d->size), d->size, why, sizeof why)
		       ? 0
		       : fail(EXIT_NO_OUTPUT, why);
}

/* FVPs show such ports in a terminal window of their own. */
static void print_unseen_uarts(const struct machine *m)
{
	for (unsigned i = 0; i < CONFIG_UARTS; i++) {
		const char *file = m->config.uart[i].out_file;

		if (m->uart[i].sink.bytes && (!file || !*file))
			fprintf(stderr, "fvp-sim: note: UART%u printed %llu bytes that nobody sees; -C ...uart%u.out_file=- shows them\n", i,
				(unsigned long long)m->uart[i].sink.bytes, i);
	}
}

static void print_unseen_itm(const struct machine *m)
{
	if (m->itm.bytes && !m->config.itm_file)
		fprintf(stderr, "fvp-sim: note: the program wrote %llu bytes to the ITM that nobody sees; --itm - shows them\n",
			(unsigned long long)m->itm.bytes);
}

/* Everything that a serial port or the ITM printed must have reached its file. */
static int check_written(struct sink *s, const char *file, const char *who)
{
	char why[512];

	if (sink_flush(s))
		return 0;
	snprintf(why, sizeof why, "%s: what %s printed cannot be written", strcmp(file, "-") ? file : "standard output", who);
	return fail(EXIT_NO_OUTPUT, why);
}

static int check_sinks(struct machine *m)
{
	int problem = check_written(&m->itm, m->config.itm_file, "the ITM");

	for (unsigned i = 0; i < CONFIG_UARTS; i++) {
		const char name[] = { 'U', 'A', 'R', 'T', (char)('0' + i), 0 };
		const int failed = check_written(&m->uart[i].sink, m->config.uart[i].out_file, name);

		problem = failed ? failed : problem;
	}
	return problem;
}

/* Everything that is written after the run, whatever its end was. */
static int finish(struct machine *m, const struct run_config *c, int status, double wall_seconds)
{
	char why[512];
	int problem = check_sinks(m);

	fflush(stdout);
	verdict_print(m);
	if (c->fvp && !c->quiet)
		print_unseen_uarts(m);
	if (!c->fvp && !c->quiet)
		print_unseen_itm(m);
	for (unsigned i = 0; i < c->dump_count; i++) {
		const int failed = dump(m, &c->dumps[i]);

		problem = problem ? problem : failed;
	}
	if (c->report && !verdict_report(m, c, status, c->report, why, sizeof why))
		problem = fail(EXIT_NO_OUTPUT, why);
	if (c->fvp || c->statistics)
		fvp_print_end(c, m->stop, machine_cycles(m), cpu_instructions(m->cpu), wall_seconds);
	return status ? status : problem;
}

static int run(const struct run_config *c)
{
	const struct diag diag = { .emit = emit, .ctx = (void *)c };
	struct timespec start, end;
	char why[512];
	struct machine *m;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &start);
	status = machine_new(&m, &c->machine, &diag, why, sizeof why);
	if (status)
		return fail(status, why);
	status = load(m, c);
	if (!status) {
		machine_start(m);
		if (c->start_given)
			cpu_set_start(m->cpu, c->start_address, 0);
		run_catch_signals();
		machine_run(m, &c->limits, !c->quiet && isatty(STDERR_FILENO));
		clock_gettime(CLOCK_MONOTONIC, &end);
		status = finish(m, c, stop_status(m->stop, c->fvp, m->guest_status),
				(double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
	}
	machine_free(m);
	return status;
}

/* Standard streams that the caller has closed must not be taken by the next file opened. What is
 * written to them is an error: /dev/null is opened for reading. */
static void reserve_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static int command(int argc, char **argv)
{
	static struct run_config c;
	int status;

	if (argc > 1 && !fvp_is_name(argv[0]) && !strcmp(argv[1], "npu"))
		return npu_command(argc - 1, argv + 1);
	status = fvp_is_name(argv[0]) ? fvp_parse(&c, argc, argv) : options_parse(&c, argc, argv);
	return status == OPTIONS_RUN ? run(&c) : status;
}

int main(int argc, char **argv)
{
	int status;

	reserve_standard_streams();
	signal(SIGXFSZ, SIG_IGN); /* ulimit -f: the write fails, which is told with the file's name */
	status = command(argc, argv);
	if (!status && (fflush(stdout) != 0 || ferror(stdout)))
		status = fail(EXIT_NO_OUTPUT, "standard output cannot be written");
	return status;
}
