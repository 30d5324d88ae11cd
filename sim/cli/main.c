/* SPDX-License-Identifier: Apache-2.0 */
/* The program: reads a command line, makes a machine, runs it, tells how it ended. */
#include "loader/file.h"
#include "sim/fvp/fvp.h"
#include "sim/gdb/gdb.h"
#include "sim/network/npu_command.h"
#include "sim/network/npu_names.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/progress.h"
#include "sim/cli/replay.h"
#include "sim/cli/snapshot.h"
#include "sim/params/threads.h"
#include "sim/run.h"
#include "sim/params/message.h"
#include "sim/report/report.h"
#include "sim/report/verdict.h"
#include "sim/trace/convert.h"
#include "sim/trace/trace.h"
#include "traces/output.h"
#include "traces/reader.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GDB_HISTORY_MIB = 256 };

static void emit(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	static const char *const kinds[] = { [DIAG_USER] = "", [DIAG_GUEST] = "guest: ",
					     [DIAG_NOT_MODELLED] = "not modelled: ", [DIAG_NOTE] = "note: " };
	const struct run_config *c = ctx;

	if (!c->quiet || kind != DIAG_NOTE)
		message("fvp-sim: %s%s [%s]\n", kinds[kind], text, id);
}

static int fail(int status, const char *why)
{
	message("fvp-sim: %s\n", why);
	return status;
}

/* The exit status for a failure, behind its line. */
static int told(enum failure failure, const char *why)
{
	return failure ? fail(exit_of(failure), why) : 0;
}

static int load_data(struct machine *m, const struct data_file *d)
{
	struct file_bytes file;
	char why[512];
	bool ok;

	if (!file_read(d->path, &file, why, sizeof why)) {
		message("fvp-sim: --data: %s\n", why);
		return EXIT_NO_INPUT;
	}
	ok = machine_load_data(m, d->path, d->addr, file.data, file.size, why, sizeof why);
	file_free(&file);
	if (!ok)
		message("fvp-sim: --data: %s\n", why);
	return ok ? 0 : EXIT_NO_MEMORY;
}

static int load_recorded(struct record *r, struct machine *m)
{
	char why[512];

	return record_load(r, m, why, sizeof why) ? 0 : fail(EXIT_NO_INPUT, why);
}

static int load(struct machine *m, const struct run_config *c, struct record *record)
{
	char why[512];
	int status = c->replay ? load_recorded(record, m) : 0;

	for (unsigned i = 0; i < c->image_count && !status; i++)
		status = told(machine_load_image(m, c->images[i], why, sizeof why), why);
	for (unsigned i = 0; i < c->data_count && !status; i++)
		status = load_data(m, &c->data[i]);
	for (unsigned i = 0; i < c->dump_count && !status; i++)
		if (!machine_has_memory(m, c->dumps[i].path, c->dumps[i].addr, c->dumps[i].size, why, sizeof why)) {
			message("fvp-sim: --dump: %s\n", why);
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
			message("fvp-sim: note: UART%u printed %llu bytes that nobody sees; -C ...uart%u.out_file=- shows them\n", i,
				(unsigned long long)m->uart[i].sink.bytes, i);
	}
}

