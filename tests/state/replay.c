/* SPDX-License-Identifier: Apache-2.0 */
/* Saved and restored machines go on as if nothing had happened. A program runs to its end and stops at drawn points
 * on the way, where its state is saved; then each state is restored, into the same machine and into another one with
 * another engine, and runs to the end. All that the machine holds there must be the same, byte for byte, and so must
 * what was printed from the point on, and the cycles.
 *
 * usage: state_replay ENGINE OTHER POINTS FVP-NAME ARGUMENTS...   ENGINE, OTHER: tail, switch or step
 *
 * Works in a new folder, where "input" is a file with a few bytes for a serial port. */
#include "include/fvpsim.h"
#include "sim/cli/options.h"
#include "sim/fvp/fvp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { POINTS_MAX = 64 };

/* Registers at which the NPU and the DMA-350's first channel are seen at work, bit 0. The address 0: the board has none. */
enum { NPU_300 = 0x58102000, NPU_31X = 0x50004000, DMA = 0x50002000, NPU_STATUS = 4, DMA_CH0_CMD = 0x1000 };

/* A program on one machine. */
struct bench {
	struct request request;
	struct fvpsim_machine *m;
	uint32_t npu_status, dma_command;
	char messages[16384];
	size_t message_bytes;
};

struct state {
	uint8_t *data;
	size_t bytes;
};

struct point {
	struct state state;
	uint64_t cycle;
};

/* Of the host, the longest of any point, milliseconds. */
static double longest_save, longest_restore;

/* How a run ended. */
struct ending {
	struct state state;
	struct fvpsim_counts counts;
	char *text;
	size_t text_bytes;
};

static int report; /* standard error; standard output belongs to the programs */

static void fail(const char *text, const char *more)
{
	dprintf(report, "state_replay: %s %s\n", text, more);
	exit(1);
}

/* An error of the library's ends the test. */
static void need(int kind, const char *what, const struct fvpsim_error *error)
{
	if (kind)
		fail(what, error->text);
}

/* fvpsim_callbacks.message */
static void keep_message(void *ctx, int kind, const char *id, const char *text)
{
	struct bench *b = ctx;
	const size_t room = sizeof b->messages - b->message_bytes;
	const int n = snprintf(b->messages + b->message_bytes, room, "%s %s\n", id, text);

	b->message_bytes += (size_t)n < room ? (size_t)n : room;
}

static void load(struct bench *b)
{
	const struct request *r = &b->request;
	struct fvpsim_error error;

	for (unsigned i = 0; i < r->image_count; i++)
		need(fvpsim_load(b->m, r->images[i], &error), "cannot load:", &error);
	for (unsigned i = 0; i < r->data_count; i++)
		need(fvpsim_load_data(b->m, r->data[i].path, r->data[i].addr, &error), "cannot load:", &error);
}

/* Where the parts of the board lie that are looked at. */
static void find_parts(struct bench *b)
{
	struct fvpsim_config_info info = { .size = sizeof info };
	const char *name;

	fvpsim_config_get_info(b->request.config, &info, NULL);
	if (info.accelerator)
		b->npu_status = NPU_STATUS + (strcmp(info.board, "corstone-300") ? NPU_31X : NPU_300);
	for (unsigned i = 0; (name = fvpsim_config_device(b->request.config, i)); i++)
		if (!strcmp(name, "DMA350"))
			b->dma_command = DMA + DMA_CH0_CMD;
}

static void prepare(struct bench *b, const char *engine, int argc, char **argv)
{
	const struct fvpsim_callbacks callbacks = { .size = sizeof callbacks, .ctx = b, .message = keep_message };
	char **copy = calloc((size_t)argc + 1, sizeof *copy); /* parsing cuts the words */
	struct fvpsim_error error;

	memset(b, 0, sizeof *b);
	for (int i = 0; i < argc; i++)
		copy[i] = strdup(argv[i]);
	if (fvp_parse(&b->request, argc, copy) != OPTIONS_RUN || request_configure(&b->request))
		fail("wrong arguments", "");
	need(fvpsim_config_set(b->request.config, "engine", engine, &error), "no such engine:", &error);
	need(fvpsim_config_set(b->request.config, "trail", "off", &error), "no trail:", &error);
	b->m = fvpsim_machine_new(b->request.config, &error);
	if (!b->m)
		fail("no machine:", error.text);
	need(fvpsim_set_callbacks(b->m, &callbacks, &error), "no callbacks:", &error);
	find_parts(b);
	load(b);
	need(fvpsim_start(b->m, &error), "no start:", &error);
}

