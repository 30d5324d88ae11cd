/* SPDX-License-Identifier: Apache-2.0 */
/* The program: reads a command line, makes a machine, runs it, tells how it ended. */
#include "include/fvpsim.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/npu_command.h"
#include "sim/cli/options.h"
#include "sim/cli/outputs.h"
#include "sim/cli/progress.h"
#include "sim/cli/replay.h"
#include "sim/cli/snapshot.h"
#include "sim/cli/tell.h"
#include "sim/cli/trace_command.h"
#include "sim/exit.h"
#include "sim/fvp/fvp.h"
#include "sim/params/message.h"
#include "traces/reader.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the machine's callbacks need. */
struct watcher {
	const struct request *request;
	struct progress progress;
};

/* fvpsim_callbacks.message; what a debugger's server tells has no number. */
static void tell(void *ctx, int kind, const char *id, const char *text)
{
	static const char *const kinds[] = { [FVPSIM_MESSAGE_USER] = "", [FVPSIM_MESSAGE_GUEST] = "guest: ",
					     [FVPSIM_MESSAGE_NOT_MODELLED] = "not modelled: ", [FVPSIM_MESSAGE_NOTE] = "note: " };
	const struct watcher *w = ctx;

	if (!strcmp(id, "GDB001"))
		message("fvp-sim: %s%s\n", kinds[kind], text);
	else if (!w->request->quiet || kind != FVPSIM_MESSAGE_NOTE)
		message("fvp-sim: %s%s [%s]\n", kinds[kind], text, id);
}

/* fvpsim_callbacks.look */
static void look(void *ctx)
{
	struct watcher *w = ctx;

	progress_show(&w->progress);
}

static int fail(int status, const char *why)
{
	message("fvp-sim: %s\n", why);
	return status;
}

static int load(struct fvpsim_machine *m, const struct request *c)
{
	struct fvpsim_error error;

	for (unsigned i = 0; i < c->image_count; i++)
		if (fvpsim_load(m, c->images[i], &error))
			return tell_error("", &error);
	for (unsigned i = 0; i < c->data_count; i++)
		if (fvpsim_load_data(m, c->data[i].path, c->data[i].addr, &error))
			return tell_error("--data: ", &error);
	for (unsigned i = 0; i < c->dump_count; i++)
		if (fvpsim_has_memory(m, c->dumps[i].path, c->dumps[i].addr, c->dumps[i].size, &error))
			return tell_error("--dump: ", &error);
	return 0;
}

/* FVPs show serial ports in terminal windows of their own; nobody shows the ITM. */
static void print_unseen(int stream, const struct fvpsim_sent *sent, bool fvp)
{
	const unsigned long long bytes = sent->bytes;

	if (!bytes || sent->file)
		return;
	if (fvp && stream != FVPSIM_ITM)
		message("fvp-sim: note: UART%u printed %llu bytes that nobody sees; -C ...uart%u.out_file=- shows them\n", stream, bytes, stream);
	if (!fvp && stream == FVPSIM_ITM)
		message("fvp-sim: note: the program wrote %llu bytes to the ITM that nobody sees; --itm - shows them\n", bytes);
}

static void print_all_unseen(struct fvpsim_machine *m, const struct request *c)
{
	for (int stream = FVPSIM_UART0; stream <= FVPSIM_ITM; stream++) {
		struct fvpsim_sent sent = { .size = sizeof sent };

		fvpsim_get_sent(m, stream, &sent, NULL);
		print_unseen(stream, &sent, c->fvp);
	}
}

/* Everything that a serial port or the ITM printed must have reached its file. */
static int check_written(struct fvpsim_machine *m)
{
	int problem = 0;

	for (unsigned i = 0; i <= FVPSIM_ITM; i++) {
		const int stream = i ? (int)i - 1 : FVPSIM_ITM;
		struct fvpsim_sent sent = { .size = sizeof sent };
		struct fvpsim_error error;

		if (fvpsim_get_sent(m, stream, &sent, &error))
			problem = tell_error("", &error);
	}
	return problem;
}

static void print_explanation(struct fvpsim_machine *m)
{
	struct fvpsim_error error;
	char *text, *rest = NULL;

	if (fvpsim_explain(m, &text, &error)) {
		tell_error("", &error);
		return;
	}
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		message("fvp-sim: %s\n", line);
	fvpsim_free(text);
}

static int write_dumps(struct fvpsim_machine *m, const struct request *c)
{
	struct fvpsim_error error;
	int problem = 0;

	for (unsigned i = 0; i < c->dump_count; i++)
		if (fvpsim_dump(m, c->dumps[i].path, c->dumps[i].addr, c->dumps[i].size, &error))
			problem = tell_error("", &error);
	return problem;
}

/* Everything that is written after the run, whatever its end was. */
static int finish(struct fvpsim_machine *m, const struct request *c, const struct timespec *start, const struct timespec *stop)
{
	struct fvpsim_end end = { .size = sizeof end };
	struct fvpsim_error error;
	int problem = check_written(m), other;

	fflush(stdout);
	fvpsim_get_end(m, &end, NULL);
	print_explanation(m);
	if (!c->quiet)
		print_all_unseen(m, c);
	other = write_dumps(m, c);
	problem = problem ? problem : other;
	other = c->report && fvpsim_report_file(m, c->report, &error) ? tell_error("", &error) : 0;
	problem = other ? other : problem;
	if (c->fvp || c->statistics)
		fvp_print_end(c, m, (double)(stop->tv_sec - start->tv_sec) + 1e-9 * (double)(stop->tv_nsec - start->tv_nsec));
	fflush(stdout); /* while signals still end a wait for its reader */
	return end.status ? end.status : problem;
}

