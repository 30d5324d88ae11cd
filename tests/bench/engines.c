/* SPDX-License-Identifier: Apache-2.0 */
/* All engines give the same: registers, flags, memory, cycles and instructions, at every point
 * where a run is interrupted, for all timing models.
 *
 *     engines program.elf...
 *
 * Each program runs in slices of changing length; the state after each slice is hashed. */
#include "include/fvpsim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 400, SLICE_CYCLES = 4001, REGISTERS = 52, DTCM = 0x20000000, DTCM_BYTES = 0x20000 };

static uint64_t hash(uint64_t h, const void *data, size_t size)
{
	const uint8_t *p = data;

	while (size--)
		h = (h ^ *p++) * UINT64_C(0x100000001b3);
	return h;
}

/* r0 to r15, those that say how it goes on, and s0 to s31. */
static const char *register_name(unsigned i, char text[8])
{
	static const char *const others[] = { "xpsr", "fpscr", "vpr", "control" };

	if (i >= 16 && i < 20)
		return others[i - 16];
	snprintf(text, 8, i < 16 ? "r%u" : "s%u", i < 16 ? i : i - 20);
	return text;
}

static uint64_t state(struct fvpsim_machine *m)
{
	struct fvpsim_counts counts = { .size = sizeof counts };
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	char text[8];

	for (unsigned i = 0; i < REGISTERS; i++) {
		uint64_t value[2] = { 0, 0 };

		if (fvpsim_get_register(m, register_name(i, text), value, NULL))
			abort();
		h = hash(h, value, sizeof value);
	}
	fvpsim_get_counts(m, &counts, NULL);
	return hash(h, (uint64_t[]){ counts.cycles, counts.instructions }, 2 * sizeof(uint64_t));
}

static uint64_t memory(struct fvpsim_machine *m)
{
	static uint8_t dtcm[DTCM_BYTES];

	if (fvpsim_read(m, FVPSIM_RAM, DTCM, dtcm, sizeof dtcm, NULL))
		abort();
	return hash(0, dtcm, sizeof dtcm);
}

static struct fvpsim_machine *make(const char *path, const char *engine, const char *timing, struct fvpsim_error *error)
{
	struct fvpsim_config *config = fvpsim_config_new("corstone-300", error);
	struct fvpsim_machine *m = NULL;

	if (config && !fvpsim_config_set(config, "engine", engine, error) && !fvpsim_config_set(config, "cpu-timing", timing, error))
		m = fvpsim_machine_new(config, error);
	fvpsim_config_free(config);
	if (!m || !fvpsim_load(m, path, error))
		return m;
	fvpsim_machine_free(m);
	return NULL;
}

/* Slices of different engines may differ in nothing but host time. */
static bool run(const char *path, const char *engine, const char *timing, uint64_t result[SLICES + 1])
{
	struct fvpsim_until until = { .size = sizeof until };
	struct fvpsim_error error;
	struct fvpsim_machine *m = make(path, engine, timing, &error);
	int stop;

	if (!m) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	for (unsigned i = 0; i < SLICES; i++) {
		until.cycle += SLICE_CYCLES + i * 37 % 211;
		if (fvpsim_run(m, &until, &stop, NULL))
			abort();
		result[i] = state(m);
	}
	result[SLICES] = memory(m);
	fvpsim_machine_free(m);
	return true;
}

/* Of one program with one timing model. */
static bool agree(const char *path, const char *timing)
{
	static const char *const engines[] = { "tail", "switch" };
	static uint64_t first[SLICES + 1], other[SLICES + 1];

	if (!run(path, "step", timing, first))
		return false;
	for (unsigned e = 0; e < sizeof engines / sizeof *engines; e++) {
		if (!run(path, engines[e], timing, other))
			return false;
		for (unsigned s = 0; s <= SLICES; s++)
			if (first[s] != other[s]) {
				printf("%s, timing %s: engine %s differs from step in slice %u\n", path, timing, engines[e], s);
				return false;
			}
	}
	return true;
}

int main(int argc, char **argv)
{
	static const char *const timings[] = { "ipc1", "m55", "m85" };
	bool ok = argc > 1;

	for (int i = 1; i < argc; i++)
		for (unsigned t = 0; t < sizeof timings / sizeof *timings; t++)
			ok &= agree(argv[i], timings[t]);
	return ok ? 0 : 1;
}
