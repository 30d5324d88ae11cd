/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target without libFuzzer:   replay ROUNDS [FILE...]
 * Writes the seeds as libFuzzer's corpus: replay --seeds DIRECTORY
 * Runs files and nothing else:            replay --only FILE...
 *
 * First the files (inputs once found to do harm), then every seed (the target's own and those of its corpus in the tree),
 * then ROUNDS changed seeds. Which seeds and which changes follow from the number in FUZZ_SEED (0 without), which is printed, so that a failure repeats. */
#include "tests/fuzz/corpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

enum { PRINTED = 1000, MOST_SECONDS = 120 };

struct random {
	u64 state;
};

/* xorshift64* (Vigna 2016). */
static u32 next(struct random *r, u32 below)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (u32)(r->state * UINT64_C(2685821657736338717) >> 32) % below;
}

/* One small change: another byte, bit, word of interest, a cut, or a piece copied elsewhere. */
static size_t change(struct random *r, u8 *data, size_t size)
{
	static const u32 words[] = { 0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffc,
				     0xffffffff };
	const u32 at = next(r, (u32)size);

	switch (next(r, 6)) {
	case 0:
		data[at] = (u8)next(r, 256);
		break;
	case 1:
		data[at] ^= (u8)(1u << next(r, 8));
		break;
	case 2:
	case 3:
		if ((at & ~3u) + 4 <= size)
			memcpy(data + (at & ~3u), &words[next(r, ARRAY_LEN(words))], 4);
		break;
	case 4:
		if (!next(r, 8))
			return at ? at : 1;
		break;
	default: {
		const u32 from = next(r, (u32)size), room = (u32)size - (from > at ? from : at);

		memmove(data + at, data + from, next(r, room < 64 ? room + 1 : 64));
	}
	}
	return size;
}

/* With FUZZ_LAST=FILE each input is written there before it runs: after a crash, the one to keep. */
static void keep(const u8 *data, size_t size)
{
	const char *path = getenv("FUZZ_LAST");
	FILE *f = path ? fopen(path, "wb") : NULL;

	if (f) {
		fwrite(data, 1, size, f);
		fclose(f);
	}
}

/* The exact size on the heap, so that a sanitizer sees every byte read beyond it. An input that takes minutes of the
 * processor does harm, too: SIGPROF ends the process. */
static void run_bytes(const u8 *data, size_t size)
{
	static const struct itimerval most = { .it_value.tv_sec = MOST_SECONDS };
	u8 *copy = malloc(size);

	setitimer(ITIMER_PROF, &most, NULL);
	if (copy) {
		memcpy(copy, data, size);
		keep(copy, size);
		LLVMFuzzerTestOneInput(copy, size);
	}
	free(copy);
}

static int run_file(const char *path)
{
	static u8 data[FUZZ_MAX_BYTES];
	FILE *f = fopen(path, "rb");

	if (!f) {
		perror(path);
		return 1;
	}
	run_bytes(data, fread(data, 1, sizeof data, f));
	fclose(f);
	return 0;
}

static int run_files(char **paths)
{
	for (; *paths; paths++)
		if (run_file(*paths))
			return 1;
	return 0;
}

static unsigned own_seeds; /* of the target; those of the corpus follow */

/* The corpus is named as the program is, replay_NAME. */
static unsigned read_corpus(void)
{
	const char *name = strchr(program_invocation_short_name, '_');
	char path[4096];

	snprintf(path, sizeof path, FUZZ_CORPUS "/%s.zst", name ? name + 1 : "");
	return corpus_read(path);
}

/* How many seeds there are. */
static unsigned find_seeds(void)
{
	static u8 data[FUZZ_MAX_BYTES];

	while (fuzz_seed(own_seeds, data))
		own_seeds++;
	return own_seeds + read_corpus();
}

static size_t seed_input(unsigned index, u8 *data)
{
	return index < own_seeds ? fuzz_seed(index, data) : corpus_input(index - own_seeds, data);
}

static void run_round(u64 seed, unsigned long round, unsigned seeds)
{
	static u8 data[FUZZ_MAX_BYTES];
	struct random r = { .state = (round + 1 + (seed << 32)) * UINT64_C(0x9e3779b97f4a7c15) | 1 };
	size_t size = seed_input(next(&r, seeds), data);

	for (u32 changes = 1 + next(&r, 8); changes; changes--)
		size = change(&r, data, size);
	run_bytes(data, size);
}

static int write_seeds(const char *directory)
{
	static u8 data[FUZZ_MAX_BYTES];
	const unsigned seeds = find_seeds();
	char path[4096];

	mkdir(directory, 0777);
	for (unsigned i = 0; i < seeds; i++) {
		const size_t size = seed_input(i, data);

		snprintf(path, sizeof path, "%s/seed_%u", directory, i);
		FILE *f = fopen(path, "wb");

		if (!f || fwrite(data, 1, size, f) != size || fclose(f)) {
			perror(path);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--seeds"))
		return write_seeds(argv[2]);
	if (argc > 1 && !strcmp(argv[1], "--only"))
		return run_files(argv + 2);
	static u8 data[FUZZ_MAX_BYTES];
	const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	const char *seed_text = getenv("FUZZ_SEED");
	const u64 seed = seed_text ? strtoull(seed_text, NULL, 10) : 0;
	const unsigned seeds = find_seeds();

	fprintf(stderr, "FUZZ_SEED=%llu\n", (unsigned long long)seed);

	if (argc > 2 && run_files(argv + 2))
		return 1;
	for (unsigned i = 0; i < seeds; i++)
		run_bytes(data, seed_input(i, data));
	for (unsigned long i = 0; i < rounds; i++) {
		if (i % PRINTED == 0)
			fprintf(stderr, "from round %lu\n", i);
		run_round(seed, i, seeds);
	}
	fprintf(stderr, "%u seeds, %u of them in the corpus, %lu rounds: done\n", seeds, seeds - own_seeds, rounds);
	return 0;
}
