/* SPDX-License-Identifier: Apache-2.0 */
/* The machine's inventory: what it holds itself, and what its parts register. */
#include "sim/state.h"
#include "sim/state_parameters.h"

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

static bool refuse(char *why, size_t why_size, const char *text)
{
	snprintf(why, why_size, "%s", text);
	return false;
}

bool machine_save(struct machine *m, struct state_buffer *out, char *why, size_t why_size)
{
	const struct state_list *list = machine_state(m);

	if (m->running)
		return refuse(why, why_size, "a machine cannot be saved while it runs");
	return (list && state_save(list, out)) || refuse(why, why_size, "host memory is short");
}

bool machine_restore(struct machine *m, const u8 *from, u64 bytes, char *why, size_t why_size)
{
	const struct state_list *list = machine_state(m);

	if (m->running)
		return refuse(why, why_size, "a machine cannot be restored while it runs");
	if (!list)
		return refuse(why, why_size, "host memory is short");
	return state_restore(list, from, bytes, why, why_size);
}