static void print_unseen_itm(const struct machine *m)
{
	if (m->itm.bytes && !m->config.itm_file)
		message("fvp-sim: note: the program wrote %llu bytes to the ITM that nobody sees; --itm - shows them\n",
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

static bool write_report(struct machine *m, const struct run_config *c, const struct report *r, char *why, size_t why_size)
{
	struct json j;

	if (!json_begin(&j, c->report, why, why_size))
		return false;
	report_write(&j, m, r);
	return json_end(&j, why, why_size);
}

/* lines.line */
static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	message("fvp-sim: %s\n", text);
}

/* Everything that is written after the run, whatever its end was. */
static int finish(struct machine *m, const struct run_config *c, struct trail *trail, const struct inferences *jobs, int status,
		  double wall_seconds)
{
	char why[512];
	int problem = check_sinks(m);
	struct origin found, *origin = origin_is_wanted(m) ? &found : NULL;
	const struct report report = { origin, jobs, c->report_messages ? &m->told : NULL, status, c->dumps, c->dump_count };

	fflush(stdout);
	if (origin)
		origin_find(origin, m, trail);
	if (origin)
		verdict_add_lines(&(struct lines){ .line = print_line }, m, origin);
	if (c->fvp && !c->quiet)
		print_unseen_uarts(m);
	if (!c->fvp && !c->quiet)
		print_unseen_itm(m);
	for (unsigned i = 0; i < c->dump_count; i++) {
		const int failed = dump(m, &c->dumps[i]);

		problem = problem ? problem : failed;
	}
	if (c->report && !write_report(m, c, &report, why, sizeof why))
		problem = fail(EXIT_NO_OUTPUT, why);
	if (c->fvp || c->statistics)
		fvp_print_end(c, m->stop, machine_cycles(m), cpu_instructions(m->cpu), wall_seconds);
	fflush(stdout); /* while signals still end a wait for its reader */
	return status ? status : problem;
}

static int run_and_watch(struct machine *m, const struct run_config *c, struct trail *trail)
{
	struct progress progress;
	int status;
	const struct run_host host = { .look = !c->quiet && isatty(STDERR_FILENO) ? progress_show : NULL, .ctx = &progress };

	progress_start(&progress);
	status = snapshot_save(m, c, &host);
	if (!status) {
		trail_begin(trail, m, &c->limits);
		trail_run(trail, &host);
		trail_stop(trail);
	}
	progress_end(&progress);
	return status;
}

/* gdb_options.tell */
static void tell_of_debugger(void *ctx, bool is_note, const char *text)
{
	(void)ctx;
	message("fvp-sim: %s%s\n", is_note ? "note: " : "", text);
}

static int serve_debuggers(struct machine *m, const struct run_config *c)
{
	const struct gdb_options o = {
		.where = c->gdb, .wait = c->gdb_wait, .tell = tell_of_debugger, .quiet = c->quiet, .files = c->gdb_semihosting,
		.history_bytes = c->gdb_history_mib << 20,
	};
	char why[512];

	return told(gdb_serve(m, &c->limits, &o, why, sizeof why), why);
}

static int run_machine(struct machine *m, const struct run_config *c, struct record *record, struct npu_names **names, const struct timespec *start)
{
	struct tracing *tracing;
	struct trail trail = { .kept = false };
	struct timespec end;
	char why[1024];
	int status, traced;

	machine_start(m);
	if (c->start_given)
		cpu_set_start(m->cpu, c->start_address, 0);
	status = snapshot_restore(m, c);
	if (!status)
		status = replay_start(record, m, c);
	if (status)
		return status;
	if (c->trace.debug_db)
		status = told(npu_names_read(names, c->trace.debug_db, why, sizeof why), why);
	if (status)
		return status;
	m->npu_names = *names;
	interrupt_start(m, &c->limits); /* up to the end: finding out where it came from can take as long as the run */
	status = told(tracing_begin(&tracing, m, c, why, sizeof why), why);
	if (status)
		return status;
	struct inferences *jobs = c->report && c->report_jobs ? inferences_begin(m) : NULL;
	status = c->gdb ? serve_debuggers(m, c) : run_and_watch(m, c, &trail);
	clock_gettime(CLOCK_MONOTONIC, &end);
	traced = told(tracing_end(tracing, why, sizeof why), why);
	const int repeated = status ? 0 : replay_finish(record, m, c);
	if (!status)
		status = finish(m, c, c->gdb ? NULL : &trail, jobs, stop_status(m->stop, c->fvp, m->guest_status),
			(double)(end.tv_sec - start->tv_sec) + 1e-9 * (double)(end.tv_nsec - start->tv_nsec));
	interrupt_stop();
	trail_end(&trail);
	inferences_end(jobs);
	return status ? status : traced ? traced : repeated;
}

static int load_and_run(struct run_config *c)
{
	struct record record = { .images = 0 };
	struct npu_names *names = NULL;
	const struct diag diag = { .emit = emit, .ctx = c };
	struct timespec start;
	char why[512];
	struct machine *m;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &start);
	status = c->replay ? replay_open(&record, c) : 0;
	if (status) {
		record_free(&record);
		return status;
	}
	status = told(machine_new(&m, &c->machine, &diag, why, sizeof why), why);
	if (status)
		return status;
	status = load(m, c, &record);
	if (!status)
		status = run_machine(m, c, &record, &names, &start);
	machine_free(m);
	npu_names_free(names);
	record_free(&record);
	return status;
}

static int run(struct run_config *c)
{
	interrupt_waits(&c->limits);
	const int status = load_and_run(c);
	interrupt_stop();
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
	static struct run_config c; /* large */
	int status;

	memset(&c, 0, sizeof c);
	if (argc > 1 && !fvp_is_name(argv[0]) && !strcmp(argv[1], "npu"))
		return npu_command(argc - 1, argv + 1);
	if (argc > 1 && !fvp_is_name(argv[0]) && !strcmp(argv[1], "trace"))
		return trace_command(argc - 1, argv + 1);
	c.gdb_history_mib = GDB_HISTORY_MIB;
	status = fvp_is_name(argv[0]) ? fvp_parse(&c, argc, argv) : options_parse(&c, argc, argv);
	if (!c.machine.threads)
		c.machine.threads = threads_default();
	return status == OPTIONS_RUN ? run(&c) : status;
}

int main(int argc, char **argv)
{
	int status;

	reserve_standard_streams();
	reader_take_standard();
	signal(SIGXFSZ, SIG_IGN); /* ulimit -f: the write fails, which is told with the file's name */
	status = command(argc, argv);
	if (!status && (fflush(stdout) != 0 || ferror(stdout)))
		status = fail(EXIT_NO_OUTPUT, "standard output cannot be written");
	return status;
}