static long printed(void)
{
	fflush(stdout);
	return lseek(STDOUT_FILENO, 0, SEEK_CUR);
}

static void save(struct bench *b, struct state *to)
{
	struct fvpsim_error error;
	void *bytes;

	need(fvpsim_save(b->m, &bytes, &to->bytes, &error), "cannot save:", &error);
	to->data = bytes;
}

/* Until that cycle, 0: to the end. */
static void run(struct bench *b, uint64_t cycle)
{
	const struct fvpsim_until until = { .size = sizeof until, .cycle = cycle };
	struct fvpsim_error error;
	int stop;

	need(fvpsim_run(b->m, &until, &stop, &error), "cannot run:", &error);
}

/* What was printed from `from` on, to serial ports and as messages. */
static char *text_since(struct bench *b, long from, size_t messages, size_t *bytes)
{
	const size_t size = (size_t)(printed() - from), told = b->message_bytes - messages;
	char *text = malloc(size + told + 1);

	if (pread(STDOUT_FILENO, text, size, from) != (ssize_t)size)
		fail("cannot read what was printed", "");
	memcpy(text + size, b->messages + messages, told);
	*bytes = size + told;
	return text;
}

static void take_ending(struct bench *b, long from, size_t messages, struct ending *e)
{
	save(b, &e->state);
	e->counts.size = sizeof e->counts;
	fvpsim_get_counts(b->m, &e->counts, NULL);
	e->text = text_since(b, from, messages, &e->text_bytes);
}

/* A state is one head and its bytes for each block (memory/state.c); of a head: */
struct head {
	char part[24], name[24];
	uint32_t version, unused;
	uint64_t bytes;
};

static void print_bytes_that_differ(const struct head *h, const uint8_t *a, const uint8_t *b)
{
	for (uint64_t k = 0, told = 0; k < h->bytes && told < 8; k++)
		if (a[k] != b[k] && ++told)
			dprintf(report, "%s of %s differs at byte %llu: %02x, %02x\n", h->name, h->part, (unsigned long long)k, a[k], b[k]);
}

/* The names of the blocks in which two states differ. */
static void print_difference(const struct state *a, const struct state *b)
{
	uint64_t at[2] = { 0, 0 };

	while (at[0] < a->bytes && at[1] < b->bytes) {
		struct head x, y;

		memcpy(&x, a->data + at[0], sizeof x);
		memcpy(&y, b->data + at[1], sizeof y);
		if (x.bytes != y.bytes)
			dprintf(report, "%s of %s: %llu and %llu bytes\n", x.name, x.part, (unsigned long long)x.bytes,
				(unsigned long long)y.bytes);
		else
			print_bytes_that_differ(&x, a->data + at[0] + sizeof x, b->data + at[1] + sizeof y);
		at[0] += sizeof x + ((x.bytes + 7) & ~7ull);
		at[1] += sizeof y + ((y.bytes + 7) & ~7ull);
	}
}

static bool same_state(const struct state *a, const struct state *b)
{
	return a->bytes == b->bytes && !memcmp(a->data, b->data, a->bytes);
}

/* The text of the straight run ends with that of the rest. */
static void compare(const struct ending *straight, const struct ending *rest, const struct point *p, const char *what)
{
	char place[128];
	const size_t from = straight->text_bytes - rest->text_bytes;

	snprintf(place, sizeof place, "%s, saved at cycle %llu", what, (unsigned long long)p->cycle);
	if (straight->counts.cycles != rest->counts.cycles || straight->counts.instructions != rest->counts.instructions)
		fail("other cycles or instructions:", place);
	if (rest->text_bytes > straight->text_bytes || memcmp(straight->text + from, rest->text, rest->text_bytes))
		fail("other output:", place);
	if (!same_state(&straight->state, &rest->state)) {
		print_difference(&straight->state, &rest->state);
		fail("another state at the end:", place);
	}
}

static double since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e3 * (double)(now.tv_sec - start->tv_sec) + 1e-6 * (double)(now.tv_nsec - start->tv_nsec);
}

