/* SPDX-License-Identifier: Apache-2.0 */
/* Times are fractions of a cycle from the start of the adapter's window in which the job begins; all of a window's beats take as long as it. */
#include "npu/timing/cap.h"

#include "npu/integer.h"
#include "npu/timing/constants.h"

enum { FRACTION_BITS = 16 };

static u64 in_fractions(u64 cycles)
{
	return cycles << FRACTION_BITS;
}

/* The start of the window in which `time` lies, counted from an earlier one's. */
static u64 window_at(const struct port_model *port, u64 time, u64 earlier)
{
	const u64 window = in_fractions(port->window), passed = time - earlier;

	return passed < window ? earlier : time - passed % window;
}

static u64 taken(const struct port_model *port, const struct traffic *t)
{
	return (t->read_beats + t->write_beats) * port->beat;
}

/* What is served until `end` has passed a little sooner: the beats that are left for the last window pass as soon as that begins. */
static u64 passed_at(const struct port_model *port, u64 end)
{
	const u64 last = window_at(port, end, port->begin_window), rest = end - last;

	return last + min_u64(rest, in_fractions(rest / (port->beat * port->lanes)));
}

/* An operation that shares the port with others waits for those before it, a kernel, whose streams take turns with a copy's, for no more beats
 * than it has itself. */
u64 port_capped_cycles(const struct port_model *port, const struct traffic *t)
{
	const u64 own = taken(port, t), end = min_u64(port->served_from + own, port->alone_from + 2 * own);

	if (!own || end <= port->begin)
		return 0;
	const u64 passed = passed_at(port, end);

	return passed > port->begin ? div_up(passed - port->begin, in_fractions(1)) : 0;
}

void cap_begin(struct port_model *port, const struct npu_beats *account, u64 time, const struct traffic *asked, bool kernel)
{
	u64 served = account->served;

	if (!port->cap || !port->window || !(asked->read_beats + asked->write_beats))
		return;
	port->beat = in_fractions(port->window) / port->cap;
	port->begin = in_fractions(time + WINDOW_AT_START);
	port->begin_window = window_at(port, port->begin, 0);
	for (unsigned i = 0; i < NPU_LATE; i++)
		served = max_u64(served, min_u64(account->late[i].window, port->begin_window)) + account->late[i].takes;
	port->alone_from = max_u64(port->begin_window, min_u64(account->spent, port->begin));
	port->served_from = max_u64(served, port->alone_from);
	if (!kernel)
		port->alone_from = port->served_from;
}

/* Where the operation that has begun stands among those that begin last. */
static void account_for(const struct port_model *port, struct npu_beats *account, u64 takes)
{
	unsigned i = 0;

	if (port->begin < account->late[0].begin) {
		account->served = max_u64(account->served, port->begin_window) + takes;
		return;
	}
	account->served = max_u64(account->served, account->late[0].window) + account->late[0].takes;
	for (; i + 1 < NPU_LATE && account->late[i + 1].begin <= port->begin; i++)
		account->late[i] = account->late[i + 1];
	account->late[i].begin = port->begin;
	account->late[i].window = port->begin_window;
	account->late[i].takes = takes;
}

/* How the beats of an operation spread over its windows is not known: in the last one all pass that the window has let through up to the end. */
u64 cap_end(const struct port_model *port, struct npu_beats *account, u64 time, const struct traffic *asked, bool kernel)
{
	const u64 takes = taken(port, asked), end = in_fractions(time + WINDOW_AT_START);

	if (!port->beat)
		return 0;
	if (kernel)
		account->spent = max_u64(account->spent, min_u64(end, window_at(port, end, port->begin_window) + takes));
	account_for(port, account, takes);

	u64 served = account->served;

	for (unsigned i = 0; i < NPU_LATE; i++)
		served = max_u64(served, account->late[i].window) + account->late[i].takes;
	return max_u64(div_up(passed_at(port, served), in_fractions(1)), WINDOW_AT_START) - WINDOW_AT_START;
}