static int run_and_watch(struct fvpsim_machine *m, const struct request *c, struct progress *progress)
{
	struct fvpsim_error error;
	int status, stop;

	progress_start(progress, m);
	status = snapshot_save(m, c);
	if ((!status || interrupt_asked()) && fvpsim_run(m, NULL, &stop, &error)) /* asked: ends as it begins, and there is a report */
		status = tell_error("", &error);
	progress_end(progress);
	return status;
}

static int serve_debuggers(struct fvpsim_machine *m, const struct request *c)
{
	const int how = (c->gdb_wait ? FVPSIM_DEBUG_WAIT : 0) | (c->gdb_semihosting ? FVPSIM_DEBUG_FILES : 0) |
			(c->quiet ? FVPSIM_DEBUG_QUIET : 0);
	struct fvpsim_error error;
	int stop;

	return fvpsim_debug(m, c->gdb, how, &stop, &error) ? tell_error("", &error) : 0;
}

/* Traces, profiles and tensors that the command line asks for. */
static int begin_traces(struct fvpsim_machine *m, const struct request *c)
{
	struct fvpsim_error error;
	int kind = 0;

	for (unsigned i = 0; i < c->trace_count && !kind; i++)
		kind = fvpsim_trace(m, c->traces[i], &error);
	for (unsigned i = 0; i < c->profile_count && !kind; i++)
		kind = fvpsim_profile(m, c->profiles[i], &error);
	if (!kind && c->compare_layers) /* before what is there to compare with could be written over */
		kind = fvpsim_compare_layers(m, c->compare_layers, &error);
	if (!kind && c->dump_layers)
		kind = fvpsim_dump_layers(m, c->dump_layers, &error);
	return kind ? tell_error("", &error) : 0;
}

/* A machine that repeats a record has started with the record's state. */
static int begin(struct fvpsim_machine *m, const struct request *c)
{
	struct fvpsim_error error;
	int status = !c->replay && fvpsim_start(m, &error) ? tell_error("", &error) : 0;

	if (!status)
		status = snapshot_restore(m, c);
	if (!status)
		status = replay_start(m, c);
	if (!status && c->debug_db && fvpsim_name_operations(m, c->debug_db, &error))
		status = tell_error("", &error);
	return status;
}

static int run_machine(struct fvpsim_machine *m, const struct request *c, struct watcher *w, const struct timespec *start)
{
	struct fvpsim_error error;
	struct timespec stop;
	int status = begin(m, c), traced, repeated;

	if (status)
		return status;
	interrupt_start(m, c->host_seconds, c->cpu_seconds); /* up to the end: finding out where it came from can take as long as the run */
	status = begin_traces(m, c);
	if (!status && !outputs_possible(c))
		status = EXIT_NO_OUTPUT;
	if (status)
		return status;
	status = c->gdb ? serve_debuggers(m, c) : run_and_watch(m, c, &w->progress);
	clock_gettime(CLOCK_MONOTONIC, &stop);
	traced = fvpsim_end_traces(m, &error) ? tell_error("", &error) : 0;
	repeated = status ? 0 : replay_finish(m, c);
	if (!status || interrupt_asked()) {
		const int ended = finish(m, c, start, &stop);

		status = status ? status : ended;
	}
	interrupt_stop();
	return status ? status : traced ? traced : repeated;
}

static int load_and_run(struct request *c)
{
	struct watcher w = { .request = c };
	const struct fvpsim_callbacks callbacks = {
		.size = sizeof callbacks, .ctx = &w, .message = tell, .look = !c->quiet && isatty(STDERR_FILENO) ? look : NULL,
	};
	struct fvpsim_error error;
	struct fvpsim_machine *m;
	struct timespec start;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &start);
	status = request_configure(c);
	if (status)
		return status;
	m = fvpsim_machine_new(c->config, &error);
	if (!m)
		return tell_error(c->replay && error.kind == FVPSIM_MISFIT ? "--replay: " : "", &error);
	fvpsim_set_callbacks(m, &callbacks, NULL);
	status = load(m, c);
	if (!status)
		status = run_machine(m, c, &w, &start);
	fvpsim_machine_free(m);
	return status;
}

static int run(struct request *c)
{
	interrupt_waits(c->host_seconds);
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
	static struct request c; /* large */
	int status;

	memset(&c, 0, sizeof c);
	if (argc > 1 && !fvp_is_name(argv[0]) && !strcmp(argv[1], "npu"))
		return npu_command(argc - 1, argv + 1);
	if (argc > 1 && !fvp_is_name(argv[0]) && !strcmp(argv[1], "trace"))
		return trace_command(argc - 1, argv + 1);
	status = fvp_is_name(argv[0]) ? fvp_parse(&c, argc, argv) : options_parse(&c, argc, argv);
	if (status == OPTIONS_RUN)
		status = run(&c);
	request_free(&c);
	return status;
}

static i64 monotonic_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (i64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	int status;

	reserve_standard_streams();
	reader_take_standard(monotonic_ms);
	signal(SIGXFSZ, SIG_IGN); /* ulimit -f: the write fails, which is told with the file's name */
	status = command(argc, argv);
	if (!status && (fflush(stdout) != 0 || ferror(stdout)))
		status = fail(EXIT_NO_OUTPUT, "standard output cannot be written");
	return status;
}
