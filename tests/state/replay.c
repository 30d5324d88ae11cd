/* SPDX-License-Identifier: Apache-2.0 */
/* Saved and restored machines go on as if nothing had happened. A program runs to its end and stops at drawn points
 * on the way, where its state is saved; then each state is restored, into the same machine and into another one with
 * another engine, and runs to the end. All that the machine holds there must be the same, byte for byte, and so must
 * what was printed from the point on, and the cycles.
 *
 * usage: state_replay ENGINE OTHER POINTS FVP-NAME ARGUMENTS...   ENGINE, OTHER: tail, switch or step
 *
 * Works in a new folder, where "input" is a file with a few bytes for a serial port. */
#include "loader/file.h"
#include "sim/api/private.h"
#include "sim/cli/options.h"
#include "sim/fvp/fvp.h"
#include "sim/run.h"
#include "sim/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { POINTS_MAX = 64, WHY = 512 };

/* A program on one machine. */
struct bench {
	struct request request;
	struct diag diag;
	struct machine *m;
	char messages[16384];
	size_t message_bytes;
};

struct point {
	struct state_buffer state;
	u64 cycle;
};

/* Of the host, the longest of any point, milliseconds. */
static double longest_save, longest_restore;

/* How a run ended. */
struct ending {
	struct state_buffer state;
	u64 cycles, instructions;
	char *text;
	size_t text_bytes;
};

static int report; /* standard error; standard output belongs to the programs */

static void fail(const char *text, const char *more)
{
	dprintf(report, "state_replay: %s %s\n", text, more);
	exit(1);
}

static void emit(void *ctx, enum diag_kind kind, const char *id, const char *text)
{
	struct bench *b = ctx;
	const size_t room = sizeof b->messages - b->message_bytes;
	const int n = snprintf(b->messages + b->message_bytes, room, "%s %s\n", id, text);

	b->message_bytes += (size_t)n < room ? (size_t)n : room;
}

static enum cpu_engine engine_of(const char *name)
{
	return !strcmp(name, "tail") ? CPU_ENGINE_TAIL : !strcmp(name, "switch") ? CPU_ENGINE_SWITCH : CPU_ENGINE_STEP;
}

static void load(struct bench *b)
{
	char why[WHY] = "";

	for (unsigned i = 0; i < b->request.image_count; i++)
		if (machine_load_image(b->m, b->request.images[i], why, sizeof why))
			fail("cannot load:", why);
	for (unsigned i = 0; i < b->request.data_count; i++) {
		struct file_bytes file;

		if (!file_read(b->request.data[i].path, &file, why, sizeof why) ||
		    !machine_load_data(b->m, "data", b->request.data[i].addr, file.data, file.size, why, sizeof why))
			fail("cannot load:", why);
		file_free(&file);
	}
}

static void prepare(struct bench *b, enum cpu_engine engine, int argc, char **argv)
{
	char why[WHY], **copy = calloc((size_t)argc + 1, sizeof *copy); /* parsing cuts the words */

	memset(b, 0, sizeof *b);
	for (int i = 0; i < argc; i++)
		copy[i] = strdup(argv[i]);
	if (fvp_parse(&b->request, argc, copy) != OPTIONS_RUN || request_configure(&b->request))
		fail("wrong arguments", "");

	struct machine_config *config = &b->request.config->run.machine;

	config->cpu.engine = engine;
	b->diag = (struct diag){ emit, b };
	if (machine_new(&b->m, config, &b->diag, why, sizeof why))
		fail("no machine:", why);
	load(b);
	machine_start(b->m);
}

static long printed(void)
{
	fflush(stdout);
	return lseek(STDOUT_FILENO, 0, SEEK_CUR);
}

static void save(struct bench *b, struct state_buffer *to)
{
	char why[WHY];

	state_buffer_free(to);
	if (!machine_save(b->m, to, why, sizeof why))
		fail("cannot save:", why);
}

/* Until that cycle, 0: to the end. */
static void run(struct bench *b, u64 cycle)
{
	b->m->stop = STOP_NONE;
	machine_run(b->m, &(struct limits){ .cycles = cycle }, NULL);
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
	e->state = (struct state_buffer){ 0 };
	save(b, &e->state);
	e->cycles = machine_cycles(b->m);
	e->instructions = cpu_instructions(b->m->cpu);
	e->text = text_since(b, from, messages, &e->text_bytes);
}

