/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's inventory: what it holds itself, and what its parts register. */
#include "sim/state.h"
#include "sim/checksum.h"
#include "sim/state_parameters.h"
#include "sim/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- input of serial ports: the place in the file ---- */

static bool save_input(void *ctx, struct state_buffer *out)
{
	const struct machine_uart *u = ctx;
	const i64 at = input_place(&u->input);
	void *to = state_put(out, sizeof at);

	if (to)
		memcpy(to, &at, sizeof at);
	return to != NULL;
}

static bool check_input(void *ctx, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	if (bytes == sizeof(i64))
		return true;
	snprintf(why, why_size, "the place in a serial port's input is damaged");
	return false;
}

/* A pipe or terminal has no place: it goes on with what comes. */
static void restore_input(void *ctx, const u8 *from, u64 bytes)
{
	struct machine_uart *u = ctx;
	i64 at;

	if (!from)
		return;
	memcpy(&at, from, sizeof at);
	input_go_to(&u->input, at);
}

static void add_uarts(struct machine *m, struct state_list *list)
{
	static const struct state_hooks hooks = { save_input, check_input, restore_input };

	for (unsigned i = 0; i < CONFIG_UARTS; i++) {
		struct machine_uart *u = &m->uart[i];

		state_add(list, "serial ports", "printed", 1, &u->sink.bytes, sizeof u->sink.bytes);
		state_add(list, "serial ports", "text of the end", 1, &u->tag_matched, sizeof u->tag_matched);
		state_add_hooks(list, "serial ports", "input", 1, &hooks, u);
	}
	state_add(list, "itm", "printed", 1, &m->itm.bytes, sizeof m->itm.bytes);
}

/* ---- the whole ---- */

static void add_course(struct machine *m, struct state_list *list)
{
	state_add(list, "machine", "started", 1, &m->started, sizeof m->started);
	state_add(list, "machine", "resets asked for", 1, &m->reset_causes, sizeof m->reset_causes);
	state_add(list, "machine", "end", 1, &m->stop, sizeof m->stop);
	state_add(list, "machine", "status", 1, &m->guest_status, sizeof m->guest_status);
	state_add(list, "machine", "looks", 2, &m->look, sizeof m->look);
}

const struct state_list *machine_state(struct machine *m)
{
	struct state_list *list = m->state;

	if (list)
		return list;
	m->state = list = calloc(1, sizeof *list);
	if (!list)
		return NULL;
	parameters_state(m, list);
	add_course(m, list);
	add_uarts(m, list);
	sched_state(&m->sched, list);
	cpu_state(m->cpu, list);
	if (m->npu)
		npu_state(m->npu, list);
	device_set_state(m->devices, list);
	if (m->semihosting)
		semihosting_state(m->semihosting, list);
	bus_state(m->bus, list);
	return list;
}

/* Before the blocks: states are kept in files of others, pickled, sent. */
struct seal {
	char magic[8];    /* "fvpstate", without a zero */
	char version[16]; /* of the simulator: numbers and structures are those of its build */
	u64 bytes;        /* behind the seal */
	u64 sum;          /* of the seal, this being 0, and of these bytes */
};

static const char magic[] = "fvpstate";

static u64 sum_of(struct seal seal, const u8 *blocks)
{
	seal.sum = 0;
	return checksum(checksum(0, &seal, sizeof seal), blocks, seal.bytes);
}

static enum failure refuse(enum failure failure, char *why, size_t why_size, const char *text)
{
	snprintf(why, why_size, "%s", text);
	return failure;
}

enum failure machine_save(struct machine *m, struct state_buffer *out, char *why, size_t why_size)
{
	const struct state_list *list = machine_state(m);
	const u64 at = out->bytes;
	struct seal seal = { .version = FVP_SIM_VERSION };

	if (m->running)
		return refuse(FAIL_INTERNAL, why, why_size, "a machine cannot be saved while it runs");
	if (!scripts_untouched(m->scripts, why, why_size))
		return FAIL_USAGE;
	if (!list || !state_put(out, sizeof seal) || !state_save(list, out)) {
		out->bytes = at;
		return refuse(FAIL_INTERNAL, why, why_size, "host memory is short");
	}
	memcpy(seal.magic, magic, sizeof seal.magic);
	seal.bytes = out->bytes - at - sizeof seal;
	seal.sum = sum_of(seal, out->data + at + sizeof seal);
	memcpy(out->data + at, &seal, sizeof seal);
	return FAIL_NONE;
}

static enum failure check_seal(const u8 *from, u64 bytes, char *why, size_t why_size)
{
	struct seal seal;

	if (bytes < sizeof seal || memcmp(from, magic, sizeof seal.magic))
		return refuse(FAIL_BAD_INPUT, why, why_size, "this is no saved state, or only the beginning of one");
	memcpy(&seal, from, sizeof seal);
	if (seal.bytes != bytes - sizeof seal || seal.sum != sum_of(seal, from + sizeof seal))
		return refuse(FAIL_BAD_INPUT, why, why_size, "the state is damaged or truncated; save or copy it again");
	if (strncmp(seal.version, FVP_SIM_VERSION, sizeof seal.version))
		return refuse(FAIL_MISFIT, why, why_size, "the state is of another version of the simulator; save it again with this one");
	return FAIL_NONE;
}

enum failure machine_restore(struct machine *m, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	const struct state_list *list = machine_state(m);
	enum failure failure;

	if (m->running)
		return refuse(FAIL_INTERNAL, why, why_size, "a machine cannot be restored while it runs");
	if (!list)
		return refuse(FAIL_INTERNAL, why, why_size, "host memory is short");
	failure = check_seal(from, bytes, why, why_size);
	if (!failure && !state_restore(list, from + sizeof(struct seal), bytes - sizeof(struct seal), why, why_size))
		failure = FAIL_MISFIT;
	if (!failure && !scripts_begin_again(m->scripts, why, why_size))
		failure = FAIL_BAD_INPUT;
	return failure;
}