static void keep_longest(double *longest, double milliseconds)
{
	*longest = milliseconds > *longest ? milliseconds : *longest;
}

/* Restores a point and runs to the end. */
static void go_on(struct bench *b, const struct point *p, const struct ending *straight, const char *what)
{
	const long from = printed();
	const size_t messages = b->message_bytes;
	struct fvpsim_error error;
	struct ending rest;
	struct timespec start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	need(fvpsim_restore(b->m, p->state.data, p->state.bytes, &error), "cannot restore:", &error);
	keep_longest(&longest_restore, since(&start));
	run(b, 0);
	take_ending(b, from, messages, &rest);
	compare(straight, &rest, p, what);
	fvpsim_free(rest.state.data);
	free(rest.text);
}

static uint32_t draw(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static int rising(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void draw_points(struct point *point, unsigned count, uint64_t cycles)
{
	uint64_t at[POINTS_MAX];
	uint32_t seed = 20;

	for (unsigned i = 0; i < count; i++) {
		const uint64_t high = draw(&seed);
		at[i] = 1 + (high << 24 | draw(&seed)) % (cycles - 1);
	}
	qsort(at, count, sizeof *at, rising);
	for (unsigned i = 0; i < count; i++)
		point[i].cycle = at[i];
}

/* Programs find their files there, and what is printed is kept there. */
static void enter_folder(char *folder)
{
	FILE *input = NULL;

	if (mkdtemp(folder) && chdir(folder) == 0)
		input = fopen("input", "w");
	if (!input)
		fail("no folder:", folder);
	fputs("hello, world.", input);
	fclose(input);
	if (!freopen("printed", "w+b", stdout))
		fail("no output in", folder);
}

static void remove_folder(const char *folder)
{
	char command[128];

	snprintf(command, sizeof command, "rm -r '%s'", folder);
	if (chdir("/") || system(command))
		fail("cannot remove", folder);
}

/* Is it at work now? */
static bool busy(struct bench *b, uint32_t status)
{
	struct fvpsim_error error;
	uint32_t value = 0;

	if (status)
		need(fvpsim_read(b->m, FVPSIM_SECURE, status, &value, sizeof value, &error), "cannot look:", &error);
	return value & 1;
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/state-XXXXXX";
	static struct bench first, same, other;
	static struct point point[POINTS_MAX];
	struct ending straight, stopped;
	struct timespec start;
	unsigned points, npu = 0, dma = 0;

	if (argc < 6)
		return 64;
	points = (unsigned)atoi(argv[3]);
	report = dup(STDERR_FILENO);
	if (points > POINTS_MAX)
		return 64;
	for (int i = 5; i < argc; i++) /* the word before names the program, and is not to be followed */
		if (access(argv[i], R_OK) == 0)
			argv[i] = realpath(argv[i], NULL);
	enter_folder(folder);
	prepare(&first, argv[1], argc - 4, argv + 4);
	run(&first, 0);
	take_ending(&first, 0, 0, &straight);
	draw_points(point, points, straight.counts.cycles);

	const long from = printed();

	prepare(&same, argv[1], argc - 4, argv + 4);
	for (unsigned i = 0; i < points; i++) {
		run(&same, point[i].cycle);
		clock_gettime(CLOCK_MONOTONIC, &start);
		save(&same, &point[i].state);
		keep_longest(&longest_save, since(&start));
		npu += busy(&same, same.npu_status);
		dma += busy(&same, same.dma_command);
	}
	run(&same, 0);
	take_ending(&same, from, 0, &stopped);
	compare(&straight, &stopped, &(struct point){ .cycle = 0 }, "stopped on the way");
	prepare(&other, argv[2], argc - 4, argv + 4);
	for (unsigned i = points; i-- > 0;) {
		go_on(&same, &point[i], &straight, "the same machine");
		go_on(&other, &point[i], &straight, "another machine");
	}
	remove_folder(folder);
	dprintf(report, "%u points in %llu cycles, %u of them in the middle of an NPU job, %u of a DMA transfer; %llu bytes of state, saved in %.1f ms and "
		"restored in %.1f ms at most\n", points, (unsigned long long)straight.counts.cycles, npu, dma,
		(unsigned long long)straight.state.bytes, longest_save, longest_restore);
	return 0;
}