/* The names of the blocks in which two states differ. */
static void print_difference(struct machine *m, const struct state_buffer *a, const struct state_buffer *b)
{
	const struct state_list *list = machine_state(m);
	u64 at[2] = { 0, 0 };

	for (unsigned i = 0; i < list->blocks; i++) {
		u64 size[2];

		memcpy(&size[0], a->data + at[0] + 56, 8);
		memcpy(&size[1], b->data + at[1] + 56, 8);
		if (size[0] != size[1]) {
			dprintf(report, "%s of %s: %llu and %llu bytes\n", list->block[i].name, list->block[i].part,
				(unsigned long long)size[0], (unsigned long long)size[1]);
		} else {
			for (u64 k = 0, told = 0; k < size[0] && told < 8; k++)
				if (a->data[at[0] + 64 + k] != b->data[at[1] + 64 + k] && ++told)
					dprintf(report, "%s of %s differs at byte %llu: %02x, %02x\n", list->block[i].name, list->block[i].part,
						(unsigned long long)k, a->data[at[0] + 64 + k], b->data[at[1] + 64 + k]);
		}
		at[0] += 64 + ((size[0] + 7) & ~7ull);
		at[1] += 64 + ((size[1] + 7) & ~7ull);
	}
}

static bool same_state(const struct state_buffer *a, const struct state_buffer *b)
{
	return a->bytes == b->bytes && !memcmp(a->data, b->data, a->bytes);
}

/* The text of the straight run ends with that of the rest. */
static void compare(struct bench *b, const struct ending *straight, const struct ending *rest, const struct point *p, const char *what)
{
	char place[128];
	const size_t from = straight->text_bytes - rest->text_bytes;

	snprintf(place, sizeof place, "%s, saved at cycle %llu", what, (unsigned long long)p->cycle);
	if (straight->cycles != rest->cycles || straight->instructions != rest->instructions)
		fail("other cycles or instructions:", place);
	if (rest->text_bytes > straight->text_bytes || memcmp(straight->text + from, rest->text, rest->text_bytes))
		fail("other output:", place);
	if (!same_state(&straight->state, &rest->state)) {
		print_difference(b->m, &straight->state, &rest->state);
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
	struct ending rest;
	struct timespec start;
	char why[WHY];

	clock_gettime(CLOCK_MONOTONIC, &start);
	if (!machine_restore(b->m, p->state.data, p->state.bytes, why, sizeof why))
		fail("cannot restore:", why);
	keep_longest(&longest_restore, since(&start));
	run(b, 0);
	take_ending(b, from, messages, &rest);
	compare(b, straight, &rest, p, what);
	state_buffer_free(&rest.state);
	free(rest.text);
}

static u32 draw(u32 *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static int rising(const void *a, const void *b)
{
	const u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void draw_points(struct point *point, unsigned count, u64 cycles)
{
	u64 at[POINTS_MAX];
	u32 seed = 20;

	for (unsigned i = 0; i < count; i++)
		at[i] = 1 + ((u64)draw(&seed) << 24 | draw(&seed)) % (cycles - 1);
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

/* Is a command of the DMA-350's first channel under way? */
static bool dma_busy(const struct machine *m)
{
	struct device *d = device_set_find(m->devices, "DMA350");

	return d && *device_reg(d, 0x1000) & 1;
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
	prepare(&first, engine_of(argv[1]), argc - 4, argv + 4);
	run(&first, 0);
	take_ending(&first, 0, 0, &straight);
	draw_points(point, points, straight.cycles);

	const long from = printed();

	prepare(&same, engine_of(argv[1]), argc - 4, argv + 4);
	for (unsigned i = 0; i < points; i++) {
		run(&same, point[i].cycle);
		clock_gettime(CLOCK_MONOTONIC, &start);
		save(&same, &point[i].state);
		keep_longest(&longest_save, since(&start));
		npu += same.m->npu && npu_busy(same.m->npu);
		dma += dma_busy(same.m);
	}
	run(&same, 0);
	take_ending(&same, from, 0, &stopped);
	compare(&same, &straight, &stopped, &(struct point){ .cycle = 0 }, "stopped on the way");
	prepare(&other, engine_of(argv[2]), argc - 4, argv + 4);
	for (unsigned i = points; i-- > 0;) {
		go_on(&same, &point[i], &straight, "the same machine");
		go_on(&other, &point[i], &straight, "another machine");
	}
	remove_folder(folder);
	dprintf(report, "%u points in %llu cycles, %u of them in the middle of an NPU job, %u of a DMA transfer; %llu bytes of state, saved in %.1f ms and "
		"restored in %.1f ms at most\n", points, (unsigned long long)straight.cycles, npu, dma,
		(unsigned long long)straight.state.bytes, longest_save, longest_restore);
	return 0;
}
